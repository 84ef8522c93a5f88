// Which step of an escalation brings an outage to whom, and when; what is accepted as a policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planAlerts } from './alerting.ts'
import { delayMinutesOf, escalationOf, stepsProblems, toTarget } from './escalation.ts'
import {
  ALERT_STATES,
  type AlertCondition,
  type AlertMessage,
  type AlertRules,
  type Contact,
  type Notification,
} from './model.ts'

const START_MS = Date.parse('2026-11-14T12:00:00Z')
const MINUTE_MS = 60_000
const TIMING = { holdMs: 5_000, togetherMs: 60_000 }
const RULES: AlertRules = {
  states: ALERT_STATES,
  delayMinutes: 0,
  reminderMinutes: null,
  quiet: null,
}
const after = (minutes: number) => new Date(START_MS + minutes * MINUTE_MS)

const contactOf = (uuid: string, rules: Partial<AlertRules> = {}): Contact => ({
  uuid,
  channel: 'SLACK',
  enabled: true,
  rules: { ...RULES, ...rules },
})

/** Ana is attached; Ben is in the first step after 10 minutes, Cleo in the second after 30. */
const outage = (fields: Partial<AlertCondition> = {}): AlertCondition => ({
  uuid: 'outage',
  kind: 'DOWN',
  monitorUuid: 'shop',
  host: null,
  noticedAt: after(0),
  endedAt: null,
  resolution: null,
  acknowledgedAt: null,
  isSilent: false,
  awaitsHost: false,
  contactUuids: ['ana'],
  escalation: [
    { contactUuid: 'ben', step: 1, afterMinutes: 10 },
    { contactUuid: 'cleo', step: 2, afterMinutes: 30 },
  ],
  ...fields,
})

type Change = { atMinute: number; fields: Partial<AlertCondition> }

/** `10 DOWN ben`: the minute of each message. The planner runs when it asked to, and after every change. */
function play(contacts: readonly Contact[], first: AlertCondition, changes: Change[] = []) {
  let condition = first
  let notifications: Notification[] = []
  let pollMs = START_MS
  const lines: string[] = []
  for (let second = 0; second < 24 * 3600; second++) {
    const nowMs = START_MS + second * 1000
    for (const { atMinute, fields } of changes)
      if (atMinute * 60 === second) {
        condition = { ...condition, ...fields }
        pollMs = nowMs
      }
    if (nowMs < pollMs) continue
    const input = { conditions: [condition], contacts, notifications }
    const plan = planAlerts(input, TIMING, new Date(nowMs))
    const isKept = ({ contactUuid }: Notification) =>
      plan.notifications.every((one) => one.contactUuid !== contactUuid)
    notifications = [...notifications.filter(isKept), ...plan.notifications]
    lines.push(...plan.messages.map((message) => lineOf(second, message)))
    pollMs = plan.nextPollAt?.getTime() ?? Number.POSITIVE_INFINITY
  }
  return lines
}

const lineOf = (second: number, { kind, contactUuid, escalated }: AlertMessage) =>
  `${Math.floor(second / 60)} ${kind} ${contactUuid}${escalated ? ` ${escalated.step}` : ''}`

const TEAM = ['ana', 'ben', 'cleo'].map((uuid) => contactOf(uuid))
const acknowledged = (atMinute: number): Change => ({
  atMinute,
  fields: { acknowledgedAt: after(atMinute) },
})
const recovered = (atMinute: number): Change => ({
  atMinute,
  fields: { endedAt: after(atMinute), resolution: 'RECOVERED' },
})
const quietUntil = (to: string) => ({ quiet: { from: '11:00', to, zone: 'UTC' } })

// biome-ignore format: a table is read by its rows
const STORIES: [what: string, contacts: readonly Contact[], changes: Change[], expected: string[]][] = [
  ['each step on time', TEAM, [], ['0 DOWN ana', '10 DOWN ben 1', '30 DOWN cleo 2']],
  ['an acknowledgement stops it', TEAM, [acknowledged(20)], ['0 DOWN ana', '10 DOWN ben 1']],
  ['an acknowledgement in the last second', TEAM, [acknowledged(10)], ['0 DOWN ana']],
  ['a recovery stops it and reaches those who were alerted', TEAM, [recovered(20)],
    ['0 DOWN ana', '10 DOWN ben 1', '20 RECOVERED ana', '20 RECOVERED ben']],
  ['an acknowledgement does not stop the recovery', TEAM, [acknowledged(20), recovered(40)],
    ['0 DOWN ana', '10 DOWN ben 1', '40 RECOVERED ana', '40 RECOVERED ben']],
  ['a pause stops it', TEAM, [{ atMinute: 5, fields: { endedAt: after(5), resolution: 'MONITOR_PAUSED' } }],
    ['0 DOWN ana']],
  ['quiet hours hold a step back', [contactOf('ana'), contactOf('ben', quietUntil('13:00')), contactOf('cleo')], [],
    ['0 DOWN ana', '30 DOWN cleo 2', '60 DOWN ben 1']],
  ['acknowledged during quiet hours', [contactOf('ben', quietUntil('13:00'))], [acknowledged(50)], []],
  ["a contact's own delay holds too", [contactOf('ben', { delayMinutes: 45 })], [], ['45 DOWN ben 1']],
  ['a contact that wants no outages', [contactOf('ben', { states: ['DEGRADED'] })], [], []],
  ['a disabled contact', [{ ...contactOf('ben'), enabled: false }, contactOf('cleo')], [], ['30 DOWN cleo 2']],
  ['a maintenance window', TEAM, [{ atMinute: 9, fields: { isSilent: true } }, { atMinute: 40, fields: { isSilent: false } }],
    ['0 DOWN ana', '40 DOWN ben 1', '40 DOWN cleo 2']],
  ['a removed step', TEAM, [{ atMinute: 5, fields: { escalation: [{ contactUuid: 'cleo', step: 1, afterMinutes: 20 }] } }],
    ['0 DOWN ana', '20 DOWN cleo 1']],
  ['reminders of a step end with the acknowledgement', [contactOf('ben', { reminderMinutes: 5 })], [acknowledged(17)],
    ['10 DOWN ben 1', '15 REMINDER ben']],
]

