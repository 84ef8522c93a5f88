// Converts the list's filters between the address bar and the API.
import { CAUSE_CODES, type CauseCode } from '../../../../src/domain/incidents/incident.ts'
import { spanOfPeriod } from '../../shared/periods.ts'

export const ADDRESS = {
  state: 'all',
  q: '',
  cause: '',
  monitor: '',
  day: '',
  period: '',
  page: '1',
}
export type IncidentFilters = { [K in keyof typeof ADDRESS]: string }

export type IncidentQuery = {
  acknowledged?: boolean
  q?: string
  causeCode?: CauseCode[]
  monitorId?: string
  from?: string
  to?: string
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** Midnight to midnight in the viewer's time zone. Undefined if it is not a valid day. */
export function spanOfDay(day: string): { from: string; to: string } | undefined {
  const [, year, month, date] = DAY.exec(day) ?? []
  if (date === undefined) return undefined
  const from = new Date(Number(year), Number(month) - 1, Number(date))
  const to = new Date(from.getFullYear(), from.getMonth(), from.getDate() + 1)
  return { from: from.toISOString(), to: to.toISOString() }
}

/** The query shared by both parts of the list: everything but the state. A day is more precise than a period. */
export function queryOf(
  { state, q, cause, monitor, day, period }: IncidentFilters,
  now: number,
): IncidentQuery {
  return {
    ...(state === 'unacknowledged' && { acknowledged: false }),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(isCause(cause) && { causeCode: [cause] }),
    ...(monitor !== '' && { monitorId: monitor }),
    ...(spanOfDay(day) ?? spanOfPeriod(period, now)),
  }
}

const isCause = (text: string): text is CauseCode =>
  (CAUSE_CODES as readonly string[]).includes(text)
