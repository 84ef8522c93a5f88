import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planAlerts } from './alerting.ts'
import type { ContactChannel } from './channels.ts'
import {
  ALERT_STATES,
  type AlertCondition,
  type AlertRules,
  type Contact,
  type Notification,
} from './model.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS)

/** `open`, or how the condition ended. */
type Fate = 'open' | 'RECOVERED' | 'MONITOR_PAUSED' | 'MONITOR_CHANGED' | 'MONITOR_DELETED'

function condition(uuid: string, fate: Fate): AlertCondition {
  return {
    uuid,
    kind: 'DOWN',
    monitorUuid: `monitor of ${uuid}`,
    host: null,
    noticedAt: ago(30),
    endedAt: fate === 'open' ? null : ago(2),
    resolution: fate === 'open' ? null : fate,
    acknowledgedAt: null,
    isSilent: false,
    awaitsHost: false,
    contactUuids: ['contact'],
    escalation: [],
  }
}

const telling = (conditionUuid: string, endToldAt: Date | null = null): Notification => ({
  conditionUuid,
  contactUuid: 'contact',
  thread: 'a',
  toldAt: ago(29),
  remindedAt: null,
  endToldAt,
})

function plan(
  channel: ContactChannel,
  rules: Partial<AlertRules>,
  conditions: readonly AlertCondition[],
) {
  const own = { states: ALERT_STATES, delayMinutes: 0, reminderMinutes: null, quiet: null }
  const contact: Contact = { uuid: 'contact', channel, enabled: true, rules: { ...own, ...rules } }
  const tellings = conditions.map(({ uuid }) => telling(uuid))
  const input = { contacts: [contact], conditions, notifications: tellings }
  return planAlerts(input, { holdMs: 5_000, togetherMs: MINUTE_MS }, NOW)
}

const QUIET = { quiet: { from: '11:00', to: '13:00', zone: 'UTC' } }
const NO_ENDS = { states: ['DOWN'] as const }

// biome-ignore format: a table is read by its columns
const rows: [channel: ContactChannel, rules: Partial<AlertRules>, fates: Fate[], told: string[], done: number][] = [
  ['EMAIL',     {},      ['RECOVERED'],                         ['RECOVERED a'],   1],
  ['EMAIL',     {},      ['MONITOR_PAUSED'],                    [],                1],
  ['SLACK',     {},      ['MONITOR_DELETED'],                   [],                1],
  ['WEBHOOK',   {},      ['MONITOR_CHANGED'],                   [],                1],
  ['PAGERDUTY', {},      ['MONITOR_PAUSED'],                    ['CLOSED a'],      1],
  ['OPSGENIE',  {},      ['MONITOR_DELETED'],                   ['CLOSED a'],      1],
  ['PAGERDUTY', NO_ENDS, ['MONITOR_PAUSED'],                    [],                1],
  ['PAGERDUTY', QUIET,   ['MONITOR_PAUSED'],                    ['CLOSED a'],      1], // a close wakes no one
  ['EMAIL',     QUIET,   ['MONITOR_PAUSED'],                    [],                1],
  ['EMAIL',     QUIET,   ['RECOVERED'],                         [],                0],
  ['PAGERDUTY', {},      ['MONITOR_PAUSED', 'MONITOR_DELETED'], ['CLOSED a+b'],    2],
  ['PAGERDUTY', {},      ['MONITOR_PAUSED', 'open'],            [],                1], // stays open for the other
  ['EMAIL',     {},      ['MONITOR_PAUSED', 'open'],            [],                1],
  ['PAGERDUTY', {},      ['MONITOR_PAUSED', 'RECOVERED'],       ['RECOVERED b'],   2],
  ['EMAIL',     {},      ['MONITOR_PAUSED', 'RECOVERED'],       ['RECOVERED b'],   2],
  ['EMAIL',     {},      ['MONITOR_PAUSED', 'RECOVERED', 'open'], ['PARTLY_RECOVERED b'], 2],
]

for (const [channel, rules, fates, told, done] of rows)
  test(`${channel}, told of what ends by ${fates.join(' and ')}: ${told.join() || 'nothing'}${rules === QUIET ? ' in quiet hours' : ''}`, () => {
    const conditions = fates.map((fate, index) => condition('abc'.charAt(index), fate))
    const { messages, doneUuids } = plan(channel, rules, conditions)
    const story = messages.map(({ kind, conditionUuids }) => `${kind} ${conditionUuids.join('+')}`)
    assert.deepEqual([story, doneUuids.length], [told, done])
  })
