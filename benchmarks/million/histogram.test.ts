import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addBuckets, boundOf, toBuckets } from './histogram.ts'

const LINES = [
  '# TYPE late histogram',
  'late_bucket{le="0.005"} 90',
  'late_bucket{le="0.1"} 99',
  'late_bucket{le="+Inf"} 100',
  'late_sum 1.5',
  'late_count 100',
]

// biome-ignore format: a table is read by its columns
const bounds: [share: number, bound: number][] = [
  [0.5,  0.005],
  [0.9,  0.005],
  [0.91, 0.1],
  [0.99, 0.1],
  [1,    Number.POSITIVE_INFINITY],
]
for (const [share, bound] of bounds)
  test(`boundOf: ${share}`, () => assert.equal(boundOf(toBuckets(LINES), share), bound))

test('boundOf: nothing counted', () => assert.equal(boundOf(new Map(), 0.5), Number.NaN))

test('addBuckets: the counts of two processes', () => {
  const twice = addBuckets(toBuckets(LINES), toBuckets(LINES))
  assert.deepEqual(
    [...twice],
    [
      [0.005, 180],
      [0.1, 198],
      [Number.POSITIVE_INFINITY, 200],
    ],
  )
  assert.deepEqual(addBuckets(new Map(), twice), twice)
})
