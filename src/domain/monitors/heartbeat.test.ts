import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  deadlineAt,
  type HeartbeatRule,
  heartbeatDueAt,
  holdRecovery,
  judgeDeadline,
  judgeNow,
  type PingReceipt,
  type PingSignal,
  parsePingSignal,
  receive,
  silentSince,
  startClock,
  stateAfter,
} from './heartbeat.ts'
import { type HeartbeatClock } from './heartbeat-clock.ts'
import type { MonitorState } from './monitor.ts'

// Every hour, with five minutes of grace. Times are seconds after the clock started.
const RULE: HeartbeatRule = { expectedPeriodSec: 3600, intervalSeconds: 300, graceSeconds: 300 }
const T0 = Date.UTC(2026, 10, 14, 22, 0, 0)
const at = (second: number) => new Date(T0 + second * 1000)
const HEARD: PingReceipt = { until: at(1e9), outages: [] }
const secondsOf = (date: Date | null) => date && (date.getTime() - T0) / 1000

type Call = [second: number, signal: PingSignal, rid?: string]
function clockAfter(calls: readonly Call[]): HeartbeatClock {
  return calls.reduce(
    (clock, [second, signal, rid]) =>
      receive(clock, { signal, at: at(second), rid: rid ?? null }).clock,
    startClock(at(0)),
  )
}

// biome-ignore format: a table is read by its columns
const suffixes: [suffix: string, signal: PingSignal | undefined][] = [
  ['', 'SUCCESS'], ['start', 'START'], ['fail', 'FAIL'], ['log', 'LOG'],
  ['0', 'SUCCESS'], ['1', 'FAIL'], ['137', 'FAIL'], ['255', 'FAIL'],
  ['256', undefined], ['00', undefined], ['01', undefined], ['-1', undefined], ['1.0', undefined],
  ['1e1', undefined], ['Start', undefined], ['stop', undefined], [' 1', undefined], ['1234', undefined],
]
for (const [suffix, signal] of suffixes) {
  test(`/hb/token/${suffix} is ${signal ?? 'no address'}`, () => {
    assert.equal(parsePingSignal(suffix), signal)
  })
}

// biome-ignore format: a table is read by its columns
const deadlines: [why: string, rule: Partial<HeartbeatRule>, calls: Call[], second: number][] = [
  ['never pinged: counts from creation',        {}, [],                                   3900],
  ['the last ping moves it',                    {}, [[100, 'SUCCESS']],                   4000],
  ['the interval stands in for a null period',  { expectedPeriodSec: null }, [],          600],
  ['no grace',                                  { graceSeconds: 0 }, [],                  3600],
  ['a failure is a sign of life too',           {}, [[100, 'FAIL']],                      4000],
  ['a log line is not',                         {}, [[100, 'LOG']],                       3900],
  ['a run must end within the grace',           {}, [[100, 'START']],                     400],
  ['which is a minute at least',                { graceSeconds: 10 }, [[100, 'START']],   160],
  ['a run begun just in time has its time',     {}, [[3899, 'START']],                    4199],
  ['its end counts as the ping',                {}, [[100, 'START'], [200, 'SUCCESS']],   4100],
  ['so does its failure',                       {}, [[100, 'START'], [200, 'FAIL']],      4100],
  ['starting again does not extend it',         {}, [[100, 'START'], [350, 'START']],     400],
  ['rid pairs start and end',                   {}, [[100, 'START', 'a'], [200, 'START', 'b'], [250, 'SUCCESS', 'a']], 500],
  ['another run\'s end does not end this one',  {}, [[100, 'START', 'a'], [200, 'SUCCESS', 'b']], 400],
  ['the oldest open run decides',               {}, [[100, 'START', 'a'], [200, 'START', 'b']], 400],
]
for (const [why, rule, calls, second] of deadlines) {
  test(`deadline: ${why}`, () => {
    assert.equal(secondsOf(deadlineAt({ ...RULE, ...rule }, clockAfter(calls))), second)
  })
}

