import { area } from './area.ts'
import * as english from './en/audit-log.ts'

export const { auditLogText } = area(english)
