// What was measured about one monitor.
import type { Static } from 'typebox'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { SERIES_STEPS } from '../../domain/monitors/series-step.ts'
import { UPTIME_WINDOWS } from '../../domain/monitors/uptime-ranges.ts'
import { MAX_REGION_NAME } from '../../domain/regions/chosen-regions.ts'
import { RESULT_KINDS, RESULT_VERDICTS, RegionChecks } from '../private/check-screens.ts'
import { CheckEvidence, CheckTimings } from '../public/incident.ts'
import { EVIDENCE_EXAMPLE } from '../public/incident-examples.ts'
import { closed, commaList, id, input, nullable, oneOf, orNull, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation } from './operation.ts'

const tag = 'Monitor figures'
const MONITOR_PATH = '/api/ext/v1/monitors/{monitorId}'
const MonitorParams = Type.Object({ monitorId: id('Id of the monitor.') })

export const UptimeFigure = closed({
  window: oneOf(UPTIME_WINDOWS, { description: 'The time up to now that it covers.' }),
  ratio: nullable(
    Type.Number({
      description: '0 to 1: up and degraded time of the measured time. Null if none.',
    }),
  ),
  downSeconds: Type.Integer({ description: 'Seconds it was DOWN.' }),
  measuredSeconds: Type.Integer({
    description: 'Seconds that were measured: without pauses, maintenance and gaps.',
  }),
  measuredFrom: nullable(timestamp('When measuring began within the window.')),
})
export const MonitorUptime = closed({
  monitorId: id('Id of the monitor.'),
  at: timestamp('The end of all windows.'),
  windows: Type.Array(UptimeFigure, { description: 'One figure for each window.' }),
})

export const getMonitorUptime = extOperation({
  id: 'getMonitorUptime',
  method: 'GET',
  path: `${MONITOR_PATH}/uptime`,
  tag,
  summary: "Get a monitor's uptime",
  description: 'Measured from its states, not from counts of checks.',
  params: MonitorParams,
  query: input({
    windows: Type.Optional(commaList(UPTIME_WINDOWS, 'Only these windows. Left out, all.')),
  }),
  reply: {
    status: 200,
    description: 'The uptime in each window.',
    body: MonitorUptime,
    example: {
      monitorId: 'mon_01m7e3dhx0e008000mxrf1bnxa',
      at: '2026-11-14T22:39:00.000Z',
      windows: [
        {
          window: '30d',
          ratio: 0.99942,
          downSeconds: 1503,
          measuredSeconds: 2_592_000,
          measuredFrom: '2026-10-15T22:39:00.000Z',
        },
      ],
    },
  },
})

const ms = (description: string) => nullable(Type.Integer({ description }))

export const ResponseTimes = closed({
  at: timestamp('Start of the step.'),
  p50Ms: ms('Median response time. Null if no check passed.'),
  p95Ms: ms('95th percentile of the response times.'),
  maxMs: ms('Longest response time.'),
  passed: Type.Integer({ description: 'Checks that passed.' }),
  failed: Type.Integer({ description: 'Checks that failed.' }),
  inconclusive: Type.Integer({ description: 'Checks without a verdict.' }),
})
export const ResponseTimeSeries = closed({
  from: timestamp('Start of the first step.'),
  to: timestamp('End of the series.'),
  stepSeconds: Type.Integer({ description: 'Length of each step.' }),
  data: Type.Array(ResponseTimes, { description: 'Oldest first. Empty steps are left out.' }),
})