// biome-ignore format: a table is read by its columns
const verdicts: [signal: PingSignal, verdict: string | undefined][] = [
  ['SUCCESS', 'PASSED'],
  ['FAIL',    'FAILED HEARTBEAT_FAILED 100'], // right away
  ['START',   undefined],
  ['LOG',     undefined],
]
for (const [signal, expected] of verdicts) {
  test(`a call ${signal} is ${expected ?? 'no verdict'}`, () => {
    const { verdict } = receive(startClock(at(0)), { signal, at: at(100), rid: null })
    assert.equal(told(verdict), expected)
  })
}

function told(verdict: ReturnType<typeof judgeNow>): string | undefined {
  if (verdict === undefined || verdict.verdict === 'PASSED') return verdict?.verdict
  return `FAILED ${verdict.cause} ${secondsOf(verdict.failedAt)}`
}

// biome-ignore format: a table is read by its columns
const judgements: [why: string, calls: Call[], second: number, verdict: string | undefined][] = [
  ['before the deadline',            [[100, 'SUCCESS']],  3999.999, undefined],
  ['at the deadline',                [[100, 'SUCCESS']],  4000,     'FAILED HEARTBEAT_MISSED 4000'],
  ['late: the outage began with it', [[100, 'SUCCESS']],  4500,     'FAILED HEARTBEAT_MISSED 4000'],
  ['never pinged',                   [],                  3900,     'FAILED HEARTBEAT_MISSED 3900'],
  ['a run that did not end',         [[100, 'START']],    400,      'FAILED HEARTBEAT_MISSED 400'],
  ['a ping came first',              [[100, 'SUCCESS'], [4000, 'SUCCESS']], 4000, undefined],
]
for (const [why, calls, second, expected] of judgements) {
  test(`the deadline's verdict, ${why}: ${expected ?? 'none'}`, () => {
    const { clock, verdict } = judgeDeadline(RULE, clockAfter(calls), at(second), HEARD)
    assert.equal(told(verdict), expected)
    assert.equal(heartbeatDueAt(RULE, clock) === null, expected !== undefined)
  })
}

// biome-ignore format: a table is read by its columns
const requested: [why: string, calls: Call[], second: number, verdict: string | undefined][] = [
  ['overdue',                          [[100, 'SUCCESS']], 4000, 'FAILED HEARTBEAT_MISSED 4000'],
  ['pinged in time',                   [[100, 'SUCCESS']], 3999, 'PASSED'],
  ['no ping yet, not overdue',         [],                 3899, undefined],
  ['no ping yet, overdue',             [],                 3900, 'FAILED HEARTBEAT_MISSED 3900'],
  ['the last ping was a failure',      [[100, 'FAIL']],    200,  'FAILED HEARTBEAT_FAILED 100'], // stays failed
  ['in a run, pinged in time before',  [[100, 'SUCCESS'], [200, 'START']], 300, 'PASSED'],
  ['in a run begun just in time',      [[3899, 'START']],  4000, undefined],
]
for (const [why, calls, second, expected] of requested) {
  test(`POST /check, ${why}: ${expected ?? 'unchanged'}`, () => {
    assert.equal(told(judgeNow(RULE, clockAfter(calls), at(second), HEARD)), expected)
  })
}

test('a missed run stays missed for POST /check, though the period is not over', () => {
  const { clock } = judgeDeadline(RULE, clockAfter([[100, 'START']]), at(400), HEARD)
  assert.equal(told(judgeNow(RULE, clock, at(500), HEARD)), 'FAILED HEARTBEAT_MISSED 400')
})

