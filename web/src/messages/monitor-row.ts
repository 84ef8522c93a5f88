import { area } from './area.ts'
import * as english from './en/monitor-row.ts'

export const { monitorRowText } = area(english)
