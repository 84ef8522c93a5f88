// What subscribers of a status page are told: the fact as it was when it was told, whole, so that a mail that
// waits for its relay says the same as one that does not.
import type { AffectedState } from './page-state.ts'
import type { Impact, StatusIncidentStatus } from './status-incident.ts'

/** Times are ISO texts: it is kept as JSON. */
export type StatusIncidentNotice = {
  kind: 'STATUS_INCIDENT'
  /** Public, as it stands in the page's addresses. */
  id: string
  what: 'PUBLISHED' | 'UPDATED' | 'RESOLVED'
  title: string
  status: StatusIncidentStatus
  impact: Impact
  /** Markdown; may be empty. */
  message: string
  /** When that was said. */
  at: string
  startedAt: string
  resolvedAt: string | null
  /** Those of the page it is told on. */
  components: readonly { name: string; state: AffectedState }[]
}

export type WindowNotice = {
  kind: 'WINDOW'
  id: string
  what: 'SCHEDULED' | 'STARTED' | 'ENDED' | 'CANCELED'
  name: string
  description: string | null
  startsAt: string
  endsAt: string
  components: readonly { name: string }[]
}

export type SubscriberNotice = StatusIncidentNotice | WindowNotice

/** How it looks: which of the five states lends its colour and its mark. */
export type Tone = 'UP' | 'DEGRADED' | 'DOWN' | 'MAINTENANCE' | 'NONE'

const TONE_BY_IMPACT: Record<Impact, Tone> = {
  NONE: 'NONE',
  MINOR: 'DEGRADED',
  MAJOR: 'DOWN',
  CRITICAL: 'DOWN',
}

const TONE_BY_EDGE: Record<WindowNotice['what'], Tone> = {
  SCHEDULED: 'MAINTENANCE',
  STARTED: 'MAINTENANCE',
  ENDED: 'UP',
  CANCELED: 'NONE',
}

export function toneOf(notice: SubscriberNotice): Tone {
  if (notice.kind === 'WINDOW') return TONE_BY_EDGE[notice.what]
  return notice.status === 'RESOLVED' ? 'UP' : TONE_BY_IMPACT[notice.impact]
}

/** News that is older than this helps nobody: it is not sent any more. */
export const NOTICE_HOURS = 24
const HOUR_MS = 3_600_000

export function isStale(createdAt: Date, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > NOTICE_HOURS * HOUR_MS
}
