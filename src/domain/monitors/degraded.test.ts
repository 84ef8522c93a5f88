import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addSample, type DegradedRule, isDegraded } from './degraded.ts'

const slowOf = (slow: number, fast: number) => [
  ...Array.from({ length: slow }, () => 900),
  ...Array.from({ length: fast }, () => 100),
]

type Row = [
  mode: 'LAST' | 'P95',
  thresholdMs: number | null,
  count: number,
  samples: number[],
  degraded: boolean,
]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // mode  T     N   samples, newest last        degraded
  ['LAST', null, 1,  [9000],                     false], // no threshold
  ['P95',  null, 1,  [9000],                     false],
  ['LAST', 500,  3,  [],                         false],
  ['LAST', 500,  3,  [900, 900],                 false], // fewer than N
  ['LAST', 500,  3,  [900, 900, 900],            true],
  ['LAST', 500,  3,  [900, 900, 500],            false], // the threshold itself is not over it
  ['LAST', 500,  3,  [501, 501, 501],            true],
  ['LAST', 500,  3,  [100, 900, 900, 900],       true], // only the last N count
  ['LAST', 500,  3,  [900, 900, 900, 100],       false], // one fast check ends it
  ['LAST', 500,  1,  [100, 900],                 true],
  ['P95',  500,  1,  [100, 900],                 true], // N = 1: in both modes the last check decides
  ['P95',  500,  1,  [900, 100],                 false],
  ['P95',  500,  3,  [900, 900],                 false],
  ['P95',  500,  3,  [900, 100, 100],            true], // N < 20: the slowest decides
  ['P95',  500,  3,  [900, 100, 100, 100],       false], // it is no longer among the last N
  ['P95',  500,  19, slowOf(1, 18),              true],
  ['P95',  500,  20, slowOf(1, 19),              false], // element 19 of 20
  ['P95',  500,  20, slowOf(2, 18),              true],
  ['P95',  500,  100, slowOf(5, 95),             false], // element 95 of 100
  ['P95',  500,  100, slowOf(6, 94),             true],
]
for (const [mode, thresholdMs, count, samples, degraded] of rows) {
  test(`${mode} over ${thresholdMs} ms of ${count}: ${samples.length} samples ending in ${samples.slice(-4)} -> ${degraded}`, () => {
    const rule: DegradedRule = {
      degradedThresholdMs: thresholdMs,
      degradedThresholdMode: mode,
      degradedSamples: count,
    }
    assert.equal(isDegraded(rule, samples), degraded)
  })
}

test('samples are kept newest last, and no more than are judged', () => {
  const rule = {
    degradedThresholdMs: 1,
    degradedThresholdMode: 'LAST',
    degradedSamples: 3,
  } as const
  let samples: number[] = []
  for (let ms = 1; ms <= 150; ms++) samples = addSample(rule, samples, ms)
  assert.deepEqual(samples, [148, 149, 150])
})

// Counts instead of sorting: more than a twentieth of the samples, rounded down, must be slow.
function naive(rule: DegradedRule, samples: number[]): boolean {
  const { degradedThresholdMs: threshold, degradedSamples: count } = rule
  if (threshold === null) return false
  if (samples.length < count) return false
  let slow = 0
  for (let i = 1; i <= count; i++) if ((samples.at(-i) ?? 0) > threshold) slow++
  if (rule.degradedThresholdMode === 'LAST') return slow === count
  return slow > Math.floor(count / 20)
}

test('agrees with a naive count of slow samples', () => {
  const rules = fc.record({
    degradedThresholdMs: fc.option(fc.integer({ min: 1, max: 30 }), { freq: 20 }),
    degradedThresholdMode: fc.constantFrom('LAST' as const, 'P95' as const),
    degradedSamples: fc.integer({ min: 1, max: 100 }),
  })
  const samples = fc.array(fc.integer({ min: 0, max: 31 }), { maxLength: 120, size: 'max' })
  fc.assert(
    fc.property(rules, samples, (rule, ms) => assert.equal(isDegraded(rule, ms), naive(rule, ms))),
    { numRuns: 10_000 },
  )
})
