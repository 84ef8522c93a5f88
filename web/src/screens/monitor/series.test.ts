import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Series, summaryOf, toColumns, topOf } from './series.ts'

const series = (part: Partial<Series>): Series => ({
  from: '1970-01-01T00:00:00.000Z',
  to: '1970-01-01T00:10:00.000Z',
  bucketSeconds: 60,
  buckets: [],
  thresholdMs: null,
  incidents: [],
  windows: [],
  ...part,
})

test('a line breaks where buckets are missing, and spans the whole stretch', () => {
  const buckets: Series['buckets'] = [
    [60, 10, 20, 30, 1, 0, 0],
    [120, 11, 21, 31, 1, 0, 0],
    [480, 12, 22, 32, 1, 0, 0],
  ]
  assert.deepEqual(toColumns(series({ buckets })), [
    [0, 60, 120, 180, 480, 600],
    [null, 10, 11, null, 12, null],
    [null, 20, 21, null, 22, null],
  ])
})

test('a line goes on from check to check of a slow rhythm, and breaks where some of them are missing', () => {
  const at = (second: number): Series['buckets'][number] => [second, 10, 20, 30, 1, 0, 0]
  const buckets = [0, 3600, 7200, 10_800, 21_600].map(at)
  assert.deepEqual(
    toColumns(
      series({ buckets, to: '1970-01-01T06:00:00.000Z', from: '1969-12-31T23:00:00.000Z' }),
    ),
    [
      [-3600, 0, 3600, 7200, 10_800, 10_860, 21_600],
      [null, 10, 10, 10, 10, null, 10],
      [null, 20, 20, 20, 20, null, 20],
    ],
  )
})

test('the scale ends at a round figure above everything drawn', () => {
  assert.equal(topOf(series({ buckets: [[0, 1, 812, 900, 1, 0, 0]] })), 1000)
  assert.equal(topOf(series({ thresholdMs: 500 })), 600)
  assert.equal(topOf(series({ buckets: [[0, 1, 1050, 900, 1, 0, 0]] })), 1200)
  assert.equal(topOf(series({ buckets: [[0, 1, 160, 900, 1, 0, 0]] })), 200)
  assert.equal(topOf(series({})), 12)
})

test('what is drawn is also said', () => {
  assert.equal(summaryOf(series({})), 'No response times in this stretch.')
  const buckets: Series['buckets'] = [
    [0, 1, 100, 900, 1, 0, 0],
    [60, 1, 300, 900, 1, 0, 0],
  ]
  assert.match(
    summaryOf(series({ buckets, thresholdMs: 500 })),
    /about 300 ms .* no incident\. The limit is 500 ms/,
  )
})
