// What subscribers of a status page receive: a full copy of the facts at the time, so that an email delayed by its
// relay says the same as any other.
import type { AffectedState } from './page-state.ts'
import type { Impact, StatusIncidentStatus } from './status-incident.ts'

/** Times are ISO strings, because it is stored as JSON. */
export type StatusIncidentNotice = {
  kind: 'STATUS_INCIDENT'
  /** The public ID, as used in the page's URLs. */
  id: string
  what: 'PUBLISHED' | 'UPDATED' | 'RESOLVED' | 'POST_MORTEM'
  title: string
  status: StatusIncidentStatus
  impact: Impact
  /** Markdown; may be empty. */
  message: string
  /** When the message was posted. */
  at: string
  startedAt: string
  resolvedAt: string | null
  /** Components of the page it is published on. */
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

/** Which of the five states provides the color and the mark. */
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

/** Older news helps no one, so it is no longer sent. */
export const NOTICE_HOURS = 24
const HOUR_MS = 3_600_000

export function isStale(createdAt: Date, now: Date): boolean {
  return now.getTime() - createdAt.getTime() > NOTICE_HOURS * HOUR_MS
}
