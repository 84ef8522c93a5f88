import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterFailure,
  breakerOf,
  DEFAULT_SCHEDULE_SECONDS as DEFAULT,
  type DeliveryFailure,
  type EndpointHealth,
  fateOf,
  HEALTHY,
  nextDelayMs,
  outcomeOf,
  parseRetryAfter,
  waitLimitsMs,
} from './retry-schedule.ts'

const SHRUNK = [0.05, 0.3, 1.2, 6] // a hundredth of the default
const MIDDLE = 0.5 // of the jitter: exactly the planned delay
const T0 = Date.UTC(2026, 10, 14, 22, 39, 0)
const at = (second: number) => new Date(T0 + second * 1000)
const answer = (status: number, retryAfterSeconds: number | null = null): DeliveryFailure => ({
  status,
  timedOut: false,
  retryAfterSeconds,
})
const timeout: DeliveryFailure = { status: null, timedOut: true, retryAfterSeconds: null }

// biome-ignore format: a table is read by its columns
const delays: [why: string, schedule: readonly number[], made: number, failure: DeliveryFailure, seconds: number | undefined][] = [
  ['second attempt',                       DEFAULT, 1,  answer(500),        5],
  ['third',                                DEFAULT, 2,  answer(500),        30],
  ['fourth',                               DEFAULT, 3,  answer(500),        120],
  ['fifth',                                DEFAULT, 4,  answer(500),        600],
  ['sixth',                                DEFAULT, 5,  answer(500),        3_600],
  ['seventh',                              DEFAULT, 6,  answer(500),        14_400],
  ['eighth',                               DEFAULT, 7,  answer(500),        36_000],
  ['ninth',                                DEFAULT, 8,  answer(500),        72_000],
  ['tenth',                                DEFAULT, 9,  answer(500),        129_600],
  ['there is no eleventh',                 DEFAULT, 10, answer(500),        undefined],
  ['busy, second attempt: still quick',    DEFAULT, 1,  answer(503),        5],
  ['busy, third attempt: still quick',     DEFAULT, 2,  answer(503),        30],
  ['timeout, second attempt: quick',       DEFAULT, 1,  timeout,            5],
  ['busy, and asked for a second',         DEFAULT, 1,  answer(503, 1),     60],
  ['busy, and asked for five minutes',     DEFAULT, 1,  answer(503, 300),   300],
  ['asked for less than planned',          DEFAULT, 3,  answer(429, 5),     120],
  ['asked for two days: one is kept',      DEFAULT, 1,  answer(429, 172_800), 86_400],
  ['not busy, but asked for time',         DEFAULT, 1,  answer(500, 20),    20],
  ['busy on a short schedule, attempt 4',  [5, 5, 5, 5], 3, answer(429),    60],
  ['502 on a short schedule',              [5, 5, 5, 5], 3, answer(502),    60],
  ['503 on a short schedule',              [5, 5, 5, 5], 3, answer(503),    60],
  ['504 on a short schedule',              [5, 5, 5, 5], 3, answer(504),    60],
  ['timeout on a short schedule',          [5, 5, 5, 5], 3, timeout,        60],
  ['500 on a short schedule',              [5, 5, 5, 5], 3, answer(500),    5],
  ['a shrunk schedule shrinks the minute', [0.05, 0.05, 0.05], 3, answer(503), 0.6],
  ['a shrunk schedule ends earlier',       SHRUNK,  5,  answer(500),        undefined],
]
for (const [why, schedule, made, failure, seconds] of delays) {
  test(`next attempt, ${why}: ${seconds ?? 'none'} s`, () => {
    const delayMs = nextDelayMs(schedule, made, failure, MIDDLE)
    assert.equal(delayMs, seconds === undefined ? undefined : seconds * 1000)
  })
}

test('jitter stays within a fifth of the planned delay, both ways', () => {
  assert.equal(nextDelayMs(DEFAULT, 3, answer(500), 0), 96_000)
  assert.equal(nextDelayMs(DEFAULT, 3, answer(500), 1), 144_000)
  const made = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(made, fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
      const planned = (DEFAULT[attempts - 1] ?? 0) * 1000
      const delayMs = nextDelayMs(DEFAULT, attempts, answer(500), random) ?? 0
      assert.ok(delayMs >= planned * 0.8 - 1 && delayMs <= planned * 1.2 + 1)
    }),
  )
})

test('ten attempts in about 71 hours', () => {
  const hours = DEFAULT.reduce((sum, seconds) => sum + seconds, 0) / 3600
  assert.equal(DEFAULT.length + 1, 10)
  assert.ok(hours > 71 && hours < 71.5)
})

