import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_BUCKETS, planSeries, type SeriesRequest, seriesProblem } from './series.ts'

const NOW = new Date('2026-11-15T12:34:56.000Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEPT = new Date(NOW.getTime() - 30 * DAY_MS)
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const last = (ms: number): SeriesRequest => ({ from: ago(ms), to: NOW })

// biome-ignore format: a table is read by its columns
const plans: [name: string, asked: SeriesRequest, source: string, bucketSeconds: number][] = [
  ['nothing said is a day',      {},                                            'RAW',   600],
  ['3 h',                        { range: '3h' },                               'RAW',   60],
  ['24 h',                       { range: '24h' },                              'RAW',   600],
  ['7 d',                        { range: '7d' },                               'HOURS', 3600],
  ['30 d',                       { range: '30d' },                              'HOURS', 3600],
  ['5 h',                        last(5 * HOUR_MS),                             'RAW',   120],
  ['12 h',                       last(12 * HOUR_MS),                            'RAW',   300],
  ['26 h',                       last(26 * HOUR_MS),                            'HOURS', 3600],
  ['31 d',                       last(31 * DAY_MS),                             'HOURS', 3600],
  ['32 d',                       last(32 * DAY_MS),                             'DAYS',  86_400],
  ['400 d',                      last(400 * DAY_MS),                            'DAYS',  86_400],
  ['3 h of which none is kept',  { from: ago(40 * DAY_MS), to: ago(40 * DAY_MS - 3 * HOUR_MS) }, 'HOURS', 3600],
]

for (const [name, asked, source, bucketSeconds] of plans)
  test(`${name}: from ${source} in steps of ${bucketSeconds} s`, () => {
    assert.equal(seriesProblem(asked, NOW), undefined)
    const plan = planSeries(asked, NOW, KEPT)
    assert.deepEqual([plan.source, plan.bucketSeconds], [source, bucketSeconds])
    assert.equal(plan.from.getTime() % (bucketSeconds * 1000), 0, 'buckets begin on the clock')
    const seconds = (plan.to.getTime() - plan.from.getTime()) / 1000
    assert.ok(seconds / bucketSeconds <= MAX_BUCKETS)
  })

test('a stretch that reaches into the future ends now', () => {
  const asked = { from: ago(HOUR_MS), to: new Date(NOW.getTime() + DAY_MS) }
  assert.deepEqual(planSeries(asked, NOW, KEPT).to, NOW)
})

// biome-ignore format: a table is read by its columns
const problems: [asked: SeriesRequest, path: string][] = [
  [{ range: '3h', from: ago(1000), to: NOW }, 'range'],
  [{ from: ago(1000) },                       'to'],
  [{ to: NOW },                               'from'],
  [{ from: NOW, to: ago(1000) },              'to'],
  [{ from: ago(401 * DAY_MS), to: NOW },      'from'],
  [{ from: new Date(NOW.getTime() + 1000), to: new Date(NOW.getTime() + 2000) }, 'from'],
]

for (const [asked, path] of problems)
  test(`${JSON.stringify(asked)} is refused at ${path}`, () => {
    assert.equal(seriesProblem(asked, NOW)?.path, path)
  })