test('a missed deadline is told once, and the next call starts the clock again', () => {
  const missed = judgeDeadline(RULE, startClock(at(0)), at(3900), HEARD).clock
  assert.equal(judgeDeadline(RULE, missed, at(9999), HEARD).verdict, undefined)
  const { clock, verdict } = receive(missed, { signal: 'SUCCESS', at: at(10_000), rid: null })
  assert.equal(told(verdict), 'PASSED')
  assert.equal(secondsOf(heartbeatDueAt(RULE, clock)), 13_900)
  assert.equal(secondsOf(silentSince(clock)), 10_000)
})

test('runs that never end stay bounded and the oldest is not forgotten', () => {
  const calls = Array.from({ length: 100 }, (_, i): Call => [i, 'START', `run ${i}`])
  const clock = clockAfter(calls)
  assert.equal(clock.runs.length, 20)
  assert.equal(secondsOf(deadlineAt(RULE, clock)), 300)
})

test('days of 23 and 25 hours raise no alarm: a period is seconds, not a wall clock', () => {
  const nightly: HeartbeatRule = {
    expectedPeriodSec: 86_400,
    intervalSeconds: 300,
    graceSeconds: 3600,
  }
  for (const nightHours of [23, 24, 25]) {
    const pinged = { ...clockAfter([]), lastPing: { at: at(0), passed: true } }
    assert.equal(
      judgeDeadline(nightly, pinged, at(nightHours * 3600 - 1), HEARD).verdict,
      undefined,
    )
  }
})

test('pings less than period + grace apart never miss, and a longer silence always does', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 3899 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 3900, max: 9999 }), (seconds, silence) => {
      let now = 0
      let clock = startClock(at(0))
      for (const gap of seconds) {
        now += gap
        assert.equal(judgeDeadline(RULE, clock, at(now), HEARD).verdict, undefined)
        clock = receive(clock, { signal: 'SUCCESS', at: at(now), rid: null }).clock
      }
      const { verdict } = judgeDeadline(RULE, clock, at(now + silence), HEARD)
      assert.equal(told(verdict), `FAILED HEARTBEAT_MISSED ${now + 3900}`)
    }),
  )
})

type Span = [from: number, to: number]
const receiptOf = (until: number, outages: readonly Span[]): PingReceipt => ({
  until: at(until),
  outages: outages.map(([from, to]) => ({ startedAt: at(from), endedAt: at(to) })),
})

// Judged long afterwards. Without our downtime, the deadline is 3900, or 300 s after the start of a run.
// biome-ignore format: a table is read by its columns
const downtimes: [why: string, calls: Call[], until: number, outages: Span[], missed: number | null][] = [
  ['no downtime',                                        [],                 9999, [],                           3900],
  ['downtime before the clock started does not count',   [],                 9999, [[-500, -100]],               3900],
  ['downtime moves the deadline',                        [],                 9999, [[1000, 1170]],               4070],
  ['of downtime the part since the start counts',        [],                 9999, [[-100, 50]],                 3950],
  ['each outage counts',                                 [],                 9999, [[10, 20], [30, 60]],         3940],
  ['outages that overlap count once',                    [],                 9999, [[10, 60], [30, 40], [50, 70]], 3960],
  ['a ping starts the count again',                      [[100, 'SUCCESS']], 9999, [[10, 60]],                   4000],
  ['a failure reported by the job does too',             [[100, 'FAIL']],    9999, [[10, 60], [200, 210]],       4010],
  ['downtime longer than period and grace',              [],                 9999, [[600, 6600]],                9900],
  ['downtime across the deadline moves it',              [],                 9999, [[3890, 4890]],               4900],
  ['downtime after the deadline changes nothing',        [],                 9999, [[5000, 6000]],               3900],
  ['the order of the record does not matter',            [],                 9999, [[4000, 4100], [100, 300]],   4200],
  ['a run has its own count',                            [[100, 'START']],   9999, [[50, 200]],                  500],
  ['not while the record ends before the deadline',      [],                 3899, [],                           null],
  ['nor when downtime has moved it past the record',     [],                 4000, [[100, 400]],                 null],
]

