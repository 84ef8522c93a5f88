import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LISTED_STATES, listedState, targetOf } from './list-order.ts'
import { MONITOR_STATES, MONITOR_TYPES, type MonitorType } from './monitor.ts'

const EVERYTHING = { url: 'https://shop.example/', host: 'db.example', port: 5432 }

// biome-ignore format: a table is read by its columns
const targets: Record<MonitorType, string | null> = {
  HTTP:    'https://shop.example/',
  KEYWORD: 'https://shop.example/',
  PING:    'db.example',
  PORT:    'db.example:5432',
  CRON:    null,
  DNS:     'https://shop.example/',
  SSL:     'https://shop.example/',
  DOMAIN:  'https://shop.example/',
}

for (const type of MONITOR_TYPES)
  test(`targetOf: ${type} shows ${targets[type] ?? 'nothing'}`, () => {
    assert.equal(targetOf({ type, ...EVERYTHING }), targets[type])
  })

const EXPIRY_TYPES: readonly string[] = ['SSL', 'DOMAIN']
for (const type of MONITOR_TYPES)
  for (const state of MONITOR_STATES)
    for (const soon of [undefined, false, true])
      test(`listedState: ${type} that is ${state}, expiry ${soon ?? 'unknown'}`, () => {
        const isJudged = EXPIRY_TYPES.includes(type) && (state === 'UP' || state === 'DEGRADED')
        const isExpiring = isJudged && (state === 'DEGRADED' || soon === true)
        const expiry = soon === undefined ? null : { soon }
        assert.equal(listedState({ type, state, expiry }), isExpiring ? 'EXPIRING' : state)
      })

test('listedState: no certificate and no domain is ever called degraded', () => {
  for (const type of EXPIRY_TYPES)
    for (const state of MONITOR_STATES) assert.notEqual(listedState({ type, state }), 'DEGRADED')
})

test('LISTED_STATES: what expires comes after what is slow, and before what is up', () => {
  const [down, slow, expiring, ...rest] = LISTED_STATES
  assert.deepEqual([down, slow, expiring], ['DOWN', 'DEGRADED', 'EXPIRING'])
  assert.deepEqual(rest, ['PENDING', 'UP', 'PAUSED'])
})
