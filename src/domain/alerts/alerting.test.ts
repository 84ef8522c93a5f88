// Who is notified of what, and when: tables for single rules, and a model that runs random histories.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planAlerts } from './alerting.ts'
import type { Timing } from './clusters.ts'
import {
  ALERT_STATES,
  type AlertCondition,
  type AlertMessage,
  type AlertRules,
  type Contact,
  type Notification,
} from './model.ts'
import { quietUntil } from './quiet-hours.ts'

const START_MS = Date.parse('2026-11-14T12:00:00Z')
const TIMING: Timing = { holdMs: 5_000, togetherMs: 60_000 }
const RULES: AlertRules = {
  states: ALERT_STATES,
  delayMinutes: 0,
  reminderMinutes: null,
  quiet: null,
}
const at = (seconds: number) => new Date(START_MS + seconds * 1000)

/** Advances time, plans whenever the last plan says so or a condition begins or ends, and records what was sent. */
class World {
  conditions: AlertCondition[] = []
  contacts: Contact[]
  tellings: Notification[] = []
  sent: (AlertMessage & { second: number })[] = []
  done = new Set<string>()
  second = 0
  lookAt: Date | null = at(0)

  constructor(...rules: Partial<AlertRules>[]) {
    this.contacts = (rules.length === 0 ? [{}] : rules).map((own, i) => ({
      uuid: `contact-${i}`,
      channel: 'SLACK',
      enabled: true,
      rules: { ...RULES, ...own },
    }))
  }

  fail(name: string, fields: Partial<AlertCondition> = {}): void {
    this.lookAt = at(this.second)
    this.conditions.push({
      uuid: name,
      kind: 'DOWN',
      monitorUuid: `monitor of ${name}`,
      host: null,
      noticedAt: at(this.second),
      endedAt: null,
      resolution: null,
      acknowledgedAt: null,
      isSilent: false,
      awaitsHost: false,
      contactUuids: this.contacts.map(({ uuid }) => uuid),
      escalation: [],
      ...fields,
    })
  }

  change(name: string, fields: Partial<AlertCondition>): void {
    this.conditions = this.conditions.map((one) =>
      one.uuid === name ? { ...one, ...fields } : one,
    )
  }

  end(name: string, resolution = 'RECOVERED'): void {
    this.change(name, { endedAt: at(this.second), resolution })
    this.lookAt = at(this.second)
  }

  run(seconds: number): void {
    for (const until = this.second + seconds; this.second < until; this.second++)
      if (this.lookAt !== null && this.lookAt <= at(this.second)) this.look()
  }

  look(): void {
    const conditions = this.conditions.filter(({ uuid }) => !this.done.has(uuid))
    const { contacts } = this
    const open = new Set(conditions.map(({ uuid }) => uuid))
    const tellings = this.tellings.filter(({ conditionUuid }) => open.has(conditionUuid))
    const plan = planAlerts(
      { conditions, contacts, notifications: tellings },
      TIMING,
      at(this.second),
    )
    for (const message of plan.messages) this.sent.push({ ...message, second: this.second })
    const isChanged = (one: Notification) =>
      plan.notifications.some(
        (made) => made.conditionUuid === one.conditionUuid && made.contactUuid === one.contactUuid,
      )
    this.tellings = [...this.tellings.filter((one) => !isChanged(one)), ...plan.notifications]
    for (const uuid of plan.doneUuids) this.done.add(uuid)
    this.lookAt = plan.nextPollAt
  }

  /** `DOWN a+b @5` */
  get story(): string[] {
    return this.sent.map(
      ({ kind, conditionUuids, second }) => `${kind} ${conditionUuids.join('+')} @${second}`,
    )
  }
}

test('one outage is told after the hold, and its end at once', () => {
  const world = new World()
  world.fail('a')
  world.run(20)
  world.end('a')
  world.run(10)
  assert.deepEqual(world.story, ['DOWN a @5', 'RECOVERED a @20'])
  assert.deepEqual([...world.done], ['a'])
})

