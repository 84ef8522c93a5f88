// Rows of an alert with details of an outage beyond its cause.
import type { Evidence } from '../incidents/evidence.ts'
import { shareText } from '../values/number-text.ts'
import { ALERT_LOCALE, formatLasted, formatTime } from './times.ts'

export type OutageDetails = {
  opened: Evidence | null
  resolved: Evidence | null
  taken: { by: string; at: Date; note: string | null } | null
  /** Over the last 30 days, 0 to 1. */
  uptime: number | null
}

type Row = { label: string; value: string }

const row = (label: string, value: string | null | undefined): Row[] =>
  value ? [{ label, value }] : []

// A check that never ran and a ping we received have no location.
const NOWHERE = new Set(['none', 'heartbeat'])

export function detectedFrom(opened: Evidence | null): Row[] {
  if (opened === null || NOWHERE.has(opened.location)) return []
  const { location, attempts } = opened
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (first === undefined || last === undefined || attempts.length === 1)
    return row('Detected from', location)
  const lasted = formatLasted(new Date(first.startedAt), new Date(last.startedAt))
  return row('Detected from', `${location}, in ${attempts.length} attempts within ${lasted}`)
}

const RESPONSE_CHARACTERS = 160

/** The response body as plain text. */
export function responseOf(opened: Evidence | null): Row[] {
  const text = (opened?.bodyExcerpt ?? '')
    .replaceAll(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<[^>]*(?:>|$)/g, ' ')
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const isCut = [...text].length > RESPONSE_CHARACTERS
  return row('Response', isCut ? `${[...text].slice(0, RESPONSE_CHARACTERS).join('')}…` : text)
}

export function nowOf(resolved: Evidence | null): Row[] {
  if (resolved === null || NOWHERE.has(resolved.location)) return []
  const { httpStatus, responseMs, location } = resolved
  const what = httpStatus === null ? 'Responded' : `HTTP ${httpStatus}`
  const how = responseMs === null ? '' : ` in ${Math.round(responseMs)} ms`
  return row('Now', `${what}${how} from ${location}`)
}

export function acknowledgedBy({ taken }: OutageDetails, timezone: string): Row[] {
  if (taken === null) return []
  const note = taken.note ? `: “${taken.note}”` : ''
  return row('Acknowledged by', `${taken.by} at ${formatTime(taken.at, timezone)}${note}`)
}

export function uptimeOf({ uptime }: OutageDetails): Row[] {
  return uptime === null ? [] : row('Uptime 30 days', shareText(ALERT_LOCALE, uptime))
}
