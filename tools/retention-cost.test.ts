import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retentionCost } from './retention-cost.ts'

const GB = 1e9
const bytes = { row: 100, packed: 10 }

// biome-ignore format: a table is read by its columns
const cases: [monitors: number, days: number, gigabytes: number][] = [
  [1_000,     1,   0.288],  // yesterday and today, nothing packed
  [1_000,     2,   0.432],
  [1_000,     30,  0.8352],
  [100_000,   90,  169.92],
  [1_000_000, 365, 5659.2],
  [0,         365, 0],
]
for (const [monitors, days, gigabytes] of cases)
  test(`retentionCost: ${monitors} monitors, ${days} days: ${gigabytes} GB`, () => {
    assert.ok(Math.abs(retentionCost(monitors, days, bytes) / GB - gigabytes) < 1e-6)
  })
