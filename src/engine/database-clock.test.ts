import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseClock } from './database-clock.ts'

type Reading = [readMs: number, askedMs: number, heardMs: number]

function instantAfter(...readings: Reading[]): number {
  const clock = new DatabaseClock()
  for (const [readMs, askedMs, heardMs] of readings) clock.set(readMs, askedMs, heardMs)
  return clock.at(0).getTime()
}

test('before the first reading there is no time', () => {
  assert.throws(() => new DatabaseClock().now())
})

// biome-ignore format: a table is read by its columns
const rows: [string, number, ...Reading[]][] = [
  // what                                     at 0       read       asked   heard
  ['the first reading counts, however slow', 995_000, [1_000_000,       0, 10_000]],
  ['a quicker answer replaces a slow one',   999_999, [1_000_000,       0, 10_000], [1_020_000, 20_000, 20_002]],
  ['a slow answer replaces no quick one',    999_999, [1_000_000,       0,      2], [1_013_000,  3000, 13_002]],
  ['of two quick ones the later counts',   1_000_001, [1_000_000,       0,      2], [1_003_002,  3000,   3002]],
  ['a clock that was set is believed',     4_599_999, [1_000_000,       0,      2], [4_603_000,  3000,   3002]],
  ['and so it is by a slow answer',        4_599_500, [1_000_000,       0,      2], [4_603_000,  3000,   4000]],
]

for (const [what, at, ...readings] of rows)
  test(`DatabaseClock: ${what}`, () => assert.equal(instantAfter(...readings), at))
