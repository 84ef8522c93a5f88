// The list of monitors, and the screen of a single one.
import type { Static } from 'typebox'
import { ALERTING, INCIDENT_ALERTING } from '../../domain/alerts/alerting-state.ts'
import { CONTACT_CHANNELS } from '../../domain/alerts/channels.ts'
import { MONITOR_NOTICE_KINDS } from '../../domain/alerts/owners/monitor-notice.ts'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { CODES } from '../../domain/monitors/day-bars.ts'
import { MAX_ISSUER_LENGTH } from '../../domain/monitors/issuer.ts'
import { LISTED_STATES, MONITOR_SORTS } from '../../domain/monitors/list-order.ts'
import { MONITOR_STATES, MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { MAX_TAGS_OF_MONITOR } from '../../domain/monitors/tag.ts'
import { UPTIME_BAR_SLOTS } from '../../domain/monitors/uptime-bar.ts'
import { UPTIME_RANGES } from '../../domain/monitors/uptime-ranges.ts'
import { Occurrence, WINDOW_STATUSES } from '../public/maintenance-window.ts'
import { MonitorBody } from '../public/monitor.ts'
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
import { RegionSetting } from './monitors/region-settings.ts'
import { privateOperation } from './operation.ts'
import { MonitorTag } from './tags.ts'

const MonitorParams = Type.Object({ monitorId: Type.String() })
const count = Type.Integer()
/** 0 to 1; null if nothing was measured. */
const ratio = nullable(Type.Number())

const Counts = closed({
  all: count,
  DOWN: count,
  DEGRADED: count,
  PENDING: count,
  UP: count,
  PAUSED: count,
})
const ListedCounts = closed({ ...Counts.properties, EXPIRING: count })

/** The counts in the sidebar of every screen. */
export const getOverview = privateOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/overview',
  who: 'READ_ONLY',
  reply: {
    status: 200,
    body: closed({
      monitors: Counts,
      /** `notTaken`: ongoing and not acknowledged. */
      incidents: closed({ ongoing: count, notTaken: count }),
      windows: closed({ active: count, scheduled: count }),
      statusPages: count,
      /** `troubled`: disabled after failures, or only probed now and then. */
      webhookEndpoints: closed({ all: count, troubled: count }),
      alertContacts: closed({ all: count, troubled: count }),
    }),
  },
})

const OpenIncident = closed({
  id: Type.String(),
  cause: Type.String(),
  causeCode: oneOf(CAUSE_CODES),
  startedAt: Timestamp,
  acknowledged: Type.Boolean(),
})

const Expiry = closed({
  what: oneOf(['CERTIFICATE', 'DOMAIN'] as const),
  at: Timestamp,
  /** Whole days; 0 on the last day and after it. */
  daysLeft: count,
  expired: Type.Boolean(),
  /** Days before expiry at which to warn. */
  warnDays: count,
  /** Whether the warning is due. */
  soon: Type.Boolean(),
  /** Of the certificate, or the registrar. Only SSL and DOMAIN monitors have one, once it was seen. */
  issuer: nullable(Type.String({ maxLength: MAX_ISSUER_LENGTH })),
})

export const MonitorListEntry = closed({
  id: Type.String(),
  name: Type.String(),
  type: oneOf(MONITOR_TYPES),
  /** URL, host, host:port or domain; null for CRON, which has no target. */
  target: nullable(Type.String()),
  /** Seconds between checks, or between pings for a CRON monitor. */
  everySeconds: count,
  state: oneOf(MONITOR_STATES),
  /** When its state began: an outage, with its open incident. */
  since: Timestamp,
  /** Whether a maintenance window covers it now. */
  inMaintenance: Type.Boolean(),
  openIncident: orNull(OpenIncident, 'The incident that is not resolved.'),
  /** The last 24 hours, one character per hour, oldest first: see CODES in day-bars.ts. */
  strip: Type.String({
    minLength: UPTIME_BAR_SLOTS,
    maxLength: UPTIME_BAR_SLOTS,
    pattern: `^[${Object.values(CODES).join('')}]*$`,
  }),
  uptime30d: ratio,
  /** How much of the 30 days was measured: without pauses, maintenance and gaps. */
  measured30dSeconds: count,
  /** Over the last 24 hours. */
  p95Ms: nullable(Type.Integer()),
  lastResponseMs: nullable(Type.Integer()),
  lastCheckedAt: nullable(Timestamp),
  /** For a CRON monitor, its deadline. Null while paused. */
  nextCheckAt: nullable(Timestamp),
  expiry: orNull(Expiry, 'Of the certificate or registration that was seen last.'),
  lastHeartbeatAt: nullable(Timestamp),
  /** By name. */
  tags: Type.Array(MonitorTag),
  /** Whether an outage would alert anyone. */
  alerting: oneOf(ALERTING),
})
export type MonitorListEntry = Static<typeof MonitorListEntry>

