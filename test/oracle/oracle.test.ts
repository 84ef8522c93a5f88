// Tests the judge itself: a small sound run passes, and each planted violation is caught.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './judge.ts'
import { control } from './plant.ts'
import type { EventRow, Run } from './run.ts'

const STEP_MS = 30_000
const START_MS = 1_800_000_000_000
// The last twelve digits are the phase: this one is 5 s into the interval.
const UUID = '01940000-0000-7000-8000-000000001388'
const ids = { next: 0 }

function newId(): string {
  ids.next += 1
  return `01940000-0000-7000-8000-${String(ids.next).padStart(12, '0')}`
}

function event(type: string, atMs: number, previousState: string | null = null): EventRow {
  const id = newId()
  const published = { id, bodyId: id, type, bodyType: type, atMs, previousState }
  return { ...published, monitorUuid: UUID, incidentId: null }
}

/** Created, up, down, up, two slots missed, paused, resumed, up. */
function soundRun(): Run {
  const slot = (k: number) => START_MS + 5000 + k * STEP_MS
  const incidentId = newId()
  const result = (slotMs: number, verdict: 'PASSED' | 'FAILED', statusCode: number) => ({
    monitorNo: 1,
    slotMs,
    kind: 'SCHEDULED' as const,
    verdict,
    statusCode,
    region: 'eu',
  })
  const hit = (atMs: number, status: number) => ({
    monitorUuid: UUID,
    atMs,
    status,
    from: '127.0.0.1',
  })
  const pausedMs = slot(6) - 1000
  const resumedMs = slot(8) - 1000
  const [downMs, upMs] = [slot(1) + 10, slot(2) + 20]
  const spans = [
    ['PENDING', START_MS, START_MS + 50],
    ['UP', START_MS + 50, downMs],
    ['DOWN', downMs, upMs],
    ['UP', upMs, pausedMs],
    ['PAUSED', pausedMs, resumedMs],
    ['PENDING', resumedMs, resumedMs + 40],
    ['UP', resumedMs + 40, null],
  ] as const
  const attempts = [
    { number: 1, startedMs: downMs },
    { number: 2, startedMs: downMs + 1000 },
  ]
  return {
    settledMs: slot(8),
    monitors: [{ no: 1, uuid: UUID, intervalSeconds: 30, state: 'UP', nextDueMs: slot(9) }],
    results: [
      result(START_MS, 'PASSED', 200),
      result(slot(0), 'PASSED', 200),
      result(slot(1), 'FAILED', 500),
      result(slot(2), 'PASSED', 200),
      result(slot(5), 'PASSED', 200),
      result(resumedMs, 'PASSED', 200),
      result(slot(8), 'PASSED', 200),
    ],
    missed: [{ monitorNo: 1, fromMs: slot(3), toMs: slot(4), count: 2, reason: 'ENGINE_DOWN' }],
    spans: spans.map(([state, startedMs, endedMs]) => ({
      monitorNo: 1,
      state,
      startedMs,
      endedMs,
    })),
    incidents: [
      {
        id: incidentId,
        monitorUuid: UUID,
        startedMs: downMs,
        resolvedMs: upMs,
        resolution: 'RECOVERED',
      },
    ],
    evidence: ['OPENED', 'LAST_FAILURE', 'RESOLVED'].map((part) => ({
      id: newId(),
      incidentId,
      part,
      location: 'eu',
      attempts: structuredClone(attempts),
    })),
    timeline: ['OPENED', 'RESOLVED'].map((type) => ({
      id: newId(),
      incidentId,
      type,
      atMs: downMs,
    })),
    events: [
      event('monitor.created', START_MS),
      event('monitor.up', START_MS + 50, 'PENDING'),
      event('monitor.down', downMs, 'UP'),
      event('incident.opened', downMs),
      event('monitor.up', upMs, 'DOWN'),
      event('incident.resolved', upMs),
      event('monitor.paused', pausedMs),
      event('monitor.resumed', resumedMs),
      event('monitor.up', resumedMs + 40, 'PENDING'),
    ],
    hits: [
      ...[START_MS, slot(0), slot(2), slot(5), resumedMs, slot(8)].map((ms) => hit(ms + 5, 200)),
      hit(downMs, 500),
      hit(downMs + 1000, 500),
    ],
    outages: [],
    calls: [{ operation: 'createMonitor', monitorUuid: UUID }],
  }
}

test('a sound history raises nothing, and all of it was checked', () => {
  const { violations, counts } = judge(soundRun())
  assert.deepEqual(violations, [])
  assert.deepEqual([counts['slotsDue'], counts['slotsRun'], counts['slotsMissed']], [9, 7, 2])
  assert.equal(counts['latenessMaxMs'], 10)
})

for (const { name, outcome } of control(soundRun()))
  test(`planted: ${name}`, () => assert.equal(outcome, 'CAUGHT'))