test('30 monitors of one host within a minute are one message, and so is their end', () => {
  const world = new World()
  for (let i = 0; i < 30; i++) {
    world.fail(`m${i}`, { host: 'checkout.example', awaitsHost: true })
    world.run(1)
  }
  for (let i = 0; i < 30; i++) world.change(`m${i}`, { awaitsHost: false })
  world.run(60)
  assert.equal(world.sent.length, 1)
  assert.equal(world.sent[0]?.conditionUuids.length, 30)
  assert.equal(world.sent[0]?.second, 34, 'five seconds after the last')
  for (let i = 0; i < 30; i++) {
    world.end(`m${i}`)
    world.run(1)
  }
  world.run(70)
  assert.deepEqual(
    world.sent.map(({ kind, conditionUuids }) => [kind, conditionUuids.length]),
    [
      ['DOWN', 30],
      ['RECOVERED', 30],
    ],
  )
})

test('a host of which others were not looked at yet is waited for, but not longer than a minute', () => {
  const world = new World()
  world.fail('a', { host: 'h', awaitsHost: true })
  world.run(70)
  assert.deepEqual(world.story, ['DOWN a @60'])
})

test('what fails within seconds is one message, wherever it is', () => {
  const world = new World()
  for (const name of ['a', 'b', 'c']) {
    world.fail(name, { host: name })
    world.run(4)
  }
  world.run(10)
  assert.deepEqual(world.story, ['DOWN a+b+c @13'])
})

test('a wave that rolls through an organization is the first, and the rest of its minute', () => {
  const world = new World()
  for (let i = 0; i < 6; i++) {
    world.fail(`m${i}`, { host: `h${i}` })
    world.run(10)
  }
  world.run(60)
  assert.deepEqual(world.story, ['DOWN m0 @5', 'DOWN m1+m2+m3+m4+m5 @60'])
})

test('what fails more than a minute later has nothing to do with it', () => {
  const world = new World()
  world.fail('a')
  world.run(61)
  world.fail('b')
  world.run(10)
  assert.deepEqual(world.story, ['DOWN a @5', 'DOWN b @66'])
})

test('what is left of an outage is told after a minute, and its own end ends it', () => {
  const world = new World()
  for (const name of ['a', 'b', 'c']) world.fail(name)
  world.run(10)
  world.end('a')
  world.end('b')
  world.run(100)
  world.end('c')
  world.run(10)
  assert.deepEqual(world.story, ['DOWN a+b+c @5', 'PARTLY_RECOVERED a+b @70', 'RECOVERED c @110'])
  assert.equal(new Set(world.sent.map(({ thread }) => thread)).size, 1)
})

test('what ends before it was told is told to nobody: hold, delay, quiet hours, window', () => {
  const quiet = { from: '11:00', to: '14:00', zone: 'UTC' }
  // biome-ignore format: a table is read by its columns
  const rows: [Partial<AlertRules>, Partial<AlertCondition>, lastsSeconds: number][] = [
    [{},                  {},                 4],
    [{ delayMinutes: 5 }, {},                 290],
    [{ quiet },           {},                 3600],
    [{},                  { isSilent: true }, 3600],
    [{ quiet },           { kind: 'WEBHOOK_FAILING' }, 3600],
  ]
  for (const [rules, fields, seconds] of rows) {
    const world = new World(rules)
    world.fail('a', fields)
    world.run(seconds)
    world.end('a')
    world.run(7200)
    assert.deepEqual(world.story, [])
    assert.ok(world.done.has('a'))
  }
})

test('quiet hours hold what falls in them until they end', () => {
  const world = new World({ quiet: { from: '11:00', to: '12:30', zone: 'UTC' } })
  world.fail('a')
  world.run(3600)
  assert.deepEqual(world.story, ['DOWN a @1800'])
})

test('acknowledging ends reminders, and not the message of the end', () => {
  const world = new World({ reminderMinutes: 5 })
  world.fail('a')
  world.run(620)
  world.change('a', { acknowledgedAt: at(world.second) })
  world.run(1000)
  world.end('a')
  world.run(10)
  assert.deepEqual(world.story, [
    'DOWN a @5',
    'REMINDER a @305',
    'REMINDER a @605',
    'RECOVERED a @1620',
  ])
})

