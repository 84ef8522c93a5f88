import { area } from './area.ts'
import * as english from './en/monitor.ts'

export const { monitorText } = area(english)
