// Merges everything around an incident into one timeline.
import type { WithDates } from '../../../contract/operation.ts'
import type * as contract from '../../../contract/private/incident-screens.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import type {
  IncidentDetailRecord,
  TimelineRecord as StoredLine,
} from '../../../store/incidents/incidents.ts'
import type * as story from '../../../store/incidents/timeline.ts'
import type { StoredEvidence } from '../../public/incidents.ts'

type TimelineItem = WithDates<contract.TimelineItem>

type TimelineSources = {
  alerts: readonly story.SentAlert[]
  webhooks: readonly story.SentWebhook[]
  notes: readonly story.IncidentNote[]
}

/** Oldest first. Entries of the same instant keep the order of cause and effect. */
export function toTimeline(
  { timeline, evidence }: Pick<IncidentDetailRecord, 'timeline' | 'evidence'>,
  { alerts, webhooks, notes }: TimelineSources,
): TimelineItem[] {
  const attempts = toAttempts(evidence.OPENED)
  const lines = [
    ...attempts,
    ...timeline.flatMap(toStoredLines).map((line) => notBefore(attempts.at(-1), line)),
    ...alerts.map(toAlertLine),
    ...webhooks.map(toWebhookLine),
    ...notes.map(toNote),
  ]
  return lines.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** An incident begins with its first failure, but the last confirming attempt opened it. */
function notBefore(confirmed: TimelineItem | undefined, line: TimelineItem): TimelineItem {
  if (line.type !== 'OPENED' || confirmed === undefined) return line
  return confirmed.at > line.at ? { ...line, at: confirmed.at } : line
}

function toAttempts(stored: Record<string, unknown> | undefined): TimelineItem[] {
  if (stored === undefined) return []
  // Safe because only the function that records checks writes it.
  const { checkId, location, attempts } = stored as StoredEvidence
  return attempts
    .filter(({ outcome }) => outcome === 'FAILED')
    .map(({ number, startedAt, region = location, causeCode, httpStatus, responseMs }) => ({
      id: `${checkId}.${number}`,
      at: new Date(startedAt),
      type: number === 1 ? 'FAILED' : 'CONFIRMED',
      region,
      causeCode,
      httpStatus,
      responseMs,
    }))
}

/** Alerts come from the messages themselves, which say more than their timeline entries. */
function toStoredLines({ uuid, type, at, message }: StoredLine): TimelineItem[] {
  if (type === 'ALERT_SENT' || type === 'ALERT_FAILED') return []
  return [{ id: toPublicId('itl', uuid), at, type, message }]
}

function toAlertLine(alert: story.SentAlert): TimelineItem {
  const { uuid, at, contactUuid, contactName: name, channel, completedAt, ...rest } = alert
  const tookMs = completedAt === null ? null : Math.max(0, completedAt.getTime() - at.getTime())
  const contact = { id: toPublicId('act', contactUuid), name, channel }
  const id = toPublicId('whd', uuid)
  return { id, at, type: 'ALERT', contact, ...rest, tookMs }
}

function toWebhookLine({ uuid, at, ...rest }: story.SentWebhook): TimelineItem {
  const id = toPublicId('whd', uuid)
  return { id, at, type: 'WEBHOOK', deliveryId: id, ...rest }
}

export function toNote({ uuid, at, userUuid, userName: name, text }: story.IncidentNote) {
  const id = toPublicId('itl', uuid)
  const by = { id: toPublicId('usr', userUuid), name }
  return { id, at, type: 'NOTE' as const, by, text }
}

export function toRegions(checks: readonly story.RegionCheck[]) {
  const byRegion = Map.groupBy(checks, ({ region }) => region)
  return [...byRegion].map(([region, own]) => ({
    region,
    checks: own.map(({ at, verdict, httpStatus, responseMs }) => ({
      at,
      verdict,
      httpStatus,
      responseMs,
    })),
  }))
}
