import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from './filters.ts'
import type { Fields, Item } from './store.ts'

const NOON = '2026-11-14T12:00:00.000Z'
const ONE = '2026-11-14T13:00:00.000Z'
const monitor: Item = { id: 'mon_1', name: 'Shop, EU', url: 'https://a.example', state: 'UP' }
const incident: Item = {
  id: 'inc_1',
  monitor: { id: 'mon_1' },
  startedAt: NOON,
  resolvedAt: null,
  timeline: [],
  acknowledged: false,
}
const window: Item = { id: 'mw_1', monitorIds: ['mon_1'], allMonitors: false, status: 'ACTIVE' }
const everything: Item = { id: 'mw_2', monitorIds: [], allMonitors: true, status: 'ACTIVE' }
const delivery: Item = { id: 'whd_1', createdAt: NOON, status: 'FAILED', endpointId: 'whe_1' }
const published: Item = { id: 'sin_1', statusPageIds: ['sp_1'], status: 'RESOLVED' }

// biome-ignore format: a table is read by its columns
const rows: [item: Item, query: Fields, isMatch: boolean][] = [
  [monitor,    {},                                       true],
  [monitor,    { limit: '1', offset: '9' },              true],
  [monitor,    { state: 'UP' },                          true],
  [monitor,    { state: 'DOWN,UP' },                     true],
  [monitor,    { state: 'DOWN' },                        false],
  [monitor,    { q: 'shop, eu' },                        true],
  [monitor,    { q: 'A.EXAMPLE' },                       true],
  [monitor,    { q: 'blog' },                            false],
  [monitor,    { q: 'shop', state: 'DOWN' },             false],
  [incident,   { status: 'ONGOING' },                    true],
  [incident,   { status: 'RESOLVED' },                   false],
  [{ ...incident, resolvedAt: ONE }, { status: 'RESOLVED' }, true],
  [incident,   { acknowledged: 'false' },                true],
  [incident,   { acknowledged: 'true' },                 false],
  [incident,   { monitorId: 'mon_1' },                   true],
  [incident,   { monitorId: 'mon_2' },                   false],
  [incident,   { startedAfter: NOON },                   true],
  [incident,   { startedAfter: ONE },                    false],
  [incident,   { startedBefore: ONE },                   true],
  [incident,   { startedBefore: NOON },                  false],
  [window,     { monitorId: 'mon_1' },                   true],
  [window,     { monitorId: 'mon_2' },                   false],
  [everything, { monitorId: 'mon_2' },                   true],
  [window,     { status: 'SCHEDULED' },                  false],
  [delivery,   { endpointId: 'whe_1', status: 'FAILED' }, true],
  [delivery,   { createdAfter: ONE },                    false],
  [delivery,   { createdBefore: ONE },                   true],
  [published,  { statusPageId: 'sp_1' },                 true],
  [published,  { statusPageId: 'sp_2' },                 false],
]
for (const [item, query, isMatch] of rows)
  test(`${item.id} ${isMatch ? 'matches' : 'does not match'} ${JSON.stringify(query)}`, () => {
    assert.equal(matches(item, query), isMatch)
  })
