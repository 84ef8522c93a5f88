// A short simulation of the product itself. `npm run sim` plays long ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run } from '../../oracle/run.ts'
import { SMALL } from './installations.ts'
import { judgeSimulation } from './judge.ts'
import { simulate } from './simulate.ts'
import type { Target } from './world.ts'

const size = { monitors: 2, minutes: 1, quietMinutes: 0, intervalSeconds: 30, hasFaults: false }
const START_MS = Date.UTC(2027, 2, 27)
const UUID = '01940000-0000-7000-8000-000000001388'

test('a seed is a simulation: played again it is the same, also when nothing is remembered', async () => {
  const lines: string[] = []
  const onTrace = (line: string) => void lines.push(line)
  const options = { seed: 1, size, processes: SMALL, onTrace }
  const first = await simulate(options)
  assert.deepEqual(first.violations, [])
  assert.ok(first.counts.checks >= 4)
  assert.ok(first.counts.remembered > 50)
  const played = lines.splice(0)
  assert.ok(played.length > 500, `${played.length} lines`)
  const again = await simulate({ ...options, isChecked: true })
  assert.deepEqual(again.violations, [])
  assert.equal(lines.join('\n'), played.join('\n'))
  assert.equal(again.trace, first.trace)
})

function runOf(given: Partial<Run>): Run {
  const slotMs = START_MS + 5000
  const [nextDueMs, settledMs] = [slotMs + 60_000, slotMs + 1]
  const monitor = { no: 1, uuid: UUID, intervalSeconds: 60, state: 'UP', nextDueMs }
  const life = { type: 'monitor.created', bodyType: 'monitor.created', atMs: slotMs }
  const about = { monitorUuid: UUID, incidentId: null, previousState: null }
  const result = { monitorNo: 1, slotMs, kind: 'SCHEDULED', verdict: 'PASSED' } as const
  return {
    settledMs,
    monitors: [monitor],
    results: [{ ...result, statusCode: 200, region: 'eu' }],
    missed: [],
    spans: [
      { monitorNo: 1, state: 'PENDING', startedMs: slotMs, endedMs: slotMs + 9 },
      { monitorNo: 1, state: 'UP', startedMs: slotMs + 9, endedMs: null },
    ],
    incidents: [],
    evidence: [],
    timeline: [],
    events: [
      { id: 'a', bodyId: 'a', ...life, ...about },
      {
        ...about,
        id: 'b',
        bodyId: 'b',
        type: 'monitor.up',
        bodyType: 'monitor.up',
        atMs: slotMs + 9,
        previousState: 'PENDING',
      },
    ],
    hits: [{ monitorUuid: UUID, atMs: slotMs, status: 200, from: 'probe' }],
    outages: [],
    calls: [],
    ...given,
  }
}

const target = (outageMinutes: number): Target => ({
  name: 'host.example',
  address: '93.184.216.1',
  intervalSeconds: 60,
  timeoutSeconds: 5,
  failures: [{ fromMs: START_MS, toMs: START_MS + outageMinutes * 60_000, how: 'SILENT' }],
  elsewhere: undefined,
  connectMs: 1,
  responseMs: 1,
})
const judged = (run: Run, minutes: number, received?: readonly string[]) =>
  judgeSimulation({
    run,
    targets: new Map([[UUID, target(minutes)]]),
    received: received?.map((eventId) => ({ eventId, atMs: START_MS, status: 200 })),
  })

test('judgeSimulation: an outage that stays hidden, and events that are lost or made up, are violations', () => {
  assert.deepEqual(judged(runOf({}), 7, ['a', 'b']), [])
  const shown = [
    ...judged(runOf({}), 8),
    ...judged(runOf({}), 1, ['a']),
    ...judged(runOf({}), 1, ['a', 'b', 'c']),
  ].map((text) => text.split(' ').slice(0, 2).join(' '))
  assert.deepEqual(shown, ['HIDDEN 000000001388:', 'EVENT monitor.up', 'EVENT c'])
})

test('judgeSimulation: a delivery that is tried again at once is a violation', () => {
  const retriedAfter = (ms: number) => {
    const times = [START_MS, START_MS + ms, START_MS + 60_000]
    const failed = times.map((atMs) => ({ eventId: 'a', atMs, status: 503 }))
    const received = [...failed, { eventId: 'a', atMs: START_MS + 120_000, status: 200 }]
    const run = runOf({})
    const targets = new Map([[UUID, target(1)]])
    const found = judgeSimulation({
      run: { ...run, events: run.events.slice(0, 1) },
      targets,
      received,
    })
    return found.filter((text) => text.startsWith('RETRY')).length
  }
  assert.deepEqual([3999, 4000].map(retriedAfter), [1, 0])
})

test('judgeSimulation: a region that never reached the target may not say that it is down', () => {
  const run = runOf({})
  const [passed] = run.results
  const fails = (region: string, elsewhere: 'SILENT' | undefined) => {
    const slotMs = START_MS + 65_000
    const failed = { ...passed, slotMs, region, verdict: 'FAILED', statusCode: null } as const
    const results = [...run.results, failed] as Run['results']
    const targets = new Map([[UUID, { ...target(1), elsewhere }]])
    const found = judgeSimulation({ run: { ...run, results }, targets, received: undefined })
    return found.filter((text) => text.startsWith('REGION')).length
  }
  assert.deepEqual(
    [fails('us', 'SILENT'), fails('us', undefined), fails('eu', 'SILENT')],
    [1, 0, 0],
  )
})

test('judgeSimulation: what is healthy again is not DOWN for long', () => {
  const afterMinutes = (minutes: number) => {
    const run = runOf({ settledMs: START_MS + minutes * 60_000 })
    const monitors = run.monitors.map((row) => ({ ...row, state: 'DOWN' }))
    return judged({ ...run, monitors }, 1).filter((text) => text.startsWith('END')).length
  }
  assert.deepEqual([3, 4].map(afterMinutes), [0, 1])
})

test('judgeSimulation: what the receiver accepted comes again only after a fault', () => {
  const again = (faultMs?: number) => {
    const received = [START_MS, START_MS + 30_000].map((atMs) => ({
      eventId: 'a',
      atMs,
      status: 200,
    }))
    const run = runOf({})
    const targets = new Map([[UUID, target(1)]])
    const repeated = faultMs === undefined ? [] : [{ fromMs: faultMs, toMs: faultMs + 60_000 }]
    const found = judgeSimulation({ run, targets, received, repeated })
    return found.filter((text) => text.startsWith('TWICE')).length
  }
  assert.deepEqual([again(), again(START_MS - 61_000), again(START_MS + 500)], [1, 1, 0])
})
