import { area } from '../area.ts'
import * as english from '../en/monitors/regions.ts'

export const { regionsText } = area(english)