/** The filters of the list and of its export. */
export const MONITOR_FILTERS = {
  state: Type.Optional(commaList(LISTED_STATES, 'Only monitors in these states.')),
  type: Type.Optional(commaList(MONITOR_TYPES, 'Only monitors of these types.')),
  /** Only monitors that have all of these tags. */
  tag: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_TAGS_OF_MONITOR })),
  /** A part of the name, of the target or of a tag. */
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  sort: oneOf(MONITOR_SORTS, { default: 'state' }),
  /**
   * Reverses the default order: names from A, otherwise the worst, slowest and latest first. `p95` sorts by the last
   * whole day.
   */
  reversed: Type.Boolean({ default: false }),
}

export const listMonitorRows = privateOperation({
  id: 'listMonitorRows',
  method: 'GET',
  path: '/overview/monitors',
  who: 'READ_ONLY',
  query: input({ ...PAGE_QUERY, ...MONITOR_FILTERS }),
  reply: {
    status: 200,
    body: closed({
      data: Type.Array(MonitorListEntry),
      pagination: Pagination,
      /** Counted with `type`, `tag` and `q`, in any state. */
      counts: ListedCounts,
      /** Monitors that are not paused and whose outages alert no one, whatever the filter. */
      silent: count,
      /** The server time that relative times refer to. */
      at: Timestamp,
    }),
  },
})

const UptimeFigure = closed({
  ratio,
  downSeconds: count,
  measuredSeconds: count,
  /** When measuring began within the range. */
  measuredFrom: nullable(Timestamp),
})
const RecentIncident = closed({
  ...OpenIncident.properties,
  resolvedAt: nullable(Timestamp),
})
export const SHOWN_DAYS = 90
const Days = closed({
  timezone: Type.String(),
  /** The oldest day, as a local date. */
  firstDate: Type.String(),
  /** One character per local day, oldest first: see CODES in day-bars.ts. The last day is today. */
  codes: Type.String({
    minLength: SHOWN_DAYS,
    maxLength: SHOWN_DAYS,
    pattern: `^[${Object.values(CODES).join('')}]*$`,
  }),
  /** Days that were not all good, by their place in `codes`. */
  bad: Type.Array(closed({ index: count, downSeconds: count, degradedSeconds: count })),
})
const TouchingWindow = closed({
  id: Type.String(),
  name: Type.String(),
  status: oneOf(WINDOW_STATUSES),
  timezone: Type.String(),
  repeats: Type.Boolean(),
  /** The current occurrence, or else the next. */
  occurrence: orNull(Occurrence, 'Null when there is none left.'),
})

/** What the owners are emailed about it, besides alerts. */
const Notice = closed({
  kind: oneOf(MONITOR_NOTICE_KINDS),
  since: Timestamp,
  /** Why it is not checked. */
  reason: nullable(Type.String()),
  region: nullable(Type.String()),
  /** The region from which it passes. */
  otherRegion: nullable(Type.String()),
})

export const getMonitorScreen = privateOperation({
  id: 'getMonitorScreen',
  method: 'GET',
  path: '/overview/monitors/{monitorId}',
  who: 'READ_ONLY',
  params: MonitorParams,
  query: input({
    /** Whose days the bars show. A time zone that the server does not know counts as UTC. */
    timezone: Type.String({ minLength: 1, maxLength: 64, default: 'UTC' }),
  }),
  reply: {
    status: 200,
    body: closed({
      ...MonitorListEntry.properties,
      /** All settings. `heartbeatUrl` only for members who may change the monitor. */
      monitor: MonitorBody,
      uptime: Type.Unsafe<
        Record<(typeof UPTIME_RANGES)[number]['name'], Static<typeof UptimeFigure>>
      >(closed(Object.fromEntries(UPTIME_RANGES.map(({ name }) => [name, UptimeFigure])))),
      contacts: Type.Array(
        closed({
          id: Type.String(),
          name: Type.String(),
          channel: oneOf(CONTACT_CHANNELS),
          /** ON, or why an outage does not alert it. */
          alerting: oneOf(ALERTING),
          /** Whether the last message failed to arrive. */
          troubled: Type.Boolean(),
        }),
      ),
      /** Windows that cover it and have not ended, soonest first. */
      windows: Type.Array(TouchingWindow),
      statusPages: Type.Array(
        closed({ id: Type.String(), name: Type.String(), url: Type.String() }),
      ),
      /** Null if nobody chose any for it, its tags or the organization. */
      regions: orNull(RegionSetting, 'Where it is checked.'),
      /** From which regions it is down while it is DEGRADED. Null if it is slow or expires soon instead. */
      downFrom: nullable(Type.String()),
      notices: Type.Array(Notice, { maxItems: MONITOR_NOTICE_KINDS.length }),
      incidents30d: count,
      /** Whether anyone was or will be alerted about the open incident. Null without one. */
      incidentAlerting: nullable(oneOf(INCIDENT_ALERTING)),
      /** The latest five, newest first. */
      incidents: Type.Array(RecentIncident),
      days: Days,
      /** The newest entry of the audit log about it, for those who may read that log. Null if it is too old to be found. */
      lastChange: Type.Optional(nullable(closed({ at: Timestamp, by: Type.String() }))),
      at: Timestamp,
    }),
  },
})

export const MONITOR_SCREEN_OPERATIONS = [getOverview, listMonitorRows, getMonitorScreen] as const
