import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish } from '../../../test/kit/finish.ts'
import { ALERT_STATES, type AlertRules, type Contact } from './model.ts'
import { type Occasion, occasionsOf, replayAlerts } from './replay-alerts.ts'

const START_MS = Date.parse('2026-11-14T12:00:00Z')
const MINUTE_MS = 60_000
const minute = (count: number) => new Date(START_MS + count * MINUTE_MS)
const TIMING = { holdMs: 5_000, togetherMs: 60_000 }

const contactOf = (uuid: string, rules: Partial<AlertRules> = {}): Contact => ({
  uuid,
  channel: 'SLACK',
  enabled: true,
  rules: { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null, ...rules },
})
const down = (from: number, to: number | null, acknowledged?: number): Occasion => ({
  kind: 'DOWN',
  from: minute(from),
  to: to === null ? null : minute(to),
  resolution: to === null ? null : 'RECOVERED',
  acknowledgedAt: acknowledged === undefined ? null : minute(acknowledged),
})

type Setting = {
  contacts?: Contact[]
  attached?: string[]
  escalated?: [contact: string, minutes: number][]
  windows?: [from: number, to: number][]
}

/** `3 DOWN ana` */
function linesOf(occasions: Occasion[], setting: Setting = {}): string[] {
  const {
    contacts = [contactOf('ana')],
    attached = ['ana'],
    escalated = [],
    windows = [],
  } = setting
  const escalation = escalated.map(([contactUuid, afterMinutes], at) => {
    return { contactUuid, afterMinutes, step: at + 1 }
  })
  const { alerts } = finish(
    replayAlerts({
      occasions,
      audience: { contacts, attachedUuids: attached, escalation },
      maintenance: windows.map(([from, to]) => ({ from: minute(from), to: minute(to) })),
      timing: TIMING,
      until: minute(24 * 60),
    }),
  )
  return alerts.map(({ at, kind, contactUuid }) => {
    return `${Math.floor((at.getTime() - START_MS) / MINUTE_MS)} ${kind} ${contactUuid}`
  })
}

const TEAM = [contactOf('ana'), contactOf('ben')]

// biome-ignore format: a table is read by its rows
const STORIES: [what: string, occasions: Occasion[], setting: Setting, expected: string[]][] = [
  ['an outage and its end',    [down(1, 9)],                 {}, ['1 DOWN ana', '9 RECOVERED ana']],
  ['one that is shorter than the delay', [down(1, 4)],       { contacts: [contactOf('ana', { delayMinutes: 5 })] }, []],
  ['one that is longer',       [down(1, 9)],                 { contacts: [contactOf('ana', { delayMinutes: 5 })] }, ['6 DOWN ana', '9 RECOVERED ana']],
  ['reminders until it is acknowledged', [down(1, null, 12)], { contacts: [contactOf('ana', { reminderMinutes: 5 })] }, ['1 DOWN ana', '6 REMINDER ana', '11 REMINDER ana']],
  ['an escalation',            [down(1, 60)],                { contacts: TEAM, escalated: [['ben', 10]] }, ['1 DOWN ana', '11 DOWN ben', '60 RECOVERED ana', '60 RECOVERED ben']],
  ['an escalation that was acknowledged', [down(1, 60, 5)],  { contacts: TEAM, escalated: [['ben', 10]] }, ['1 DOWN ana', '60 RECOVERED ana']],
  ['a window in the outage',   [down(1, 60)],                { windows: [[0, 30]] }, ['30 DOWN ana', '60 RECOVERED ana']],
  ['two outages',              [down(1, 3), down(10, 12)],   {}, ['1 DOWN ana', '3 RECOVERED ana', '10 DOWN ana', '12 RECOVERED ana']],
  ['nobody',                   [down(1, 9)],                 { contacts: [], attached: [] }, []],
]
for (const [what, occasions, setting, expected] of STORIES)
  test(`replayAlerts: ${what}`, () => assert.deepEqual(linesOf(occasions, setting), expected))

test('too many outages: the latest are replayed, and it says so', () => {
  const contacts = Array.from({ length: 200 }, (_, at) => contactOf(`c${at}`))
  const attachedUuids = contacts.map(({ uuid }) => uuid)
  const occasions = Array.from({ length: 150 }, (_, at) => down(5 * at, 5 * at + 2))
  const { alerts, isComplete } = finish(
    replayAlerts({
      occasions,
      audience: { contacts, attachedUuids, escalation: [] },
      maintenance: [],
      timing: TIMING,
      until: minute(24 * 60),
    }),
  )
  assert.equal(isComplete, false)
  assert.equal(alerts[0]?.at.getTime(), minute(250).getTime() + 5_000)
})

test('occasionsOf: incidents keep their acknowledgement, degradations end well', () => {
  const incident = {
    startedAt: minute(1),
    resolvedAt: minute(2),
    resolution: 'RECOVERED',
    causeCode: 'TIMEOUT',
    recordedUuid: 'a',
  } as const
  const occasions = occasionsOf(
    [incident, { ...incident, recordedUuid: null }],
    [{ from: minute(3), to: null }],
    new Map([['a', minute(1)]]),
  )
  assert.deepEqual(
    occasions.map(({ kind, resolution, acknowledgedAt }) => [kind, resolution, acknowledgedAt]),
    [
      ['DOWN', 'RECOVERED', minute(1)],
      ['DOWN', 'RECOVERED', null],
      ['DEGRADED', null, null],
    ],
  )
})