test('what gets worse goes on in its thread and ends once', () => {
  const world = new World()
  world.fail('slow', { kind: 'DEGRADED', monitorUuid: 'm' })
  world.run(20)
  world.fail('down', { monitorUuid: 'm' })
  world.run(20)
  world.end('slow')
  world.end('down')
  world.run(20)
  assert.deepEqual(world.story, ['DEGRADED slow @5', 'DOWN down @25', 'RECOVERED slow+down @40'])
  assert.equal(new Set(world.sent.map(({ thread }) => thread)).size, 1)
})

test('what is noticed once is told once, and only to those who want it', () => {
  const world = new World({}, { states: ['DOWN'] })
  world.fail('cert', { kind: 'EXPIRING' })
  world.run(100)
  assert.deepEqual(
    world.sent.map(({ contactUuid, kind }) => [contactUuid, kind]),
    [['contact-0', 'EXPIRING']],
  )
  assert.ok(world.done.has('cert'))
})

test('a webhook that fails where there is no contact is for the owners, once, and nothing else is', () => {
  const world = new World()
  world.contacts = []
  world.fail('hook', { kind: 'WEBHOOK_FAILING' })
  world.fail('over', { kind: 'WEBHOOK_FAILING', endedAt: at(0) })
  world.fail('down')
  const input = { conditions: world.conditions, contacts: [], notifications: [] }
  const { ownersUuids, doneUuids, messages } = planAlerts(input, TIMING, at(1))
  assert.deepEqual([ownersUuids, doneUuids, messages], [['hook'], ['hook', 'over'], []])
})

test('a contact that is added later hears of neither beginning nor end', () => {
  const world = new World()
  world.fail('a')
  world.run(20)
  world.contacts.push({ uuid: 'late', channel: 'SLACK', enabled: true, rules: RULES })
  world.run(20)
  world.end('a')
  world.run(20)
  assert.ok(world.sent.every(({ contactUuid }) => contactUuid === 'contact-0'))
  assert.equal(world.sent.length, 2)
})

test('a contact that is switched off is told nothing, and holds nothing up', () => {
  const world = new World()
  world.fail('a')
  world.run(20)
  world.contacts = world.contacts.map((contact) => ({ ...contact, enabled: false }))
  world.end('a')
  world.run(20)
  assert.deepEqual(world.story, ['DOWN a @5'])
  assert.ok(world.done.has('a'))
})

test('quiet hours follow the wall clock through both changes of the clock', () => {
  const night = { from: '22:00', to: '06:00', zone: 'Europe/Berlin' }
  const early = { from: '01:00', to: '02:30', zone: 'Europe/Berlin' }
  // biome-ignore format: a table is read by its columns
  const rows: [typeof night, now: string, until: string | undefined][] = [
    [night, '2026-03-28T20:59:59Z', undefined],
    [night, '2026-03-28T21:00:00Z', '2026-03-29T04:00:00Z'], // seven hours: the clock skips one
    [night, '2026-03-29T03:59:59Z', '2026-03-29T04:00:00Z'],
    [night, '2026-03-29T04:00:00Z', undefined],
    [night, '2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z'], // nine hours
    [night, '2026-10-25T04:30:00Z', '2026-10-25T05:00:00Z'],
    [night, '2026-10-25T05:00:00Z', undefined],
    [early, '2026-10-25T00:20:00Z', '2026-10-25T00:30:00Z'],
    [early, '2026-10-25T01:10:00Z', undefined], // 02:10 for the second time: already over
  ]
  for (const [quiet, now, until] of rows)
    assert.equal(
      quietUntil(quiet, new Date(now))?.toISOString(),
      until && new Date(until).toISOString(),
      now,
    )
})

