// The 22 event types, and the data of each.
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

/** Something that happened, before it has an ID and a receiver. */
export type EventDraft = { type: EventType; at: Date; data: Record<string, unknown> }

/** The bytes that are stored, signed and sent. Built once per event. */
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

// An incident may have 500 long updates, and each update is an event. A receiver that missed some can fetch the rest by
// ID.
const UPDATES_IN_EVENT = 20

/** The events of a change to a published incident. `before` is undefined if the incident is new. */
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

  // An incident published after it ended produces both events, so that receivers of resolutions see it end.
  if (before === undefined) return becomesResolved ? [published, resolved] : [published]
  return [becomesResolved ? resolved : { type: 'status_incident.updated', at, data }]
}

/** Events leave the organization, so anything that could be a credential is removed. */
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
