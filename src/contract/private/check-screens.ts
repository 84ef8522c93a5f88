// A monitor's checks: the chart, the log, and what a single check saw.
import type { Static } from 'typebox'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { SERIES_RANGES } from '../../domain/monitors/series.ts'
import { CheckEvidence, CheckTimings } from '../public/incident.ts'
import { closed, input, nullable, oneOf, orNull, Timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const MonitorParams = Type.Object({ monitorId: Type.String() })
const MONITOR_PATH = '/monitors/{monitorId}'
const ms = nullable(Type.Integer())

/** One row per bucket: start in Unix seconds, p50, p95, max, and the numbers of passed, failed and undecided checks. */
const Bucket = Type.Unsafe<
  [
    at: number,
    p50: number | null,
    p95: number | null,
    max: number | null,
    ok: number,
    failed: number,
    undecided: number,
  ]
>({
  type: 'array',
  minItems: 7,
  maxItems: 7,
  items: { type: ['integer', 'null'] },
})
const Shade = closed({ id: Type.String(), from: Timestamp, to: nullable(Timestamp) })

/** `range`, or both `from` and `to`; at most 400 days. */
export const getResponseTimes = privateOperation({
  id: 'getResponseTimes',
  method: 'GET',
  path: `${MONITOR_PATH}/response-times`,
  who: 'READ_ONLY',
  params: MonitorParams,
  query: input({
    range: Type.Optional(oneOf(SERIES_RANGES)),
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
  }),
  reply: {
    status: 200,
    body: closed({
      from: Timestamp,
      to: Timestamp,
      bucketSeconds: Type.Integer(),
      /** Oldest first. Empty buckets are left out. */
      buckets: Type.Array(Bucket),
      thresholdMs: ms,
      incidents: Type.Array(Shade),
      windows: Type.Array(closed({ ...Shade.properties, name: nullable(Type.String()) })),
      /** When it was DEGRADED, oldest first. */
      degraded: Type.Array(closed({ from: Timestamp, to: nullable(Timestamp) })),
    }),
  },
})

export const RESULT_VERDICTS = ['PASSED', 'SLOW', 'FAILED', 'INCONCLUSIVE', 'SUPERSEDED'] as const
export const RESULT_KINDS = ['SCHEDULED', 'REQUESTED', 'PING', 'DEADLINE'] as const

/** What one region found, of a check that ran in several at once. */
export const RegionCheck = closed({
  region: Type.String({ description: 'Name of the region.' }),
  outcome: oneOf(['PASSED', 'FAILED', 'INCONCLUSIVE'] as const, {
    description: 'INCONCLUSIVE: it gave no answer, through no fault of the target.',
  }),
  responseMs: nullable(Type.Integer({ description: 'Milliseconds to the response.' })),
  httpStatus: nullable(Type.Integer({ description: 'HTTP status of the response.' })),
  causeCode: nullable(oneOf(CAUSE_CODES, { description: 'Kind of failure.' })),
})
export const RegionChecks = nullable(
  Type.Array(RegionCheck, {
    description: 'What each region found. Null unless the check ran in several at once.',
  }),
)

export const CheckListEntry = closed({
  /** The slot. Together with the monitor, it identifies the check. */
  at: Timestamp,
  kind: oneOf(RESULT_KINDS),
  verdict: oneOf(RESULT_VERDICTS),
  responseMs: ms,
  httpStatus: nullable(Type.Integer()),
  region: nullable(Type.String()),
  causeCode: nullable(oneOf(CAUSE_CODES)),
  timings: orNull(CheckTimings, 'Where the time went, where it was measured.'),
  regions: RegionChecks,
  incidentId: nullable(Type.String()),
})
export type CheckListEntry = Static<typeof CheckListEntry>

export const CHECK_FILTERS = {
  /** Only failed checks. */
  failed: Type.Boolean({ default: false }),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
}

export const listChecks = privateOperation({
  id: 'listChecks',
  method: 'GET',
  path: `${MONITOR_PATH}/checks`,
  who: 'READ_ONLY',
  params: MonitorParams,
  query: input({
    ...CHECK_FILTERS,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    /** `next` of the previous page. */
    cursor: Type.Optional(Timestamp),
  }),
  reply: {
    status: 200,
    /** Newest first. `next` is null on the last page. */
    body: closed({ data: Type.Array(CheckListEntry), next: nullable(Timestamp) }),
  },
})

/** `evidence` is kept for checks that opened, changed or ended an incident, and for its latest failure. */
export const getCheck = privateOperation({
  id: 'getCheck',
  missing: 'check',
  method: 'GET',
  path: `${MONITOR_PATH}/checks/{at}`,
  who: 'READ_ONLY',
  params: Type.Object({ ...MonitorParams.properties, at: Type.String() }),
  reply: {
    status: 200,
    body: closed({
      check: CheckListEntry,
      cause: nullable(Type.String()),
      evidence: orNull(CheckEvidence, 'What the check saw.'),
      /** Body that the job sent with its ping; null if there is none. */
      heartbeatBody: nullable(Type.String()),
    }),
  },
})

export const CHECK_SCREEN_OPERATIONS = [getResponseTimes, listChecks, getCheck] as const
