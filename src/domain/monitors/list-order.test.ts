import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetOf } from './list-order.ts'
import { MONITOR_TYPES, type MonitorType } from './monitor.ts'

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
