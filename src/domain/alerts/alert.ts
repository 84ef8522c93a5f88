// The content of an alert without any layout, so that every channel can present the same facts in its own format.
import type { Tone } from '../status-pages/notice.ts'

export type AlertKind =
  | 'DOWN'
  | 'DEGRADED'
  | 'RECOVERED'
  | 'PARTLY_RECOVERED'
  | 'CLOSED'
  | 'REMINDER'
  | 'EXPIRING'
  | 'DNS_CHANGED'
  | 'WEBHOOK_FAILING'
  | 'CONTACT_FAILING'
  | 'NOT_CHECKED'
  | 'CHECKED_AGAIN'
  | 'FAILS_FROM_HOME'
  | 'TEST'

/** Stored as JSON with its delivery: an alert that waits in the queue states what was true when it was raised. */
export type Alert = {
  kind: AlertKind
  /** The same for the opening alert, its reminders and its recovery. Pagers and chats group messages by it. */
  thread: string
  organization: string
  /** `Checkout is down` */
  title: string
  /** `HTTP 503 since Sat, Nov 14, 14:27 CET` */
  summary: string
  facts: readonly { label: string; value: string }[]
  /** `acknowledge` is null if there is nothing to acknowledge. */
  links: { open: string; acknowledge: string | null }
  /** ISO 8601. */
  at: string
}

export type Severity = 'CRITICAL' | 'WARNING' | 'INFO'

// biome-ignore format: a table is read by its columns
const STYLES: Record<AlertKind, { tone: Tone; severity: Severity; mark: string }> = {
  DOWN:             { tone: 'DOWN',     severity: 'CRITICAL', mark: '✕' },
  REMINDER:         { tone: 'DOWN',     severity: 'CRITICAL', mark: '✕' },
  DEGRADED:         { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  RECOVERED:        { tone: 'UP',       severity: 'INFO',     mark: '✓' },
  PARTLY_RECOVERED: { tone: 'DEGRADED', severity: 'CRITICAL', mark: '▲' },
  CLOSED:           { tone: 'NONE',     severity: 'INFO',     mark: '●' },
  EXPIRING:         { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  DNS_CHANGED:      { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  WEBHOOK_FAILING:  { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  CONTACT_FAILING:  { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  NOT_CHECKED:      { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  CHECKED_AGAIN:    { tone: 'UP',       severity: 'INFO',     mark: '✓' },
  FAILS_FROM_HOME:  { tone: 'DEGRADED', severity: 'WARNING',  mark: '▲' },
  TEST:             { tone: 'NONE',     severity: 'INFO',     mark: '●' },
}

export const toneOfAlert = ({ kind }: Alert): Tone => STYLES[kind].tone
export const severityOf = ({ kind }: Alert): Severity => STYLES[kind].severity

/** `✕ Checkout is down`: the mark shows the state where colors are not available. */
export const headline = ({ kind, title }: Alert): string => `${STYLES[kind].mark} ${title}`

const OPENING: ReadonlySet<AlertKind> = new Set<AlertKind>([
  'DOWN',
  'DEGRADED',
  'REMINDER',
  'PARTLY_RECOVERED',
])

/** Whether it opens a thread that a later alert closes, or continues one. */
export const opens = ({ kind }: Alert): boolean => OPENING.has(kind)
export const closes = ({ kind }: Alert): boolean => kind === 'RECOVERED' || kind === 'CLOSED'

/**
 * Why an opening alert is not sent: the recovery was already sent, or goes to no one. It does not count as a failure.
 */
export const ALREADY_OVER = 'It is over by now'

const MAX_TITLE = 200
const MAX_SUMMARY = 500
const MAX_FACTS = 10
const MAX_LABEL = 40
const MAX_VALUE = 200

/** Fits the limits of the strictest provider. Every alert is bounded before it is queued. */
export function bounded(alert: Alert): Alert {
  const facts = alert.facts.slice(0, MAX_FACTS).map(({ label, value }) => ({
    label: truncate(label, MAX_LABEL),
    value: truncate(value, MAX_VALUE),
  }))
  const { title, summary, organization } = alert
  return {
    ...alert,
    title: truncate(title, MAX_TITLE),
    summary: truncate(summary, MAX_SUMMARY),
    organization: truncate(organization, MAX_TITLE),
    facts,
  }
}

/** Counts code points, so no surrogate pair is split. Ends with an ellipsis if the text was cut. */
export function truncate(text: string, characters: number): string {
  const all = [...text]
  return all.length <= characters ? text : `${all.slice(0, characters - 1).join('')}…`
}

/** Plain lines, for channels without rich formatting. */
export function alertText(alert: Alert): string {
  const facts = alert.facts.map(({ label, value }) => `${label}: ${value}`)
  return [alert.summary, ...facts].join('\n')
}
