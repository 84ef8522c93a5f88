// Converts the filters of the audit log between the address bar and the API.
import { spanOfPeriod } from '../../shared/periods.ts'
import { fieldsLabeled } from './values.ts'

export const ADDRESS = { q: '', actor: '', action: '', period: '', page: '1', open: '' }
export type AuditFilters = { [K in keyof typeof ADDRESS]: string }

export function queryOf({ q, actor, action, period }: AuditFilters, now: number) {
  const text = q.trim()
  const fields = text === '' ? [] : fieldsLabeled(text)
  return {
    ...(text !== '' && { q: text }),
    ...(fields.length > 0 && { fields }),
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...spanOfPeriod(period, now),
  }
}
