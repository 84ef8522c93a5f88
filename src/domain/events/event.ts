// The 22 things that can happen, and what is told about each.
import { type Incident, toApiIncident } from '../incidents/incident.ts'
import { type ApiMonitor, type Monitor, toApiMonitor, withoutSecrets } from '../monitors/monitor.ts'
import {
  type StatusIncident,
  type StatusIncidentUpdate,
  toApiStatusIncident,
  toApiUpdate,
} from '../status-pages/status-incident.ts'
import { toPublicId } from '../values/id.ts'

export const EVENT_TYPES = [
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'status_incident.published',
  'status_incident.updated',
  'status_incident.resolved',
  'monitor.created',
  'monitor.updated',
  'monitor.deleted',
  'monitor.paused',
  'monitor.resumed',
  'monitor.up',
  'monitor.degraded',
  'monitor.down',
  'monitor.ssl_expiring',
  'monitor.domain_expiring',
  'monitor.dns_changed',
  'maintenance.scheduled',
  'maintenance.started',
  'maintenance.ended',
  'maintenance.canceled',
  'webhook.test',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** Something that happened, before it has an id and a receiver. */
export type EventDraft = { type: EventType; at: Date; data: Record<string, unknown> }

/** The bytes that are stored, signed and sent: made once per event. */
export function eventBody(draft: EventDraft, eventId: string, orgId: string): string {
  return JSON.stringify({
    id: toPublicId('evt', eventId),
    type: draft.type,
    timestamp: draft.at.toISOString(),
    apiVersion: 'v1',
    organizationId: toPublicId('org', orgId),
    data: draft.data,
  })
}

type MonitorEvent = 'created' | 'updated' | 'deleted' | 'paused' | 'resumed'

export function monitorEvent(
  what: MonitorEvent,
  monitor: Monitor,
  at: Date,
  more: Record<string, unknown> = {},
): EventDraft {
  return { type: `monitor.${what}`, at, data: { monitor: toEventMonitor(monitor), ...more } }
}

export function incidentEvent(
  what: 'opened' | 'acknowledged' | 'resolved',
  incident: Incident,
  monitor: Monitor,
  at: Date,
): EventDraft {
  return {
    type: `incident.${what}`,
    at,
    data: { incident: toEventIncident(incident), monitor: toEventMonitor(monitor) },
  }
}

// An incident may have 500 long updates, and each of them is told: a receiver that missed some finds the
// rest by the id.
const UPDATES_IN_EVENT = 20

/** What is told of a published incident: `before` is what it was, undefined when it is new. */
export function statusIncidentEvents(
  before: StatusIncident | undefined,
  after: StatusIncident,
  update: StatusIncidentUpdate | null,
  at: Date,
): EventDraft[] {
  const updates = after.updates.slice(0, UPDATES_IN_EVENT)
  const statusIncident = toApiStatusIncident({ ...after, updates })
  const data = { statusIncident, update: update && toApiUpdate(update) }
  const published: EventDraft = { type: 'status_incident.published', at, data: { statusIncident } }
  const resolved: EventDraft = { type: 'status_incident.resolved', at, data }
  const becomesResolved = after.status === 'RESOLVED' && before?.status !== 'RESOLVED'

  // One that is published when it is over was published and is resolved: whoever follows ends sees it end.
  if (before === undefined) return becomesResolved ? [published, resolved] : [published]
  return [becomesResolved ? resolved : { type: 'status_incident.updated', at, data }]
}

/** Events leave the organization, so what could be a credential stays behind. */
export function toEventMonitor(monitor: Monitor): ApiMonitor {
  return withoutSecrets(toApiMonitor(monitor, ''))
}

function toEventIncident(incident: Incident) {
  return {
    ...toApiIncident(incident),
    causeCode: incident.causeCode,
    resolution: incident.resolution,
  }
}
