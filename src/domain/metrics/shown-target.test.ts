import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorType } from '../monitors/monitor.ts'
import { shownTarget } from './shown-target.ts'

const NOTHING = { url: null, host: null, port: null }

// biome-ignore format: a table is read by its columns
const rows: [type: MonitorType, fields: Partial<{ url: string; host: string; port: number }>, shown: string][] = [
  ['HTTP',    { url: 'https://shop.example/health' },                      'https://shop.example/health'],
  ['HTTP',    { url: 'https://shop.example' },                             'https://shop.example'],
  ['HTTP',    { url: 'https://shop.example/health?token=canary' },         'https://shop.example/health'],
  ['HTTP',    { url: 'https://shop.example/#canary' },                     'https://shop.example/'],
  ['HTTP',    { url: 'https://shop.example?x=a@b/c' },                     'https://shop.example'],
  ['KEYWORD', { url: 'https://ana:canary@shop.example:8443/a@b' },         'https://shop.example:8443/a@b'],
  ['SSL',     { url: 'ftp://ana:can@ary@shop.example/x' },                 'ftp://shop.example/x'],
  ['SSL',     { url: 'ana:canary@shop.example:8443' },                     'shop.example:8443'],
  ['DNS',     { url: 'shop.example' },                                     'shop.example'],
  ['DOMAIN',  { url: 'https://ana:canary@shop.example\\x@y' },             'https://shop.example\\x@y'],
  ['PING',    { host: '2001:db8::1' },                                     '2001:db8::1'],
  ['PORT',    { host: 'db.example', port: 5432 },                          'db.example:5432'],
  ['CRON',    { url: 'https://shop.example/hb/canary' },                   ''],
]
for (const [type, fields, shown] of rows)
  test(`shownTarget: ${type} ${JSON.stringify(fields)} is "${shown}"`, () => {
    assert.equal(shownTarget({ type, ...NOTHING, ...fields }), shown)
  })
