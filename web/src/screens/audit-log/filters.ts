// Converts the filters of the audit log between the address bar and the API.

export const ADDRESS = { q: '', actor: '', action: '', period: '', page: '1', open: '' }
export type AuditFilters = { [K in keyof typeof ADDRESS]: string }

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export const PERIODS = [
  { value: '', label: 'All time' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

/** The period begins on a full hour, so that the same address asks for the same entries for a while. */
export function queryOf({ q, actor, action, period }: AuditFilters, now: number) {
  const text = q.trim()
  const days = PERIODS.some(({ value }) => value === period) ? Number(period) : 0
  const from = Math.floor((now - days * DAY_MS) / HOUR_MS) * HOUR_MS
  return {
    ...(text !== '' && { q: text }),
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(days > 0 && { from: new Date(from).toISOString() }),
  }
}
