import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MONITOR_STATES, type MonitorState } from '../monitors/monitor.ts'
import {
  type ConditionEnd,
  type ConditionFacts,
  ENDED,
  ENDED_BY_NEWER,
  endOf,
  type Situation,
} from './condition-end.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const STORED = new Date('2026-11-14T11:00:00Z')
const RESOLVED = new Date('2026-11-14T11:10:00Z')
const CHANGED = new Date('2026-11-14T11:20:00Z')
const NEWER = new Date('2026-11-14T11:30:00Z')

type End = Date | null
// biome-ignore format: a table is read by its columns
const ends: Record<Situation, [alone: End, withNewer: End]> = {
  'DOWN OPEN':                 [null,     null],
  'DOWN RESOLVED':             [RESOLVED, RESOLVED],
  'DOWN DELETED':              [NOW,      NOW],
  'DEGRADED DEGRADED':         [null,     NEWER],
  'DEGRADED DOWN':             [null,     NEWER],
  'DEGRADED UP':               [CHANGED,  CHANGED],
  'DEGRADED PENDING':          [CHANGED,  CHANGED],
  'DEGRADED PAUSED':           [CHANGED,  CHANGED],
  'DEGRADED DELETED':          [NOW,      NOW],
  'WEBHOOK_FAILING UNHEALTHY': [null,     NOW],
  'WEBHOOK_FAILING FAILING':   [null,     NOW],
  'WEBHOOK_FAILING GONE':      [null,     NOW],
  'WEBHOOK_FAILING HEALTHY':   [NOW,      NOW],
  'WEBHOOK_FAILING MANUAL':    [NOW,      NOW],
  'WEBHOOK_FAILING DELETED':   [NOW,      NOW],
  'EXPIRING':                  [null,     null],
  'DNS_CHANGED':               [null,     null],
}
// Safe because the keys of `ends` are situations.
const rows = Object.entries(ends) as [Situation, [End, End]][]

/** The facts that go with a situation. */
function factsOf(situation: Situation, changes: Partial<ConditionFacts> = {}): ConditionFacts {
  const [kind, state] = situation.split(' ')
  const isResolved = situation === 'DOWN RESOLVED'
  const isMonitor = kind === 'DEGRADED' && state !== 'DELETED'
  return {
    situation,
    storedEndAt: null,
    resolvedAt: isResolved ? RESOLVED : null,
    incidentResolution: isResolved ? 'RECOVERED' : null,
    monitorState: isMonitor ? (state as MonitorState) : null,
    stateChangedAt: isMonitor ? CHANGED : null,
    newerAt: null,
    ...changes,
  }
}

for (const [situation, [alone, withNewer]] of rows)
  test(`${situation}: when it ends, alone and with a newer condition, before and after it is stored`, () => {
    const end = (changes: Partial<ConditionFacts>) =>
      endOf(factsOf(situation, changes), NOW).endedAt
    assert.deepEqual([end({}), end({ newerAt: NEWER })], [alone, withNewer])
    assert.equal(end({ storedEndAt: STORED }), STORED)
    assert.equal(end({ storedEndAt: STORED, newerAt: NEWER }), STORED)
    assert.equal(ENDED.includes(situation), alone !== null)
    assert.equal(ENDED_BY_NEWER.includes(situation), alone === null && withNewer !== null)
  })

test('a monitor whose state never changed: a degradation ends now', () => {
  assert.equal(endOf(factsOf('DEGRADED UP', { stateChangedAt: null }), NOW).endedAt, NOW)
})

type Reason = ConditionEnd['resolution']
// biome-ignore format: a table is read by its columns
const reasons: [Situation, MonitorState | null, stored: Date | null, Reason][] = [
  ['DOWN DELETED',            null,       null,   'MONITOR_DELETED'],
  ['DOWN DELETED',            'PAUSED',   null,   'MONITOR_PAUSED'],
  ['DOWN DELETED',            'PENDING',  null,   'MONITOR_CHANGED'],
  ['DOWN DELETED',            'UP',       null,   null],
  ['DOWN DELETED',            'DEGRADED', null,   null],
  ['DOWN DELETED',            'DOWN',     null,   null],
  ['DOWN DELETED',            null,       STORED, null],
  ['DEGRADED DELETED',        null,       null,   'MONITOR_DELETED'],
  ['DEGRADED PAUSED',         'PAUSED',   null,   'MONITOR_PAUSED'],
  ['DEGRADED PENDING',        'PENDING',  null,   'MONITOR_CHANGED'],
  ['DEGRADED UP',             'UP',       null,   null],
  ['DEGRADED DELETED',        null,       STORED, null],
  ['DEGRADED PAUSED',         'PAUSED',   STORED, null],
  ['DEGRADED PENDING',        'PENDING',  STORED, null],
  ['DEGRADED UP',             'UP',       STORED, null],
  ['WEBHOOK_FAILING HEALTHY', null,       null,   null],
  ['WEBHOOK_FAILING MANUAL',  null,       null,   null],
  ['WEBHOOK_FAILING DELETED', null,       null,   null],
]
for (const [situation, monitorState, storedEndAt, resolution] of reasons)
  test(`${situation}, monitor ${monitorState ?? 'deleted'}${storedEndAt ? ', stored' : ''}: ${resolution ?? 'no reason'}`, () => {
    const facts = factsOf(situation, { monitorState, storedEndAt })
    assert.equal(endOf(facts, NOW).resolution, resolution)
  })

test('an outage ends for the reason of its incident, whatever happens to its monitor', () => {
  const incident = ['RECOVERED', 'MONITOR_PAUSED', 'MONITOR_CHANGED'] as const
  for (const incidentResolution of incident)
    for (const monitorState of [...MONITOR_STATES, null])
      for (const storedEndAt of [STORED, null]) {
        const facts = factsOf('DOWN RESOLVED', { incidentResolution, monitorState, storedEndAt })
        assert.equal(endOf(facts, NOW).resolution, incidentResolution)
      }
})

test('what goes on has no reason, and neither has what a newer condition ended', () => {
  for (const [situation, [alone]] of rows) {
    if (alone !== null) continue
    assert.deepEqual(endOf(factsOf(situation), NOW), { endedAt: null, resolution: null })
    assert.equal(endOf(factsOf(situation, { newerAt: NEWER }), NOW).resolution, null)
  }
})