for (const [what, contacts, changes, expected] of STORIES)
  test(`escalation: ${what}`, () => {
    assert.deepEqual(play(contacts, outage(), changes), expected)
  })

test('an attached contact is alerted once, and not again by its step', () => {
  const condition = outage({ contactUuids: ['ana', 'ben'] })
  assert.deepEqual(play(TEAM, condition), ['0 DOWN ana', '0 DOWN ben', '30 DOWN cleo 2'])
})

test('two monitors of one policy escalate in one message, of two policies in two', () => {
  const step = (afterMinutes: number) => [{ contactUuid: 'ben', step: 1, afterMinutes }]
  const messagesAt = (second: number, ...minutes: number[]) => {
    const conditions = minutes.map((one, at) =>
      outage({ uuid: `outage ${at}`, monitorUuid: `m${at}`, escalation: step(one) }),
    )
    const input = { conditions, contacts: [contactOf('ben')], notifications: [] }
    const { messages } = planAlerts(input, TIMING, new Date(START_MS + second * 1000))
    return messages.map(({ conditionUuids }) => conditionUuids.length)
  }
  assert.deepEqual(messagesAt(605, 10, 10), [2])
  assert.deepEqual(messagesAt(605, 10, 20), [1])
  assert.deepEqual(messagesAt(1205, 10, 20), [1, 1])
})

test('escalationOf and delayMinutesOf: nobody without a step', () => {
  const dora = contactOf('dora')
  assert.equal(escalationOf(dora, outage()), undefined)
  assert.equal(delayMinutesOf(dora, outage()), undefined)
  assert.equal(delayMinutesOf(contactOf('ana', { delayMinutes: 3 }), outage()), 3)
})

test('any times of changes: nobody twice, nobody early, nobody after an acknowledgement', () => {
  const minute = fc.integer({ min: 1, max: 120 })
  fc.assert(
    fc.property(minute, minute, fc.option(minute), (first, gap, taken) => {
      const escalation = [
        { contactUuid: 'ben', step: 1, afterMinutes: first },
        { contactUuid: 'cleo', step: 2, afterMinutes: first + gap },
      ]
      const lines = play(TEAM, outage({ escalation }), taken === null ? [] : [acknowledged(taken)])
      const due = escalation.filter(({ afterMinutes }) => taken === null || afterMinutes < taken)
      const expected = due.map(
        ({ contactUuid, step, afterMinutes }) => `${afterMinutes} DOWN ${contactUuid} ${step}`,
      )
      assert.deepEqual(lines, ['0 DOWN ana', ...expected])
    }),
    { numRuns: 30 },
  )
})

// biome-ignore format: a table is read by its columns
const POLICIES: [steps: [minutes: number, ...contacts: string[]][], paths: string[]][] = [
  [[[5, 'a']],                        []],
  [[[5, 'a', 'b'], [10, 'c']],        []],
  [[[5, 'a'], [5, 'b']],              ['steps.1.afterMinutes']],
  [[[5, 'a'], [4, 'b'], [6, 'c']],    ['steps.1.afterMinutes']],
  [[[5, 'a'], [10, 'b', 'a']],        ['steps.1.contactIds.1']],
  [[[5, 'a', 'a']],                   ['steps.0.contactIds.1']],
  [[[5, 'a'], [5, 'a']],              ['steps.1.afterMinutes', 'steps.1.contactIds.0']],
]

for (const [steps, paths] of POLICIES)
  test(`stepsProblems: ${JSON.stringify(steps)}`, () => {
    const input = steps.map(([afterMinutes, ...contactIds]) => ({ afterMinutes, contactIds }))
    assert.deepEqual(
      stepsProblems(input).map(({ path }) => path),
      paths,
    )
  })

// biome-ignore format: a table is read by its columns
const TARGETS: [id: string, kind: string | undefined][] = [
  ['mon_01m7e3dhx0e008000mxrf1bnxa', 'MONITOR'],
  ['tag_01m7e43y1ne6a8002504v5j15s', 'TAG'],
  ['act_01m7e43y1ne6a8002504v5j15s', undefined],
  ['mon_x',                          undefined],
  ['',                               undefined],
]

for (const [id, kind] of TARGETS)
  test(`toTarget: ${id || 'nothing'}`, () => assert.equal(toTarget(id)?.kind, kind))
