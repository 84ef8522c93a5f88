// Random histories, most of them across a clock change: nobody is notified twice of one condition, nobody is missed,
// and the recovery reaches exactly those who were alerted.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import {
  ALERT_STATES,
  type AlertCondition,
  type AlertRules,
} from '../../../src/domain/alerts/model.ts'
import { createRng, type Rng } from '../rng.ts'
import { zoneClock } from '../windows/zone-clock.ts'
import { Life, PLANTS, type Plant } from './life.ts'
import { violationsOf } from './oracle.ts'
import { isQuiet } from './quiet.ts'

const LIVES = Number(env['ALERT_LIVES'] ?? 30)
const PLANTED_LIVES = 30
const HOUR_MS = 3_600_000
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC']
const HOSTS = ['a.example', 'a.example', 'a.example', 'b.example', null]
const CHANNELS = ['EMAIL', 'SLACK', 'WEBHOOK', 'PAGERDUTY', 'OPSGENIE'] as const
const ACTORS = ['MONITOR_PAUSED', 'MONITOR_CHANGED', 'MONITOR_DELETED']
/** Minutes of each step. */
const POLICIES: readonly (readonly number[])[] = [[5], [5, 15], [1, 30, 240]]
const KINDS: readonly AlertCondition['kind'][] = ['DOWN', 'DOWN', 'DOWN', 'DEGRADED', 'EXPIRING']

test(`${LIVES} lives: alerted once, nobody forgotten, the end to exactly the alerted, none by a pause, silence in quiet hours, steps on time and none after an acknowledgement`, (t) => {
  const counts = {
    alerted: 0,
    ends: 0,
    closed: 0,
    reminders: 0,
    digests: 0,
    escalated: 0,
    planning: 0,
    sending: 0,
    duplicates: 0,
  }
  const hours = { quiet: 0, changed: 0 }
  for (let seed = 1; seed <= LIVES; seed++) {
    const { life, overChange } = live(seed)
    assert.deepEqual(violationsOf(life), [], `seed ${seed}`)
    count(life, counts)
    hours.changed += Number(overChange)
    hours.quiet += Number(life.contacts.some(({ rules }) => isQuiet(rules.quiet, life.nowMs)))
  }
  t.diagnostic(JSON.stringify({ ...counts, ...hours }))
  for (const [what, times] of Object.entries({ ...counts, changed: hours.changed }))
    assert.ok(times > LIVES / 4, `${what}: ${times}`)
})

for (const [name, bug] of Object.entries(PLANTS))
  test(`caught: ${bug}`, () => {
    for (let seed = 1; seed <= PLANTED_LIVES; seed++)
      // Safe because PLANTS has no other keys.
      if (violationsOf(live(seed, name as Plant).life).length > 0) return
    assert.fail(`${name} was not caught in ${PLANTED_LIVES} lives`)
  })

function live(seed: number, plant?: Plant) {
  const rng = createRng(seed)
  const zone = rng.pick(ZONES)
  const { startMs, overChange } = startOf(rng, zone)
  const life = new Life(rng, startMs, plant)
  for (let i = 0; i < 3; i++) addContact(life, rng, zone)
  for (let i = 0; i < 60; i++) {
    happen(life, rng, zone)
    life.run(rng.chance(0.5) ? rng.int(0, 20) : rng.int(20, 900))
  }
  // A day in which nothing happens, so that everything pending is sent; then everything ends.
  life.run(25 * 3600)
  for (const { uuid, kind, endedAt } of life.conditions.values())
    if (kind !== 'EXPIRING' && endedAt === null) life.end(uuid)
  life.run(25 * 3600)
  return { life, overChange }
}

/** Some hours before the clocks change, if they do. */
function startOf(rng: Rng, zone: string): { startMs: number; overChange: boolean } {
  const changes = zoneClock(zone).changes.filter(({ atMs }) => atMs > Date.UTC(2024, 0, 1))
  if (changes.length === 0) return { startMs: Date.UTC(2026, 5, 1), overChange: false }
  const { atMs } = rng.pick(changes)
  return { startMs: atMs - rng.int(0, 6) * HOUR_MS, overChange: true }
}

function addContact(life: Life, rng: Rng, zone: string): void {
  const uuid = `contact ${life.contacts.length}`
  const channel = rng.pick(CHANNELS)
  life.contacts = [...life.contacts, { uuid, channel, enabled: true, rules: makeRules(rng, zone) }]
}