for (const [why, calls, until, outages, expected] of downtimes)
  test(`own downtime: ${why}`, () => {
    const receipt = receiptOf(until, outages)
    const { clock, verdict } = judgeDeadline(RULE, clockAfter(calls), at(20_000), receipt)
    assert.equal(secondsOf(clock.missedAt), expected)
    assert.equal(verdict?.verdict, expected === null ? undefined : 'FAILED')
    const now = judgeNow(RULE, clockAfter(calls), at(20_000), receipt)
    assert.equal(told(now), expected === null ? undefined : `FAILED HEARTBEAT_MISSED ${expected}`)
  })

test('own downtime: the clock remembers it, so that what is due next is known without the record', () => {
  const receipt = receiptOf(3900, [[100, 400]])
  const { clock, verdict } = judgeDeadline(RULE, clockAfter([]), at(3900), receipt)
  assert.equal(verdict, undefined)
  assert.equal(secondsOf(heartbeatDueAt(RULE, clock)), 4200)
  assert.equal(judgeDeadline(RULE, clock, at(3901), receipt).clock, clock, 'nothing new')
  const pinged = receive(clock, { signal: 'SUCCESS', at: at(4000), rid: null }).clock
  assert.equal(secondsOf(heartbeatDueAt(RULE, pinged)), 7900)
})

// biome-ignore format: a table is read by its columns
const changes: [state: MonitorState, signal: PingSignal, after: MonitorState][] = [
  ['PENDING', 'SUCCESS', 'UP'],
  ['PENDING', 'FAIL',    'DOWN'],
  ['UP',      'SUCCESS', 'UP'],
  ['UP',      'FAIL',    'DOWN'],
  ['DOWN',    'SUCCESS', 'UP'],
  ['DOWN',    'FAIL',    'DOWN'],
  ['UP',      'START',   'UP'],
  ['DOWN',    'LOG',     'DOWN'],
  ['PAUSED',  'SUCCESS', 'PAUSED'],
  ['PAUSED',  'FAIL',    'PAUSED'],
]
for (const [state, signal, after] of changes)
  test(`${signal} while ${state} -> ${after}`, () => assert.equal(stateAfter(state, signal), after))

test('a success that waits: due when its time comes, kept by /start and /log, and outdated by any report', () => {
  const held = holdRecovery(
    clockAfter([
      [10, 'FAIL'],
      [100, 'SUCCESS'],
    ]),
    at(310),
  )
  assert.equal(secondsOf(heartbeatDueAt(RULE, held)), 310)
  assert.deepEqual(judgeDeadline(RULE, held, at(309), HEARD), { clock: held })
  const { clock, verdict } = judgeDeadline(RULE, held, at(311), HEARD)
  assert.deepEqual(verdict, { verdict: 'PASSED' })
  assert.equal(secondsOf(silentSince(clock)), 100)
  assert.equal(secondsOf(heartbeatDueAt(RULE, clock)), 4000)
  const after = (signal: PingSignal) => receive(held, { signal, at: at(200), rid: null }).clock
  for (const signal of ['START', 'LOG'] as const)
    assert.equal(secondsOf(after(signal).recoversAt ?? null), 310)
  for (const signal of ['SUCCESS', 'FAIL'] as const)
    assert.equal(after(signal).recoversAt, undefined)
})

test('a success that waits: a deadline that is missed before its time comes first', () => {
  const often = { ...RULE, expectedPeriodSec: 60, graceSeconds: 0 }
  const held = holdRecovery(clockAfter([[100, 'SUCCESS']]), at(310))
  assert.equal(secondsOf(heartbeatDueAt(often, held)), 160)
  const { clock, verdict } = judgeDeadline(often, held, at(400), HEARD)
  assert.equal(verdict?.verdict, 'FAILED')
  assert.equal(heartbeatDueAt(often, clock), null)
})
