// The list of incidents, and the screen of a single one.
import type { Static } from 'typebox'
import { INCIDENT_ALERTING } from '../../domain/alerts/alerting-state.ts'
import { CONTACT_CHANNELS } from '../../domain/alerts/channels.ts'
import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { STATUS_INCIDENT_STATUSES } from '../../domain/status-pages/status-incident.ts'
import { ACTOR_TYPES, IncidentBody, IncidentDetailBody, RESOLUTIONS } from '../public/incident.ts'
import { INCIDENT_STATUSES } from '../public/incidents.ts'
import {
  closed,
  commaList,
  input,
  nullable,
  oneOf,
  orNull,
  PAGE_QUERY,
  Pagination,
  Timestamp,
} from '../schema.ts'
import { Type } from '../type.ts'
import { RESULT_VERDICTS } from './check-screens.ts'
import { privateOperation } from './operation.ts'

const IncidentParams = Type.Object({ incidentId: Type.String() })
const count = Type.Integer()

/** Also an alert contact: someone used the link in its alert. */
const IncidentActor = closed({
  type: oneOf([...ACTOR_TYPES, 'ALERT_CONTACT'] as const),
  id: Type.String(),
  name: Type.String(),
})

const acknowledgement = {
  acknowledgedAt: nullable(Timestamp),
  acknowledgedBy: orNull(IncidentActor, 'Who acknowledged it.'),
  acknowledgeNote: nullable(Type.String()),
}

export const IncidentListEntry = closed({
  ...IncidentBody.properties,
  causeCode: oneOf(CAUSE_CODES),
  resolution: nullable(oneOf(RESOLUTIONS)),
  ...acknowledgement,
  /** Contacts that received a message about it in its first two hours. At least 1 if any did later. */
  contactsTold: count,
  statusIncidentIds: Type.Array(Type.String()),
})
export type IncidentListEntry = Static<typeof IncidentListEntry>

/** The filters of the list and of its export. */
export const INCIDENT_FILTERS = {
  status: Type.Optional(commaList(INCIDENT_STATUSES, 'Only ongoing or only resolved incidents.')),
  acknowledged: Type.Optional(Type.Boolean()),
  monitorId: Type.Optional(Type.String({ minLength: 1 })),
  causeCode: Type.Optional(commaList(CAUSE_CODES, 'Only incidents with these causes.')),
  /** Searches the monitor's name and the cause. */
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Only incidents that were ongoing at `from` or later, and began before `to`. */
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
}

export const listIncidentRows = privateOperation({
  id: 'listIncidentRows',
  method: 'GET',
  path: '/overview/incidents',
  who: 'READ_ONLY',
  query: input({ ...PAGE_QUERY, ...INCIDENT_FILTERS }),
  reply: {
    status: 200,
    body: closed({
      data: Type.Array(IncidentListEntry),
      pagination: Pagination,
      /** Counted with all filters except `status` and `acknowledged`. */
      counts: closed({ all: count, ongoing: count, resolved: count, notTaken: count }),
      /** Of the same incidents. An ongoing one counts until now. */
      summary: closed({
        downSeconds: count,
        medianDurationSeconds: nullable(count),
        medianTakenSeconds: nullable(count),
      }),
      at: Timestamp,
    }),
  },
})

/** How many days the bar above the list shows. */
export const INCIDENT_DAYS = 90

export const listIncidentDays = privateOperation({
  id: 'listIncidentDays',
  method: 'GET',
  path: '/overview/incident-days',
  who: 'READ_ONLY',
  query: input({
    /** Whose days they are. A time zone that the server does not know counts as UTC. */
    timezone: Type.String({ minLength: 1, maxLength: 64, default: 'UTC' }),
  }),
  reply: {
    status: 200,
    body: closed({
      /** Oldest first, ending with today. */
      days: Type.Array(
        closed({
          date: Type.String(),
          /** How many were open on it. */
          incidents: count,
          ongoing: Type.Boolean(),
          /** Of all its incidents, within the day. */
          downSeconds: count,
        }),
        { minItems: INCIDENT_DAYS, maxItems: INCIDENT_DAYS },
      ),
    }),
  },
})

