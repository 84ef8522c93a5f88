import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FEWEST_BEFORE, judge, type Measurement, percentile95, type Verdict } from './judge.ts'

const GOOD: Measurement = {
  monitorId: 'mon_1',
  name: 'Checkout',
  regions: ['eu', 'us'],
  failures: [],
  inconclusive: [],
  beforeMs: [100, 100, 100, 100, 100],
  afterMs: [100, 100, 100],
}
const failure = { region: 'us', cause: 'HTTP 503, expected 200' }

// biome-ignore format: a table is read by its columns
const rows: [what: string, change: Partial<Measurement>, verdict: Verdict, reason: RegExp][] = [
  ['as fast as before',          {},                                          'OK',      /^up from eu, us; p95 100 ms, 100 ms in the hour before$/],
  ['a failure in one region',    { failures: [failure] },                     'BROKEN',  /^HTTP 503, expected 200, from us$/],
  ['a failure and no result',    { failures: [failure], inconclusive: ['eu'] }, 'BROKEN', /503/],
  ['no result from one region',  { inconclusive: ['eu'] },                    'UNKNOWN', /^no result from eu$/],
  ['exactly the limit',          { afterMs: [150, 150] },                     'OK',      /p95 150 ms/],
  ['above the limit',            { afterMs: [151, 151] },                     'SLOW',    /^p95 151 ms, 100 ms in the hour before$/],
  ['one slow check of three',    { afterMs: [100, 100, 400] },                'SLOW',    /p95 400 ms/],
  ['three times of very little', { beforeMs: [10, 10, 10, 10, 10], afterMs: [30] }, 'OK', /p95 30 ms, 10 ms/],
  ['49 ms more of very little',  { beforeMs: [10, 10, 10, 10, 10], afterMs: [59] }, 'OK', /p95 59 ms/],
  ['50 ms more of very little',  { beforeMs: [10, 10, 10, 10, 10], afterMs: [60] }, 'SLOW', /p95 60 ms/],
  ['too few checks before',      { beforeMs: [1, 1, 1, 1], afterMs: [900] },  'OK',      /nothing to compare with/],
  ['no response time after',     { afterMs: [] },                             'OK',      /^up from eu, us$/],
  ['faster than before',         { afterMs: [1] },                            'OK',      /p95 1 ms/],
]
for (const [what, change, verdict, reason] of rows)
  test(`${what}: ${verdict}`, () => {
    const judgement = judge({ ...GOOD, ...change }, 1.5)
    assert.equal(judgement.verdict, verdict)
    assert.match(judgement.reason, reason)
  })

// biome-ignore format: a table is read by its columns
const percentiles: [values: number[], p95: number | null][] = [
  [[],                                           null],
  [[7],                                          7],
  [[3, 1, 2],                                    3],
  [Array.from({ length: 20 }, (_, i) => i + 1),  19],
  [Array.from({ length: 100 }, (_, i) => 100 - i), 95],
]
for (const [values, p95] of percentiles)
  test(`p95 of ${values.length} values is ${p95}`, () => assert.equal(percentile95(values), p95))

test('a larger limit never makes a release worse, and a failure is never good', () => {
  const times = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 40 })
  const ratio = fc.double({ min: 1, max: 10, noNaN: true })
  fc.assert(
    fc.property(times, times, ratio, ratio, (beforeMs, afterMs, a, b) => {
      const measurement = { ...GOOD, beforeMs, afterMs }
      const [strict, generous] = [Math.min(a, b), Math.max(a, b)]
      if (judge(measurement, strict).verdict === 'OK')
        assert.equal(judge(measurement, generous).verdict, 'OK')
      if (beforeMs.length < FEWEST_BEFORE) assert.equal(judge(measurement, strict).verdict, 'OK')
      assert.equal(judge({ ...measurement, failures: [failure] }, generous).verdict, 'BROKEN')
    }),
  )
})
