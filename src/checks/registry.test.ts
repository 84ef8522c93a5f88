import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSettings } from '../../test/samples/monitor.ts'
import { MONITOR_TYPES, type MonitorSettings } from '../domain/monitors/monitor.ts'
import type { PageTarget } from './fetch-page.ts'
import { CHECK_TYPES, type CheckTarget, findCheckByType, toTarget } from './registry.ts'

const EVERYTHING = sampleSettings({
  url: 'https://shop.example/',
  host: 'db.example',
  port: 5432,
  method: 'POST',
  expectedStatus: [200, 204],
  requestHeaders: { 'X-Probe': 'upvane' },
  requestBody: '{}',
  followRedirects: false,
  verifySsl: false,
  keyword: 'In stock',
  keywordMatch: 'NOT_EXISTS',
  dnsRecordType: 'MX',
  dnsExpected: 'mx.example',
  timeoutSeconds: 7,
})
const PAGE = {
  url: 'https://shop.example/',
  method: 'POST',
  requestHeaders: { 'X-Probe': 'upvane' },
  requestBody: '{}',
  expectedStatus: [200, 204],
  followRedirects: false,
  verifySsl: false,
  timeoutSeconds: 7,
} satisfies PageTarget
const { url } = PAGE

// biome-ignore format: a table is read by its columns
const rows: CheckTarget[] = [
  { type: 'HTTP',    ...PAGE },
  { type: 'KEYWORD', ...PAGE, keyword: 'In stock', keywordMatch: 'NOT_EXISTS' },
  { type: 'PING',    host: 'db.example', timeoutSeconds: 7 },
  { type: 'PORT',    host: 'db.example', port: 5432, timeoutSeconds: 7 },
  { type: 'DNS',     url, dnsRecordType: 'MX', dnsExpected: 'mx.example', timeoutSeconds: 7 },
  { type: 'SSL',     url, verifySsl: false, timeoutSeconds: 7 },
  { type: 'DOMAIN',  url, timeoutSeconds: 7 },
]

for (const target of rows)
  test(`toTarget: ${target.type} gets the fields of its type and no others`, () => {
    assert.deepEqual(toTarget({ ...EVERYTHING, type: target.type }), target)
  })

test('every type but CRON has a check', () => {
  const checked = MONITOR_TYPES.filter((type) => type !== 'CRON')
  assert.deepEqual(CHECK_TYPES, checked)
  assert.deepEqual(
    rows.map(({ type }) => type),
    checked,
  )
})

test('toTarget: CRON is a bug of ours', () => {
  const settings: MonitorSettings = { ...EVERYTHING, type: 'CRON' }
  assert.throws(() => toTarget(settings), /CRON/)
})

for (const type of ['CRON', 'TRACEROUTE', 'constructor'])
  test(`findCheckByType: none for ${type}`, () => {
    assert.equal(findCheckByType(type), undefined)
  })
