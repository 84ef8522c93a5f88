import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { closed, described, id, nullable, oneOf, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation } from './operation.ts'

const tag = 'Organization'
const count = (description: string) => Type.Integer({ description })

export const MonitorCounts = closed({
  all: count('Monitors in all states.'),
  DOWN: count('Monitors that are DOWN.'),
  DEGRADED: count('Monitors that are DEGRADED.'),
  PENDING: count('Monitors that wait for their first check.'),
  UP: count('Monitors that are UP.'),
  PAUSED: count('Monitors that are paused.'),
})
export const OpenIncident = closed({
  id: id('Id of the incident.'),
  monitorId: id('Id of the monitor.'),
  monitorName: Type.String({ description: 'Name of the monitor.' }),
  cause: Type.String({ description: 'What fails, for people.' }),
  causeCode: oneOf(CAUSE_CODES, { description: 'Kind of failure.' }),
  startedAt: timestamp('When it began.'),
  acknowledged: Type.Boolean({ description: 'Whether somebody works on it.' }),
})
export const IncidentSummary = closed({
  ongoing: count('Incidents that are not resolved.'),
  unacknowledged: count('Those that nobody has acknowledged.'),
  latest: Type.Array(OpenIncident, { description: 'The latest 50 of them, newest first.' }),
})
export const WindowOccurrence = closed({
  id: id('Id of the maintenance window.'),
  name: Type.String({ description: 'Name of the window.' }),
  startsAt: timestamp('Start of the occurrence.'),
  endsAt: timestamp('End of the occurrence.'),
  allMonitors: Type.Boolean({ description: 'Whether it covers every monitor.' }),
})
export const WindowSummary = closed({
  now: Type.Array(WindowOccurrence, { description: 'Up to 50 that are active.' }),
  next: Type.Array(WindowOccurrence, { description: 'Up to 50 that are ahead, soonest first.' }),
})
export const Overview = closed({
  at: timestamp('When this was true.'),
  monitors: described(MonitorCounts, 'How many monitors there are, by state.'),
  incidents: described(IncidentSummary, 'Incidents that are not resolved.'),
  maintenanceWindows: described(WindowSummary, 'Maintenance that is active or ahead.'),
})

export const getOverview = extOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/api/ext/v1/overview',
  tag,
  summary: 'Get an overview',
  description: 'How everything is right now: monitors by state, open incidents, maintenance.',
  reply: {
    status: 200,
    description: 'The overview.',
    body: Overview,
    example: {
      at: '2026-11-14T22:39:30.000Z',
      monitors: { all: 40, DOWN: 1, DEGRADED: 0, PENDING: 0, UP: 38, PAUSED: 1 },
      incidents: {
        ongoing: 1,
        unacknowledged: 1,
        latest: [
          {
            id: 'inc_01m7e3k4y5e5fr0039rkamsgk4',
            monitorId: 'mon_01m7e3dhx0e008000mxrf1bnxa',
            monitorName: 'Checkout',
            cause: 'HTTP 503, expected 200',
            causeCode: 'UNEXPECTED_STATUS',
            startedAt: '2026-11-14T22:39:00.114Z',
            acknowledged: false,
          },
        ],
      },
      maintenanceWindows: {
        now: [],
        next: [
          {
            id: 'mw_01m7e43y1ne6a8002504v5j15s',
            name: 'Database upgrade',
            startsAt: '2026-11-16T01:00:00.000Z',
            endsAt: '2026-11-16T02:00:00.000Z',
            allMonitors: false,
          },
        ],
      },
    },
  },
})

export const Allowance = closed({
  used: count('How many there are.'),
  limit: nullable(Type.Integer({ description: 'How many there may be. Null for no limit.' })),
})
export const Usage = closed({
  organizationId: id('Id of the organization that the key belongs to.'),
  name: Type.String({ description: 'Its name.' }),
  plan: Type.String({ description: 'Its plan.' }),
  subscription: Type.String({ description: 'State of its subscription, such as `ACTIVE`.' }),
  monitors: described(Allowance, 'Monitors, in all states.'),
  statusPages: described(Allowance, 'Status pages.'),
  webhookEndpoints: described(Allowance, 'Webhook endpoints.'),
  maintenanceWindows: described(Allowance, 'Maintenance windows that are not over.'),
  fastestIntervalSeconds: count('The shortest interval between checks.'),
  historyDays: nullable(Type.Integer({ description: 'Days of history. Null for no limit.' })),
  checkLogDays: count('Days for which single checks are kept.'),
})

export const getUsage = extOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/api/ext/v1/usage',
  tag,
  summary: 'Get plan and usage',
  description: 'The plan of the organization, and how much of it is used.',
  reply: {
    status: 200,
    description: 'The usage.',
    body: Usage,
    example: {
      organizationId: 'org_01m7e2zn2re008001k4v1y8b2c',
      name: 'Example Shop',
      plan: 'PRO',
      subscription: 'ACTIVE',
      monitors: { used: 40, limit: 200 },
      statusPages: { used: 1, limit: 10 },
      webhookEndpoints: { used: 2, limit: 20 },
      maintenanceWindows: { used: 1, limit: 200 },
      fastestIntervalSeconds: 30,
      historyDays: 365,
      checkLogDays: 30,
    },
  },
})

export const Region = closed({
  name: Type.String({ description: 'Its name, for `region` of a check.' }),
  live: Type.Boolean({ description: 'Whether checks can run from it right now.' }),
  lateMs: nullable(
    Type.Integer({
      minimum: 0,
      description:
        'The longest that a check waited inside a probe of the region before it started, in the last seconds. Null if no live probe says so.',
    }),
  ),
})
export const RegionList = closed({
  home: nullable(
    Type.String({ description: 'Where checks run. Null: the oldest region that has probes.' }),
  ),
  data: Type.Array(Region, { description: 'Regions that checks can run from.' }),
})

export const getRegions = extOperation({
  id: 'getRegions',
  method: 'GET',
  path: '/api/ext/v1/regions',
  tag,
  summary: 'Get the regions',
  description: 'Where checks can run from, and which region is the home of the organization.',
  reply: {
    status: 200,
    description: 'The regions.',
    body: RegionList,
    example: {
      home: 'eu-1',
      data: [
        { name: 'eu-1', live: true, lateMs: 2 },
        { name: 'us-1', live: false, lateMs: null },
      ],
    },
  },
})

export const ORGANIZATION_OPERATIONS = [getOverview, getUsage, getRegions] as const