function makeRules(rng: Rng, zone: string): AlertRules {
  const states = ALERT_STATES.filter(() => rng.chance(0.8))
  const hours = [0, 1, 2, 3, 6, 22].map((hour) => `${String(hour).padStart(2, '0')}:`)
  const [from, to] = [`${rng.pick(hours)}00`, `${rng.pick(hours)}30`]
  return {
    states: states.length > 0 ? states : ['DOWN'],
    delayMinutes: rng.pick([0, 0, 1, 10]),
    reminderMinutes: rng.pick([null, 60, 240]),
    quiet: rng.chance(0.6) ? { from, to, zone } : null,
  }
}

function happen(life: Life, rng: Rng, zone: string): void {
  const open = [...life.conditions.values()].filter(({ endedAt }) => endedAt === null)
  const lasting = open.filter(({ kind }) => kind !== 'EXPIRING')
  const what = rng.int(0, 13)
  if (what <= 4) fail(life, rng)
  else if (what <= 9 && lasting.length > 0) touch(life, rng, rng.pick(lasting).uuid, what)
  else if (what === 10) life.freeze(rng.int(1, 600), rng.pick(['PLANNERS', 'SENDERS'] as const))
  else if (what === 11 && life.contacts.length < 6) addContact(life, rng, zone)
  else if (what === 12) abandon(life, rng)
  else for (const { uuid } of open) life.change(uuid, { awaitsHost: false })
}

function touch(life: Life, rng: Rng, uuid: string, what: number): void {
  const { acknowledgedAt } = life.conditions.get(uuid) ?? {}
  if (what === 8) life.change(uuid, { acknowledgedAt: acknowledgedAt ?? new Date(life.nowMs) })
  else life.end(uuid, what === 9 ? rng.pick(ACTORS) : 'RECOVERED')
}

/** Paused before the failure could be sent. */
function abandon(life: Life, rng: Rng): void {
  const before = new Set(life.conditions.keys())
  life.freeze(600, 'SENDERS')
  fail(life, rng)
  life.run(rng.int(60, 500))
  for (const { uuid, kind } of life.conditions.values())
    if (!before.has(uuid) && kind !== 'EXPIRING') life.end(uuid, rng.pick(ACTORS))
}

/** One monitor, or a host with many. */
function fail(life: Life, rng: Rng): void {
  const kind = rng.pick(KINDS)
  const host = rng.pick(HOSTS)
  const monitors = rng.chance(0.15) && host !== null ? rng.int(3, 30) : 1
  const steps = kind === 'DOWN' && rng.chance(0.4) ? rng.pick(POLICIES) : []
  for (let i = 0; i < monitors; i++) {
    const uuid = `condition ${life.conditions.size}`
    const own = { uuid, kind, host, monitorUuid: `monitor of ${uuid}`, ...divide(life, steps) }
    life.fail({ ...own, isSilent: false, awaitsHost: kind === 'DOWN' && rng.chance(0.3) })
    if (rng.chance(0.5)) life.run(1)
  }
}

/** The last contacts follow step by step; the others are alerted from the beginning. */
function divide({ contacts }: Life, steps: readonly number[]) {
  const uuids = contacts.map(({ uuid }) => uuid)
  const attached = Math.max(0, uuids.length - steps.length)
  return {
    contactUuids: uuids.slice(0, attached),
    escalation: uuids.slice(attached).map((contactUuid, at) => ({
      contactUuid,
      step: at + 1,
      afterMinutes: steps[at] ?? 1,
    })),
  }
}

type EventCounts = Record<string, number>
function count(life: Life, counts: EventCounts): void {
  const add = (what: string, n: number) => (counts[what] = (counts[what] ?? 0) + n)
  const of = (...kinds: string[]) => life.queue.filter(({ kind }) => kinds.includes(kind))
  add('alerted', of('DOWN', 'DEGRADED', 'EXPIRING').length)
  add('ends', of('RECOVERED', 'PARTLY_RECOVERED').length)
  add('closed', of('CLOSED').length)
  add('reminders', of('REMINDER').length)
  add('escalated', life.queue.filter(({ escalated }) => escalated !== undefined).length)
  add('digests', of('DOWN').filter(({ conditionUuids }) => conditionUuids.length > 2).length)
  for (const [what, n] of Object.entries(life.deaths)) add(what, n)
}