export const getMonitorResponseTimes = extOperation({
  id: 'getMonitorResponseTimes',
  method: 'GET',
  path: `${MONITOR_PATH}/response-times`,
  tag,
  summary: "Get a monitor's response times",
  description:
    'In steps, oldest first. Without `from` and `to`, the last 24 hours. Steps below an hour reach over 25 hours within the retention of single checks, hours over 31 days, and days over 400.',
  params: MonitorParams,
  query: input({
    from: Type.Optional(timestamp('Start. Needs `to`.')),
    to: Type.Optional(timestamp('End. Needs `from`.')),
    step: Type.Optional(
      Type.Unsafe<(typeof SERIES_STEPS)[number]>({
        type: 'integer',
        enum: [...SERIES_STEPS],
        description: 'Length of a step in seconds. Left out, one that suits the range.',
      }),
    ),
    region: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REGION_NAME,
        description:
          'Only from this region, if checks run in several at once. These are kept for 7 days.',
      }),
    ),
  }),
  reply: {
    status: 200,
    description: 'The series.',
    body: ResponseTimeSeries,
    example: {
      from: '2026-11-14T21:00:00.000Z',
      to: '2026-11-14T22:00:00.000Z',
      stepSeconds: 3600,
      data: [
        {
          at: '2026-11-14T21:00:00.000Z',
          p50Ms: 184,
          p95Ms: 412,
          maxMs: 903,
          passed: 60,
          failed: 0,
          inconclusive: 0,
        },
      ],
    },
  },
})

const MAX_CHECKS = 1000

export const MonitorCheck = closed({
  at: timestamp('When the check was due. Together with the monitor, it identifies the check.'),
  kind: oneOf(RESULT_KINDS, { description: 'What caused the check.' }),
  outcome: oneOf(RESULT_VERDICTS, { description: 'How it ended.' }),
  responseMs: ms('Milliseconds to the response.'),
  httpStatus: ms('HTTP status of the response.'),
  region: nullable(
    Type.String({ description: 'Region it ran from. Null if it passed in several at once.' }),
  ),
  causeCode: nullable(oneOf(CAUSE_CODES, { description: 'Kind of failure.' })),
  timings: orNull(CheckTimings, 'Where the time went, where it was measured.'),
  regions: RegionChecks,
  incidentId: nullable(Type.String({ description: 'The incident that a failure belongs to.' })),
})
export const MonitorCheckList = closed({
  data: Type.Array(MonitorCheck, { description: 'Newest first.' }),
  next: nullable(timestamp('`before` of the next page. Null on the last.')),
})

const CHECK: Static<typeof MonitorCheck> = {
  at: '2026-11-14T22:39:00.000Z',
  kind: 'SCHEDULED',
  outcome: 'FAILED',
  responseMs: null,
  httpStatus: 503,
  region: 'eu-1',
  causeCode: 'UNEXPECTED_STATUS',
  timings: null,
  regions: null,
  incidentId: 'inc_01m7e3zn2re008001k4v1y8b2c',
}

export const listMonitorChecks = extOperation({
  id: 'listMonitorChecks',
  method: 'GET',
  path: `${MONITOR_PATH}/checks`,
  tag,
  summary: "List a monitor's checks",
  description:
    'The check log, newest first. Pass `next` of a page as `before` to get the one after it. Single checks are kept for the days that getUsage says.',
  params: MonitorParams,
  query: input({
    from: Type.Optional(timestamp('Only checks at or after this time.')),
    to: Type.Optional(timestamp('Only checks before this time.')),
    outcome: Type.Optional(commaList(RESULT_VERDICTS, 'Only checks with these outcomes.')),
    limit: Type.Integer({
      minimum: 1,
      maximum: MAX_CHECKS,
      default: 100,
      description: 'Page size.',
    }),
    before: Type.Optional(timestamp('`next` of the previous page.')),
  }),
  reply: {
    status: 200,
    description: 'One page of checks.',
    body: MonitorCheckList,
    example: { data: [CHECK], next: null },
  },
})

export const getCheckEvidence = extOperation({
  id: 'getCheckEvidence',
  missing: 'check',
  method: 'GET',
  path: `${MONITOR_PATH}/evidence/{checkId}`,
  tag,
  summary: 'Get the evidence of a check',
  description:
    'What a check saw. Kept for checks that opened, changed or ended an incident, and for its latest failure: their ids are in the incident.',
  params: Type.Object({ ...MonitorParams.properties, checkId: id('Id of the check.') }),
  reply: {
    status: 200,
    description: 'The evidence.',
    body: CheckEvidence,
    example: EVIDENCE_EXAMPLE,
  },
})

export const FIGURE_OPERATIONS = [
  getMonitorUptime,
  getMonitorResponseTimes,
  listMonitorChecks,
  getCheckEvidence,
] as const
