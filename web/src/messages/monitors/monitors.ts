import { area } from '../area.ts'
import * as english from '../en/monitors/monitors.ts'

export const { monitorsText } = area(english)
