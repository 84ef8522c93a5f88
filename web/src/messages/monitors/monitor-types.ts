import { area } from '../area.ts'
import * as english from '../en/monitors/monitor-types.ts'

export const { monitorTypeText } = area(english)