// biome-ignore format: a table is read by its columns
const headers: [header: string | undefined, seconds: number | null][] = [
  [undefined, null], ['', null], ['120', 120], [' 120 ', 120], ['0', 0],
  ['-5', null], ['1.5', null], ['soon', null], ['12345678901', null],
  ['Sat, 14 Nov 2026 22:40:00 GMT', 60],
  ['Sat, 14 Nov 2026 22:00:00 GMT', 0], // already past: right away
  ['2026-11-14T22:40:00Z', null], // not an HTTP date
]
for (const [header, seconds] of headers) {
  test(`Retry-After "${header}" is ${seconds}`, () => {
    assert.equal(parseRetryAfter(header, at(0)), seconds)
  })
}

// biome-ignore format: a table is read by its columns
const outcomes: [status: number, outcome: string][] = [
  [200, 'SUCCEEDED'], [204, 'SUCCEEDED'], [299, 'SUCCEEDED'], [199, 'FAILED'], [301, 'FAILED'],
  [400, 'FAILED'], [410, 'GONE'], [500, 'FAILED'],
]
for (const [status, outcome] of outcomes) {
  test(`an answer of ${status} is ${outcome}`, () => assert.equal(outcomeOf(status), outcome))
}

const failAt = (
  seconds: readonly number[],
  from: EndpointHealth = HEALTHY,
  schedule = DEFAULT as readonly number[],
) => seconds.reduce((health, second) => afterFailure(health, at(second), schedule), from)

// biome-ignore format: a table is read by its columns
const breakers: [why: string, failures: number[], now: number, breaker: string][] = [
  ['no failure',                           [],                                      0,   'FREE'],
  ['nine failures over an hour',           [0, 9, 99, 500, 600, 700, 800, 900, 3600], 3600, 'FREE'],
  ['ten in a burst of ten seconds',        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],          9,   'FREE'],
  ['ten over a minute',                    [0, 1, 2, 3, 4, 5, 6, 7, 8, 60],         60,  'HOLD'],
  ['until the first probe',                [0, 1, 2, 3, 4, 5, 6, 7, 8, 60],         89,  'HOLD'],
  ['30 s later',                           [0, 1, 2, 3, 4, 5, 6, 7, 8, 60],         90,  'PROBE'],
  ['the probe failed',                     [0, 1, 2, 3, 4, 5, 6, 7, 8, 60, 90],     149, 'HOLD'],
  ['then 60 s',                            [0, 1, 2, 3, 4, 5, 6, 7, 8, 60, 90],     150, 'PROBE'],
  ['one that was in flight is no probe',   [0, 1, 2, 3, 4, 5, 6, 7, 8, 60, 61, 62], 90,  'PROBE'],
]
for (const [why, failures, now, breaker] of breakers) {
  test(`breaker: ${why} -> ${breaker}`, () => {
    assert.equal(breakerOf(failAt(failures), at(now)), breaker)
  })
}

test('probes double from 30 s to 15 min and stay there', () => {
  let health = failAt([0, 1, 2, 3, 4, 5, 6, 7, 8, 60])
  const waits: (number | null)[] = []
  for (let i = 0; i < 8; i++) {
    waits.push(health.probeSeconds)
    health = afterFailure(health, health.nextProbeAt ?? at(0), DEFAULT)
  }
  assert.deepEqual(waits, [30, 60, 120, 240, 480, 900, 900, 900])
})

test('a shrunk schedule shrinks the breaker with it', () => {
  const failures = Array.from({ length: 10 }, (_, i) => i * 0.1)
  const health = failAt(failures, HEALTHY, SHRUNK)
  assert.equal(health.probeSeconds, 0.3)
})

test('patience with what waits: ten seconds and a minute, less with a shrunk schedule, never next to nothing', () => {
  assert.deepEqual(waitLimitsMs(DEFAULT), { starvedMs: 10_000, overdueMs: 60_000 })
  assert.deepEqual(waitLimitsMs([2.5]), { starvedMs: 5_000, overdueMs: 30_000 })
  assert.deepEqual(waitLimitsMs([0.05]), { starvedMs: 4_000, overdueMs: 4_000 })
})

const DAY = 86_400
// biome-ignore format: a table is read by its columns
const fates: [why: string, failuresInARow: number, failingDays: number | null, fate: string][] = [
  ['healthy',                               0,   null,     'KEEP'],
  ['failing for an hour',                   200, 0.04,     'KEEP'],
  ['failing for a day',                     3,   1,        'WARN'],
  ['five days, but few attempts',           19,  5,        'WARN'],
  ['twenty attempts, not yet five days',    20,  4.999,    'WARN'],
  ['five days and twenty attempts',         20,  5,        'DISABLE'],
]
for (const [why, failuresInARow, failingDays, fate] of fates) {
  test(`an endpoint ${why}: ${fate}`, () => {
    const failingSince = failingDays === null ? null : at(-failingDays * DAY)
    assert.equal(fateOf({ ...HEALTHY, failuresInARow, failingSince }, at(0)), fate)
  })
}
