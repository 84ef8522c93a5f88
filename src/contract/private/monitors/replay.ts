// What would have happened in the last days with other settings. Nothing is changed.
import { CAUSE_CODES } from '../../../domain/incidents/incident.ts'
import { DEGRADED_MODES } from '../../../domain/monitors/monitor.ts'
import { closed, described, input, nullable, oneOf, timestamp } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const MAX_REPLAY_DAYS = 30

const MAX_STATUSES = 100

export const ReplaySettings = closed({
  degradedThresholdMs: nullable(
    Type.Integer({ description: 'Responses slower than this count as slow. Null: none do.' }),
  ),
  degradedThresholdMode: oneOf(DEGRADED_MODES, { description: 'How slow responses are judged.' }),
  degradedSamples: Type.Integer({ description: 'How many response times are judged.' }),
  expectedStatus: nullable(
    Type.Array(Type.Integer(), {
      description: 'Statuses that count as up. Null: as they were judged at the time.',
    }),
  ),
  delayMinutes: nullable(
    Type.Integer({ description: 'Delay of first alerts. Null: the delay of each contact.' }),
  ),
})

const CHANGES = ['SAME', 'CHANGED', 'NEW', 'GONE'] as const
const RESOLUTIONS = ['RECOVERED', 'MONITOR_PAUSED', 'MONITOR_CHANGED', 'MONITOR_DELETED'] as const

export const ReplayedIncident = closed({
  change: oneOf(CHANGES, {
    description:
      'Compared with what was recorded: SAME, CHANGED (ends differently), NEW, or GONE (it would not have been).',
  }),
  incidentId: nullable(Type.String({ description: 'Id of the recorded incident. Null if NEW.' })),
  startedAt: timestamp('When it began. For NEW, the time of the check.'),
  resolvedAt: nullable(timestamp('When it ended. Null if it is open.')),
  resolution: nullable(oneOf(RESOLUTIONS, { description: 'How it ended.' })),
  causeCode: oneOf(CAUSE_CODES, { description: 'How the first check failed.' }),
})

export const ReplayTotals = closed({
  incidents: Type.Integer({ description: 'How many incidents.' }),
  downSeconds: Type.Integer({ description: 'Seconds of all incidents, within the period.' }),
  degradations: Type.Integer({ description: 'How often it became DEGRADED.' }),
  alerts: Type.Integer({ description: 'How many messages to all contacts together.' }),
})

export const ReplayedAlert = closed({
  at: timestamp('When it would have been sent.'),
  contactId: Type.String({ description: 'Id of the contact.' }),
  contactName: Type.String({ description: 'Name of the contact.' }),
  kind: Type.String({ description: 'DOWN, DEGRADED, REMINDER, RECOVERED, …' }),
})

export const MonitorReplay = closed({
  monitorId: Type.String({ description: 'Id of the monitor.' }),
  from: timestamp('Start of the period: the first check that is still stored.'),
  to: timestamp('End of the period.'),
  checks: Type.Integer({ description: 'How many results were replayed.' }),
  settings: described(ReplaySettings, 'The settings that were replayed.'),
  current: described(ReplayTotals, 'With the settings of the monitor.'),
  replayed: described(ReplayTotals, 'With the settings that were replayed.'),
  incidents: Type.Array(ReplayedIncident, {
    description: 'Recorded and replayed ones, newest first, at most 200.',
  }),
  alerts: Type.Array(ReplayedAlert, {
    description: 'What would have been sent, newest first, at most 200.',
  }),
  complete: Type.Boolean({
    description: 'False if there was too much for one replay, and only the latest was replayed.',
  }),
})

export const replayMonitor = privateOperation({
  id: 'replayMonitor',
  method: 'GET',
  path: '/monitors/{monitorId}/replay',
  who: 'READ_ONLY',
  params: Type.Object({
    monitorId: Type.String({ description: 'Id of the monitor.' }),
  }),
  query: input({
    days: Type.Integer({
      minimum: 1,
      maximum: MAX_REPLAY_DAYS,
      default: MAX_REPLAY_DAYS,
      description: 'Days up to now.',
    }),
    degradedThresholdMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 60_000, description: 'In its place. 0 turns it off.' }),
    ),
    degradedThresholdMode: Type.Optional(oneOf(DEGRADED_MODES, { description: 'In its place.' })),
    degradedSamples: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'In its place.' }),
    ),
    expectedStatus: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 3 }), {
        minItems: 1,
        maxItems: MAX_STATUSES,
        description: 'In its place, separated by commas. For HTTP and KEYWORD.',
      }),
    ),
    delayMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: 'Delay of first alerts, in place of that of each contact.',
      }),
    ),
  }),
  reply: { status: 200, body: MonitorReplay },
})
