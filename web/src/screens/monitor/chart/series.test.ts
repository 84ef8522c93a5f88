import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  lastDay,
  lonePoints,
  placeLabels,
  type Series,
  scaleOf,
  summaryOf,
  toColumns,
  zoomOf,
} from './series.ts'

const series = (part: Partial<Series>): Series => ({
  from: '1970-01-01T00:00:00.000Z',
  to: '1970-01-01T00:10:00.000Z',
  bucketSeconds: 60,
  buckets: [],
  thresholdMs: null,
  incidents: [],
  windows: [],
  degraded: [],
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

/** One bucket per p95. */
const drawn = (...values: (number | null)[]): Series['buckets'] =>
  values.map((p95, index) => [index * 60, 1, p95, p95, 1, 0, 0])
const often = (value: number, count: number) => Array<number>(count).fill(value)

// biome-ignore format: a table is read by its columns
const scales: [why: string, values: (number | null)[], limit: number | null, top: number, shown: string][] = [
  ['a round figure above the data',           [812],                   null, 1000, 'NONE'],
  ['not far above it',                        [1050],                  null, 1200, 'NONE'],
  ['a limit within the range is a line',      [450],                   500,  500,  'LINE'],
  ['a limit far above does not flatten',      [90],                    600,  100,  'EDGE'],
  ['one spike in 150 does not flatten',       [...often(90, 149), 9000], null, 100, 'NONE'],
  ['one spike in 50 is shown',                [...often(90, 49), 900], null, 1000, 'NONE'],
  ['nothing at all',                          [],                      null, 10,   'NONE'],
  ['less than a millisecond',                 [0],                     null, 10,   'NONE'],
  ['buckets without a time do not count',     [null, 90, null],        null, 100,  'NONE'],
]
for (const [why, values, thresholdMs, top, limit] of scales)
  test(`the scale of a chart: ${why}`, () => {
    assert.deepEqual(scaleOf(series({ buckets: drawn(...values), thresholdMs })), { top, limit })
  })

// biome-ignore format: a table is read by its columns
const points: [values: (number | null | undefined)[], lone: number[]][] = [
  [[null, 5, null],          [1]],
  [[null, 5, 6, null],       []],
  [[5],                      [0]],
  [[5, null, 6, 7, null, 8], [0, 5]],
  [[null, undefined],        []],
  [[],                       []],
]
for (const [values, lone] of points)
  test(`points without neighbors in ${JSON.stringify(values)}`, () => {
    assert.deepEqual(lonePoints(values), lone)
  })

test('dragging zooms in either direction; a click does not', () => {
  const hour = { from: '1970-01-01T01:00:00.000Z', to: '1970-01-01T02:00:00.000Z' }
  assert.deepEqual(zoomOf(3600, 7200), hour)
  assert.deepEqual(zoomOf(7199.6, 3600.4), hour)
  assert.equal(zoomOf(3600, 3700), undefined)
})

test('a custom period starts with the last 24 hours', () => {
  assert.deepEqual(lastDay(Date.parse('2026-11-14T13:00:00.000Z')), {
    from: '2026-11-13T13:00:00.000Z',
    to: '2026-11-14T13:00:00.000Z',
  })
})

test('labels stay inside the plot, and one that would cover another is left out', () => {
  const bounds = { from: 0, to: 100, gap: 4 }
  const labels = [
    { center: 5, width: 20 },
    { center: 98, width: 20 },
    { center: 22, width: 20 },
    { center: 50, width: 20 },
    { center: 50, width: 200 },
  ]
  assert.deepEqual(placeLabels(labels, bounds), [0, 80, undefined, 40, undefined])
})

test('what is drawn is also said', () => {
  assert.equal(summaryOf(series({})), 'No response times in this period.')
  const buckets: Series['buckets'] = [
    [0, 1, 100, 900, 1, 0, 0],
    [60, 1, 300, 900, 1, 0, 0],
  ]
  assert.match(
    summaryOf(series({ buckets, thresholdMs: 500 })),
    /about 300 ms .* no incidents\. The limit is 500 ms/,
  )
})
