// Outages that began while a region's own network may have been down: one message, and one when it is over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planAlerts } from './alerting.ts'
import {
  ALERT_STATES,
  type AlertCondition,
  type AlertMessage,
  type AlertRules,
  type Notification,
} from './model.ts'

const START_MS = Date.parse('2026-11-14T14:08:00Z')
const TIMING = { holdMs: 5_000, togetherMs: 60_000 }
const at = (second: number) => new Date(START_MS + second * 1000)

type Fields = Partial<AlertCondition>

/** One contact, or more; plans every second. */
class World {
  readonly told: string[] = []
  readonly #conditions = new Map<string, AlertCondition>()
  readonly #contacts: { uuid: string; rules: AlertRules }[]
  #notifications: Notification[] = []
  #second = 0

  constructor(...rules: Partial<AlertRules>[]) {
    const usual = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
    this.#contacts = (rules.length === 0 ? [{}] : rules).map((own, i) => ({
      uuid: `c${i}`,
      rules: { ...usual, ...own },
    }))
  }

  fail(names: string, fields: Fields = {}): this {
    for (const uuid of names.split(' '))
      this.#conditions.set(uuid, {
        uuid,
        kind: 'DOWN',
        monitorUuid: `monitor ${uuid}`,
        host: null,
        noticedAt: at(this.#second),
        endedAt: null,
        resolution: null,
        acknowledgedAt: null,
        isSilent: false,
        awaitsHost: false,
        contactUuids: ['c0'],
        escalation: [],
        doubt: { uuid: 'd', isOpen: true },
        ...fields,
      })
    return this
  }

  change(names: string, fields: Fields): this {
    for (const uuid of names.split(' ')) {
      const one = this.#conditions.get(uuid)
      if (one !== undefined) this.#conditions.set(uuid, { ...one, ...fields })
    }
    return this
  }

  end(names: string): this {
    return this.change(names, { endedAt: at(this.#second), resolution: 'RECOVERED' })
  }

  run(seconds: number): this {
    for (const until = this.#second + seconds; this.#second < until; this.#second++) this.#plan()
    return this
  }

  #plan(): void {
    const contacts = this.#contacts.map((one) => ({
      ...one,
      channel: 'SLACK' as const,
      enabled: true,
    }))
    const conditions = [...this.#conditions.values()]
    const plan = planAlerts(
      { conditions, contacts, notifications: this.#notifications },
      TIMING,
      at(this.#second),
    )
    const keyOf = (one: Notification) => `${one.conditionUuid} ${one.contactUuid}`
    const changed = new Set(plan.notifications.map(keyOf))
    const kept = this.#notifications.filter((one) => !changed.has(keyOf(one)))
    this.#notifications = [...kept, ...plan.notifications]
    this.told.push(...plan.messages.map((message) => this.#say(message)))
  }

  #say({ contactUuid, kind, conditionUuids }: AlertMessage): string {
    const who = this.#contacts.length === 1 ? '' : `${contactUuid} `
    return `${who}${kind} ${conditionUuids.join('+')} @${this.#second}`
  }
}

const OVER = { doubt: { uuid: 'd', isOpen: false } }

test('outages of one doubt are one message, and so are those that follow for minutes', () => {
  const world = new World()
  world.fail('a b').run(3).fail('c').run(300).fail('d').run(300)
  assert.deepEqual(world.told, ['DOWN a+b+c @8'])
})

test('one message when it is over, after the next check of each monitor', () => {
  const world = new World()
  world.fail('a b c').run(60)
  world.end('a').run(120)
  world.change('b', OVER).end('b').run(120)
  assert.deepEqual(world.told, ['DOWN a+b+c @5'])
  world.change('a b c', OVER).end('c').run(120)
  assert.deepEqual(world.told.slice(1), ['RECOVERED a+b+c @300'])
})

test('a monitor that is still down after the doubt is named', () => {
  const world = new World()
  world.fail('a b').run(60)
  world.change('a b', OVER).end('a').run(120)
  assert.deepEqual(world.told, ['DOWN a+b @5', 'PARTLY_RECOVERED a @120'])
})

test('what begins outside the doubt is told by itself, and at once', () => {
  const world = new World()
  world.fail('a b').run(30)
  world.fail('refused', { doubt: null }).run(30)
  assert.deepEqual(world.told, ['DOWN a+b @5', 'DOWN refused @35'])
})

test('two doubts are two messages', () => {
  const world = new World()
  world
    .fail('a')
    .fail('b', { doubt: { uuid: 'other', isOpen: true } })
    .run(30)
  assert.deepEqual(world.told, ['DOWN a @5', 'DOWN b @5'])
})

test('reminders do not multiply', () => {
  const world = new World({ reminderMinutes: 10 })
  world.fail('a b').run(100).fail('c').run(1300)
  assert.deepEqual(world.told, ['DOWN a+b @5', 'REMINDER a+b+c @700', 'REMINDER a+b+c @1300'])
})

test('an escalation is one message to each of its contacts, though the steps differ', () => {
  const world = new World({}, {})
  const step = (afterMinutes: number) => ({
    escalation: [{ contactUuid: 'c1', step: 1, afterMinutes }],
  })
  world.fail('a', step(5)).fail('b', step(10)).run(30).fail('c', step(5)).run(1000)
  assert.deepEqual(world.told, ['c0 DOWN a+b @5', 'c1 DOWN a+c @335'])
})

test('a contact with a delay gets one message after it, and none if it is over by then', () => {
  const rules = { delayMinutes: 5 }
  const world = new World(rules)
  world.fail('a b').run(200).fail('c').run(200)
  assert.deepEqual(world.told, ['DOWN a+b+c @305'])
  const short = new World(rules)
  short.fail('a b').run(100).change('a b', OVER).end('a b').run(500)
  assert.deepEqual(short.told, [])
})

test('a monitor in maintenance joins when its window ends', () => {
  const world = new World()
  world.fail('a').fail('b', { isSilent: true }).run(60)
  assert.deepEqual(world.told, ['DOWN a @5'])
  world.change('b', { isSilent: false }).run(60)
  world.change('a b', OVER).end('a b').run(10)
  assert.deepEqual(world.told, ['DOWN a @5', 'RECOVERED a+b @120'])
})
