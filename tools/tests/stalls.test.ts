import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stalls } from './stalls.ts'

// biome-ignore format: a table is read by its columns
const CASES: [title: string, tickMs: number[], startedMs: number, expected: number][] = [
  ['ticks on time',                           [100, 200, 300],  0,    0],
  ['late ticks of a busy machine',            [400, 1_000],     0,    0],
  ['one that came a second late',             [100, 1_200],     0,    1_000],
  ['the longest of two',                      [1_500, 6_000],   0,    4_400],
  ['one that had ended before',               [2_000, 2_100],   2_050, 0],
  ['one that had begun before, and went on',  [100, 3_100],     2_000, 2_900],
]

for (const [title, tickMs, startedMs, expected] of CASES)
  test(`longestSince: ${title}`, () => {
    const stalls = new Stalls(100, 0)
    for (const ms of tickMs) stalls.tick(ms)
    assert.equal(stalls.longestSince(startedMs), expected)
  })
