// What judges of heartbeats, windows and lateness must find in a run that somebody made up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run } from '../../oracle/run.ts'
import { createRng } from '../rng.ts'
import { judgeJobs } from './jobs.ts'
import { judgeSimulation } from './judge.ts'
import { createWindow, judgeWindow } from './windows.ts'
import { IMAGE_DAY_MS, type Job, type Target } from './world.ts'

const START_MS = IMAGE_DAY_MS
const MINUTE_MS = 60_000
const UUID = '01940000-0000-7000-8000-000000001388'

const EMPTY: Run = {
  settledMs: START_MS + 60 * MINUTE_MS,
  monitors: [{ no: 1, uuid: UUID, intervalSeconds: 60, state: 'UP', nextDueMs: null }],
  results: [],
  missed: [],
  spans: [],
  incidents: [],
  evidence: [],
  timeline: [],
  events: [],
  hits: [],
  outages: [],
  calls: [],
}

test('judgeJobs: DOWN without silence, and silence without DOWN, are violations', () => {
  const job = (silentMinutes: number): Job => {
    const fromMs = START_MS + 10 * MINUTE_MS
    const silences = [{ fromMs, toMs: fromMs + silentMinutes * MINUTE_MS }]
    return { name: 'Job', periodSeconds: 60, graceSeconds: 60, silences }
  }
  const found = (silentMinutes: number, downMinute?: number) => {
    const startedMs = START_MS + (downMinute ?? 0) * MINUTE_MS
    const down = { monitorNo: 1, state: 'DOWN', startedMs, endedMs: startedMs + MINUTE_MS }
    const run = { ...EMPTY, spans: downMinute === undefined ? [] : [down] }
    const uuidOf = new Map([[job(silentMinutes), UUID]])
    return judgeJobs(run, { uuidOf, faults: [], endMs: EMPTY.settledMs }).length
  }
  assert.deepEqual([found(4), found(5), found(5, 12), found(1, 5), found(1, 30)], [0, 1, 0, 1, 1])
})

test('judgeWindow: a window that recurs an hour off is a violation', () => {
  const { window, startMs } = createWindow(createRng(1), START_MS + 20 * 3_600_000)
  const eventsAt = (secondMs: number) => {
    const lengthMs = window.toMs - window.fromMs
    return [window.fromMs, secondMs].flatMap((fromMs) => {
      const about = { monitorUuid: null, incidentId: null, previousState: null }
      return [
        { type: 'maintenance.started', atMs: fromMs },
        { type: 'maintenance.ended', atMs: fromMs + lengthMs },
      ].map(({ type, atMs }, i) => {
        const id = `${fromMs} ${i}`
        return { ...about, id, bodyId: id, type, bodyType: type, atMs }
      })
    })
  }
  const secondMs = startMs + 150_000
  const settledMs = secondMs + 10 * MINUTE_MS
  const found = (offMs: number) =>
    judgeWindow({ ...EMPTY, settledMs, events: eventsAt(secondMs + offMs) }, window).length
  assert.deepEqual([found(0), found(-60 * MINUTE_MS), found(1)], [0, 1, 1])
})

test('judgeSimulation: a check that begins late is a violation, unless a fault was near', () => {
  const target: Target = {
    name: 'host.example',
    address: '93.184.0.10',
    intervalSeconds: 300,
    timeoutSeconds: 5,
    failures: [],
    elsewhere: undefined,
    connectMs: 1,
    responseMs: 1,
  }
  const found = (lateMs: number, faultMs?: number) => {
    const slotMs = START_MS + 10 * MINUTE_MS
    const result = { monitorNo: 1, slotMs, kind: 'SCHEDULED', verdict: 'PASSED' } as const
    const hit = { monitorUuid: UUID, atMs: slotMs + lateMs, status: 200, from: 'probe' }
    const run = { ...EMPTY, results: [{ ...result, statusCode: 200, region: 'eu' }], hits: [hit] }
    const faults = faultMs === undefined ? [] : [{ fromMs: slotMs, toMs: slotMs + faultMs }]
    const targets = new Map([[UUID, target]])
    const all = judgeSimulation({ run, targets, received: undefined, faults })
    return all.filter((text) => text.startsWith('LATE')).length
  }
  assert.deepEqual([found(44_000), found(45_000), found(45_000, 1000)], [0, 1, 0])
})
