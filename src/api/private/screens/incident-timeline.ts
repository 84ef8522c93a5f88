// Everything that happened around an incident, in one line of time.
import type { TimelineLine } from '../../../contract/private/incident-screens.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import type {
  IncidentDetail,
  TimelineLine as StoredLine,
} from '../../../store/incidents/incidents.ts'
import type * as story from '../../../store/incidents/timeline.ts'
import type { StoredEvidence } from '../../public/incidents.ts'

type Around = {
  alerts: readonly story.AlertTold[]
  webhooks: readonly story.WebhookSent[]
  notes: readonly story.IncidentNote[]
}

/** Oldest first. Lines of one instant stay in the order of cause and effect. */
export function toTimeline(
  { timeline, evidence }: Pick<IncidentDetail, 'timeline' | 'evidence'>,
  { alerts, webhooks, notes }: Around,
): TimelineLine[] {
  const attempts = toAttempts(evidence.OPENED)
  const lines = [
    ...attempts,
    ...timeline.flatMap(toHappened).map((line) => notBefore(attempts.at(-1), line)),
    ...alerts.map(toTold),
    ...webhooks.map(toSent),
    ...notes.map(toNote),
  ]
  return lines.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** An incident begins with its first failure, but it was opened by the last of the attempts that confirmed it. */
function notBefore(confirmed: TimelineLine | undefined, line: TimelineLine): TimelineLine {
  if (line.type !== 'OPENED' || confirmed === undefined) return line
  return confirmed.at > line.at ? { ...line, at: confirmed.at } : line
}

function toAttempts(stored: Record<string, unknown> | undefined): TimelineLine[] {
  if (stored === undefined) return []
  // Safe because only the function that records checks writes it.
  const { checkId, location, attempts } = stored as StoredEvidence
  return attempts
    .filter(({ outcome }) => outcome === 'FAILED')
    .map(({ number, startedAt, region = location, causeCode, httpStatus, responseMs }) => ({
      id: `${checkId}.${number}`,
      at: startedAt,
      type: number === 1 ? 'FAILED' : 'CONFIRMED',
      region,
      causeCode,
      httpStatus,
      responseMs,
    }))
}

/** What was told to contacts is taken from the messages themselves, which say more than the lines about them. */
function toHappened({ uuid, type, at, message }: StoredLine): TimelineLine[] {
  if (type === 'ALERT_SENT' || type === 'ALERT_FAILED') return []
  return [{ id: toPublicId('itl', uuid), at: at.toISOString(), type, message }]
}

function toTold(told: story.AlertTold): TimelineLine {
  const { uuid, at, contactUuid, contactName: name, channel, completedAt, ...rest } = told
  const tookMs = completedAt === null ? null : Math.max(0, completedAt.getTime() - at.getTime())
  const contact = { id: toPublicId('act', contactUuid), name, channel }
  const id = toPublicId('whd', uuid)
  return { id, at: at.toISOString(), type: 'ALERT', contact, ...rest, tookMs }
}

function toSent({ uuid, at, ...rest }: story.WebhookSent): TimelineLine {
  const id = toPublicId('whd', uuid)
  return { id, at: at.toISOString(), type: 'WEBHOOK', deliveryId: id, ...rest }
}

export function toNote({ uuid, at, userUuid, userName: name, text }: story.IncidentNote) {
  const id = toPublicId('itl', uuid)
  const by = { id: toPublicId('usr', userUuid), name }
  return { id, at: at.toISOString(), type: 'NOTE' as const, by, text }
}

export function toRegions(checks: readonly story.RegionCheck[]) {
  const byRegion = Map.groupBy(checks, ({ region }) => region)
  return [...byRegion].map(([region, own]) => ({
    region,
    checks: own.map(({ at, verdict, httpStatus, responseMs }) => ({
      at: at.toISOString(),
      verdict,
      httpStatus,
      responseMs,
    })),
  }))
}
