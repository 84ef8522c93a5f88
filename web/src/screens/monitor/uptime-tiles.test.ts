import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tilesOf } from './uptime-tiles.ts'

type Given = Parameters<typeof tilesOf>[0]
type Figure = Given['uptime']['last24h']

const AT = '2026-11-14T20:00:00.000Z'
const NOW = Date.parse(AT) + 40_000
const DAY = 86_400
const figure = (part: Partial<Figure>): Figure => ({
  ratio: 1,
  downSeconds: 0,
  measuredSeconds: 30 * DAY,
  measuredFrom: '2026-10-15T20:00:00.000Z',
  ...part,
})

/** The tile of 30 days. */
function monthOf(part: Partial<Figure>): string {
  const all = figure(part)
  const uptime = { last24h: all, last7d: all, last30d: all, last90d: all, last365d: all }
  const tile = tilesOf({ uptime, at: AT, state: 'UP', inMaintenance: false }, NOW, 'UTC')[2]
  return [tile?.label, tile?.figure, tile?.unit, tile?.under].filter(Boolean).join(' | ')
}

// biome-ignore format: a table is read by its columns
const rows: [why: string, given: Partial<Figure>, tile: string][] = [
  ['never down',               {},                                                   '30 days | 100 | % | no downtime'],
  ['down for a while',         { ratio: 0.9998, downSeconds: 520 },                  '30 days | 99.98 | % | 8 min down'],
  ['half of it',               { measuredSeconds: 15 * DAY },                        '30 days | 100 | % | no downtime'],
  ['a new monitor, today',     { measuredSeconds: 9, measuredFrom: '2026-11-14T19:30:00.000Z' }, '30 days | – | measured since 19:30'],
  ['a new monitor',            { measuredSeconds: 5 * DAY, measuredFrom: '2026-11-09T20:00:00.000Z' },
    '30 days | – | measured since Mon, Nov 9, 20:00'],
  ['paused for most of it',    { measuredSeconds: 2 * DAY },                         '30 days | – | only 2 days measured'],
  ['nothing',                  { ratio: null, measuredSeconds: 0, measuredFrom: null }, '30 days | – | no data yet'],
]
for (const [why, given, tile] of rows)
  test(`a tile of uptime: ${why}`, () => assert.equal(monthOf(given), tile))

test('a monitor of ten days shows a day and a week, but no longer range', () => {
  const measuredFrom = '2026-11-04T20:00:00.000Z'
  const over = (days: number) => figure({ measuredSeconds: Math.min(10, days) * DAY, measuredFrom })
  const uptime = {
    last24h: over(1),
    last7d: over(7),
    last30d: over(30),
    last90d: over(90),
    last365d: over(365),
  }
  assert.deepEqual(
    tilesOf({ uptime, at: AT, state: 'UP', inMaintenance: false }, NOW, 'UTC').map(
      (tile) => tile.figure,
    ),
    ['100', '100', '–', '–', '–'],
  )
})

test('an ongoing outage counts until now, as in the banner', () => {
  const all = figure({ downSeconds: 1_019 })
  const uptime = { last24h: all, last7d: all, last30d: all, last90d: all, last365d: all }
  const [down] = tilesOf(
    { uptime, at: AT, state: 'DOWN', inMaintenance: false },
    Date.parse(AT) + 62_000,
    'UTC',
  )
  const [over] = tilesOf(
    { uptime, at: AT, state: 'UP', inMaintenance: false },
    Date.parse(AT) + 62_000,
    'UTC',
  )
  assert.deepEqual([down?.under, over?.under], ['18 min down', '16 min down'])
})
