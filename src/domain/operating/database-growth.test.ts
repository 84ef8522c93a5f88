import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthOf } from './database-growth.ts'

const sizes = (...all: [daysAgo: number, bytes: number][]) =>
  all.map(([daysAgo, bytes]) => ({ daysAgo, bytes }))

test('growth: from the oldest measurement of the last seven days', () => {
  const known = sizes([9, 0], [7, 300], [3, 900], [0, 990])
  assert.deepEqual(growthOf(known, 1000), { bytesPerDay: 100, days: 7 })
})

test('growth: it may shrink', () => {
  assert.deepEqual(growthOf(sizes([2, 1000]), 600), { bytesPerDay: -200, days: 2 })
})

test('growth: unknown on the first day, and after a week without measurements', () => {
  assert.equal(growthOf([], 5), undefined)
  assert.equal(growthOf(sizes([0, 5]), 5), undefined)
  assert.equal(growthOf(sizes([8, 5]), 5), undefined)
})