type Happening =
  | { do: 'FAIL'; monitor: number; kind: AlertCondition['kind'] }
  | { do: 'END' | 'ACKNOWLEDGE'; index: number }
  | { do: 'WAIT'; seconds: number }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    do: fc.constant('FAIL' as const),
    monitor: fc.nat(5),
    kind: fc.constantFrom<AlertCondition['kind']>('DOWN', 'DOWN', 'DEGRADED', 'EXPIRING'),
  }),
  fc.record({ do: fc.constantFrom('END' as const, 'ACKNOWLEDGE' as const), index: fc.nat(20) }),
  fc.record({ do: fc.constant('WAIT' as const), seconds: fc.integer({ min: 1, max: 400 }) }),
)
const rules: fc.Arbitrary<Partial<AlertRules>> = fc.record({
  states: fc.subarray([...ALERT_STATES]),
  delayMinutes: fc.constantFrom(0, 0, 1, 5),
  reminderMinutes: fc.constantFrom(null, 5),
  quiet: fc.constantFrom(null, null, { from: '12:05', to: '12:10', zone: 'UTC' }),
})

test('in any history: told once, nobody forgotten, the end to exactly those who heard of the beginning', () => {
  fc.assert(
    fc.property(
      fc.array(happening, { maxLength: 25 }),
      fc.array(rules, { minLength: 1, maxLength: 3 }),
      (story, all) => {
        const world = new World(...all)
        live(world, story)
        world.run(1500)
        const beforeEnd = told(world, ['DOWN', 'DEGRADED', 'EXPIRING'])
        for (const { contact, condition } of pairs(world)) {
          if (condition.endedAt !== null || !contact.rules.states.includes(condition.kind)) continue
          assert.equal(beforeEnd.get(`${contact.uuid} ${condition.uuid}`), 1, 'forgotten')
        }
        for (const { uuid, kind, endedAt } of world.conditions)
          if (kind !== 'EXPIRING' && endedAt === null) world.end(uuid)
        world.run(800)
        assertOnce(world)
        assert.equal(world.done.size, world.conditions.length, 'nothing is left open')
      },
    ),
    { numRuns: 200 },
  )
})

function live(world: World, story: readonly Happening[]): void {
  for (const one of story) {
    const condition =
      one.do === 'END' || one.do === 'ACKNOWLEDGE' ? world.conditions[one.index] : undefined
    if (one.do === 'WAIT') world.run(one.seconds)
    if (one.do === 'FAIL')
      world.fail(`t${world.conditions.length}`, {
        kind: one.kind,
        monitorUuid: `m${one.monitor}`,
        host: one.monitor < 3 ? 'shared' : `h${one.monitor}`,
      })
    if (condition === undefined) continue
    if (one.do === 'ACKNOWLEDGE') world.change(condition.uuid, { acknowledgedAt: at(world.second) })
    else if (condition.kind !== 'EXPIRING' && condition.endedAt === null) world.end(condition.uuid)
  }
}

function* pairs({ contacts, conditions }: World) {
  for (const contact of contacts) for (const condition of conditions) yield { contact, condition }
}

function told(world: World, kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { contactUuid, kind, conditionUuids } of world.sent)
    if (kinds.includes(kind))
      for (const uuid of conditionUuids)
        counts.set(`${contactUuid} ${uuid}`, (counts.get(`${contactUuid} ${uuid}`) ?? 0) + 1)
  return counts
}

function assertOnce(world: World): void {
  const begun = told(world, ['DOWN', 'DEGRADED', 'EXPIRING'])
  const ended = told(world, ['RECOVERED', 'PARTLY_RECOVERED'])
  for (const { contact, condition } of pairs(world)) {
    const key = `${contact.uuid} ${condition.uuid}`
    const beginnings = begun.get(key) ?? 0
    assert.ok(beginnings <= 1, 'told twice')
    const wantsEnd = condition.kind !== 'EXPIRING' && contact.rules.states.includes('RECOVERED')
    assert.equal(ended.get(key) ?? 0, wantsEnd ? beginnings : 0, 'the end')
  }
  const reminders = world.sent.filter(({ kind }) => kind === 'REMINDER')
  const takenAt = new Map(world.conditions.map((one) => [one.uuid, one.acknowledgedAt]))
  for (const { conditionUuids, second } of reminders)
    for (const uuid of conditionUuids)
      assert.ok((takenAt.get(uuid) ?? at(second + 1)) > at(second), 'reminded of what was taken')
}