const line = { id: Type.String(), at: Timestamp }
const Attempted = closed({
  ...line,
  type: oneOf(['FAILED', 'CONFIRMED'] as const),
  region: Type.String(),
  causeCode: nullable(oneOf(CAUSE_CODES)),
  httpStatus: nullable(Type.Integer()),
  responseMs: nullable(Type.Integer()),
})
const Happened = closed({
  ...line,
  type: oneOf(['OPENED', 'STILL_FAILING', 'CAUSE_CHANGED', 'ACKNOWLEDGED', 'RESOLVED'] as const),
  message: Type.String(),
})
const AlertSent = closed({
  ...line,
  type: oneOf(['ALERT'] as const),
  contact: closed({ id: Type.String(), name: Type.String(), channel: oneOf(CONTACT_CHANNELS) }),
  kind: Type.String(),
  title: Type.String(),
  status: oneOf(DELIVERY_STATUSES),
  attempts: count,
  error: nullable(Type.String()),
  tookMs: nullable(Type.Integer()),
})
const Sent = closed({
  ...line,
  type: oneOf(['WEBHOOK'] as const),
  deliveryId: Type.String(),
  eventType: Type.String(),
  url: Type.String(),
  status: oneOf(DELIVERY_STATUSES),
  attempts: count,
  responseStatus: nullable(Type.Integer()),
  error: nullable(Type.String()),
})
const Noted = closed({
  ...line,
  type: oneOf(['NOTE'] as const),
  by: closed({ id: Type.String(), name: Type.String() }),
  text: Type.String(),
})
export const TimelineItem = Type.Union([Attempted, Happened, AlertSent, Sent, Noted])
export type TimelineItem = Static<typeof TimelineItem>

const RegionCheck = closed({
  at: Timestamp,
  verdict: oneOf(RESULT_VERDICTS),
  httpStatus: nullable(Type.Integer()),
  responseMs: nullable(Type.Integer()),
})

const { timeline: _, ...detail } = IncidentDetailBody.properties

export const getIncidentScreen = privateOperation({
  id: 'getIncidentScreen',
  method: 'GET',
  path: '/overview/incidents/{incidentId}',
  who: 'READ_ONLY',
  params: IncidentParams,
  reply: {
    status: 200,
    body: closed({
      ...detail,
      ...acknowledgement,
      target: nullable(Type.String()),
      monitorState: Type.String(),
      /** Oldest first. */
      timeline: Type.Array(TimelineItem),
      /** The latest checks of each region, newest last. */
      regions: Type.Array(closed({ region: Type.String(), checks: Type.Array(RegionCheck) })),
      /** Null until half of the 30 days was measured. */
      uptime30d: nullable(Type.Number()),
      incidents30d: count,
      /** Whether anyone was or will be alerted about it, and if not, why. */
      alerting: oneOf(INCIDENT_ALERTING),
      /** Whether a published status page shows the monitor. */
      isPublic: Type.Boolean(),
      /** What was published about it, oldest first. */
      published: Type.Array(
        closed({
          id: Type.String(),
          title: Type.String(),
          status: oneOf(STATUS_INCIDENT_STATUSES),
        }),
      ),
      at: Timestamp,
    }),
  },
})

export const addIncidentNote = privateOperation({
  id: 'addIncidentNote',
  method: 'POST',
  path: '/incidents/{incidentId}/notes',
  who: 'MEMBER',
  params: IncidentParams,
  body: {
    schema: input({ text: Type.String({ minLength: 1, maxLength: 1000 }) }),
    required: true,
  },
  reply: { status: 201, body: Noted },
})

export const INCIDENT_SCREEN_OPERATIONS = [
  listIncidentRows,
  listIncidentDays,
  getIncidentScreen,
  addIncidentNote,
] as const
