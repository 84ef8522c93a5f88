// The data of each of the 22 events. The envelope around it is the same for all.
import type { TProperties, TSchema } from 'typebox'
import type { EventType } from '../../domain/events/event.ts'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { MONITOR_STATES } from '../../domain/monitors/monitor.ts'
import { closed, id, nullable, oneOf, orNull, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { IncidentBody, RESOLUTIONS } from './incident.ts'
import { INCIDENT_EXAMPLE } from './incident-examples.ts'
import { MaintenanceWindowBody, Occurrence } from './maintenance-window.ts'
import { MAINTENANCE_WINDOW_EXAMPLE } from './maintenance-windows.ts'
import { MONITOR_EXAMPLE, MonitorBody } from './monitor.ts'
import { StatusIncidentBody, StatusIncidentUpdateEntry } from './status-incident.ts'
import { STATUS_INCIDENT_EXAMPLE } from './status-incidents.ts'
import { WebhookEvent } from './webhook-delivery.ts'

type EventInfo = {
  type: EventType
  summary: string
  data: TProperties
  example: Record<string, unknown>
}

type EventSchema = { event: EventInfo; schema: TSchema }

/** Events leave the organization: header values, request body and heartbeat URL are masked. */
const maskedMonitor = { ...MONITOR_EXAMPLE, requestHeaders: { 'X-Probe': '***' } }

/** Deleting a monitor deletes its incidents, so only events show this resolution. */
export const EVENT_RESOLUTIONS = [...RESOLUTIONS, 'MONITOR_DELETED'] as const

export const EventIncident = closed({
  ...IncidentBody.properties,
  causeCode: oneOf(CAUSE_CODES, { description: 'Kind of the first failure.' }),
  resolution: nullable(
    oneOf(EVENT_RESOLUTIONS, { description: 'Why it ended. Null while it is ongoing.' }),
  ),
})

const incident = {
  data: { incident: EventIncident, monitor: MonitorBody },
  example: {
    incident: { ...INCIDENT_EXAMPLE, causeCode: 'UNEXPECTED_STATUS', resolution: null },
    monitor: { ...maskedMonitor, state: 'DOWN' },
  },
}
const statusIncident = { statusIncident: StatusIncidentBody }
const statusIncidentUpdate = {
  data: {
    ...statusIncident,
    update: orNull(StatusIncidentUpdateEntry, 'The update that was posted, if one was.'),
  },
  example: {
    statusIncident: STATUS_INCIDENT_EXAMPLE,
    update: STATUS_INCIDENT_EXAMPLE.updates[0] ?? null,
  },
}
const monitor = { data: { monitor: MonitorBody }, example: { monitor: maskedMonitor } }
const monitorState = {
  data: {
    monitor: MonitorBody,
    previousState: oneOf(MONITOR_STATES, { description: 'State before.' }),
  },
  example: { monitor: maskedMonitor, previousState: 'DOWN' },
}
const expiring = {
  data: {
    monitor: MonitorBody,
    expiresAt: timestamp('When it expires.'),
    daysLeft: Type.Integer({ description: 'Whole days until then.' }),
  },
  example: { monitor: maskedMonitor, expiresAt: '2026-11-28T23:59:59.000Z', daysLeft: 14 },
}
const records = (description: string) => Type.Array(Type.String(), { description })
const window = {
  data: {
    maintenanceWindow: MaintenanceWindowBody,
    occurrence: orNull(Occurrence, 'The occurrence it is about.'),
  },
  example: {
    maintenanceWindow: MAINTENANCE_WINDOW_EXAMPLE,
    occurrence: MAINTENANCE_WINDOW_EXAMPLE.nextOccurrence,
  },
}

export const EVENTS: readonly EventInfo[] = [
  { type: 'incident.opened', summary: 'A detected incident opened', ...incident },
  { type: 'incident.acknowledged', summary: 'An incident was first acknowledged', ...incident },
  { type: 'incident.resolved', summary: 'An incident was resolved', ...incident },
  {
    type: 'status_incident.published',
    summary: 'An incident was published',
    data: statusIncident,
    example: { statusIncident: STATUS_INCIDENT_EXAMPLE },
  },
  {
    type: 'status_incident.updated',
    summary: 'A published incident was updated or edited',
    ...statusIncidentUpdate,
  },
  {
    type: 'status_incident.resolved',
    summary: 'A published incident was resolved',
    ...statusIncidentUpdate,
  },
  { type: 'monitor.created', summary: 'A monitor was created', ...monitor },
  {
    type: 'monitor.updated',
    summary: 'A monitor was updated',
    data: { monitor: MonitorBody, changedFields: records('Names of the fields that changed.') },
    example: { monitor: maskedMonitor, changedFields: ['intervalSeconds'] },
  },
  { type: 'monitor.deleted', summary: 'A monitor was deleted', ...monitor },
  { type: 'monitor.paused', summary: 'A monitor was paused', ...monitor },
  { type: 'monitor.resumed', summary: 'A monitor was resumed', ...monitor },
  { type: 'monitor.up', summary: 'A check found a monitor up', ...monitorState },
  { type: 'monitor.degraded', summary: 'A check found a monitor degraded', ...monitorState },
  { type: 'monitor.down', summary: 'A check found a monitor down', ...monitorState },
  { type: 'monitor.ssl_expiring', summary: 'A certificate expires soon', ...expiring },
  { type: 'monitor.domain_expiring', summary: 'A domain expires soon', ...expiring },
  {
    type: 'monitor.dns_changed',
    summary: 'A DNS answer changed',
    data: {
      monitor: MonitorBody,
      before: records('Records known so far.'),
      after: records('Records of the new answer.'),
    },
    example: { monitor: maskedMonitor, before: ['203.0.113.20'], after: ['203.0.113.21'] },
  },
  { type: 'maintenance.scheduled', summary: 'A window was scheduled', ...window },
  { type: 'maintenance.started', summary: 'A window began', ...window },
  { type: 'maintenance.ended', summary: 'A window ended', ...window },
  { type: 'maintenance.canceled', summary: 'A window was canceled', ...window },
  {
    type: 'webhook.test',
    summary: 'A test event',
    data: {
      message: Type.String({ description: 'A text.' }),
      endpointId: id('Endpoint under test.'),
    },
    example: { message: 'Test event', endpointId: 'whe_01m7e43y1ne6a8002504v5j15s' },
  },
]

/** `status_incident.published` becomes `StatusIncidentPublished`. */
export function pascalName(type: EventType): string {
  const words = type.split(/[._]/)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The envelope with the one type and data shape of this event. */
function eventEnvelope({ type, data }: EventInfo) {
  return closed({
    ...WebhookEvent.properties,
    type: oneOf([type], { description: 'What happened.' }),
    data: closed(data),
  })
}

/** The schema of each event body, by its name: `MonitorUpdatedEvent` and so on. */
export const EVENT_SCHEMAS: ReadonlyMap<string, EventSchema> = new Map(
  EVENTS.map((event) => [
    `${pascalName(event.type)}Event`,
    { event, schema: eventEnvelope(event) },
  ]),
)

/** How the document describes an event of unknown type: it is one of these. */
export const AnyEvent = Type.Unsafe<WebhookEvent>({
  description: 'The body of a webhook request. `type` decides the shape of `data`.',
  oneOf: [...EVENT_SCHEMAS.values()].map(({ schema }) => schema),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      [...EVENT_SCHEMAS].map(([name, { event }]) => [event.type, `#/components/schemas/${name}`]),
    ),
  },
})

export function eventExample({ type, example }: EventInfo) {
  return {
    id: 'evt_01m7e49h2tebsr001xddy3bp5d',
    type,
    timestamp: '2026-11-14T22:39:00.000Z',
    apiVersion: 'v1',
    organizationId: 'org_01m7e4bcrhedm8006tpfcy3t2e',
    data: example,
  }
}
