// Repeats the tables of the specification, so that a bound or default changes only on purpose.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { MONITOR_EXAMPLE, MonitorBody, MonitorCreate, MonitorUpdate } from './monitor.ts'

const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
ajv.addFormat('date-time', (text: string) => !Number.isNaN(Date.parse(text)))
const filling = new Ajv2020({ useDefaults: true, strictTypes: false })
const isCreate = ajv.compile(MonitorCreate)
const isUpdate = ajv.compile(MonitorUpdate)
const isMonitor = ajv.compile(MonitorBody)

const text = (length: number) => 'x'.repeat(length)
const codes = (count: number) => Array.from({ length: count }, () => 200)
const minimal = { name: 'Checkout', type: 'HTTP' }

type Row = [field: string, accepted: unknown[], refused: unknown[]]
const rows: Row[] = [
  ['name', [text(1), text(120), '\u{1f600}'.repeat(120)], ['', text(121), null, 1]],
  [
    'type',
    ['HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN'],
    ['http', 'TCP', '', null],
  ],
  ['url', [null, '', text(2048)], [text(2049), 1]],
  ['host', [null, '', text(255)], [text(256), 1]],
  ['port', [null, 1, 65_535, 443.0], [0, 65_536, 1.5, '443']],
  ['method', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], ['OPTIONS', 'get', null]],
  [
    'expectedStatus',
    [[100], [599], [200, 200], codes(100)],
    [[], codes(101), [99], [600], [200.5], ['200'], 200, null],
  ],
  ['requestHeaders', [null, {}, { 'X-Token': 'a' }], [{ 'X-Token': 1 }, { a: null }, [], 'a']],
  ['requestBody', [null, '', text(100_000)], [text(100_001), {}]],
  ['followRedirects', [true, false], [1, 'true', null]],
  ['verifySsl', [true, false], [0, null]],
  ['keyword', [null, '', text(500)], [text(501), 1]],
  ['keywordMatch', ['EXISTS', 'NOT_EXISTS'], ['exists', null]],
  ['dnsRecordType', ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'], ['SOA', null]],
  ['dnsExpected', [null, '', text(2000)], [text(2001), []]],
  ['dnsAlertOnChange', [true, false], ['yes', null]],
  ['sslExpiryThresholdDays', [1, 365], [0, 366, 1.5, null]],
  ['intervalSeconds', [30, 86_400], [29, 86_401, '300', null]],
  ['timeoutSeconds', [1, 60], [0, 61, null]],
  ['expectedPeriodSec', [null, 60, 2_592_000], [59, 2_592_001]],
  ['graceSeconds', [0, 86_400], [-1, 86_401, null]],
  ['degradedThresholdMs', [null, 1, 60_000], [0, 60_001]],
  ['degradedThresholdMode', ['LAST', 'P95'], ['P99', null]],
  ['degradedSamples', [1, 100], [0, 101, null]],
]

for (const [field, accepted, refused] of rows) {
  test(`createMonitor and updateMonitor: bounds of ${field}`, () => {
    for (const value of accepted) {
      assert.ok(isCreate({ ...minimal, [field]: value }), `create ${field} ${short(value)}`)
      assert.ok(isUpdate({ [field]: value }), `update ${field} ${short(value)}`)
    }
    for (const value of refused) {
      assert.ok(!isCreate({ ...minimal, [field]: value }), `create ${field} ${short(value)}`)
      assert.ok(!isUpdate({ [field]: value }), `update ${field} ${short(value)}`)
    }
  })
}

test('createMonitor takes exactly the 24 fields of the table, updateMonitor the same', () => {
  assert.equal(rows.length, 24)
  const names = rows.map(([field]) => field)
  assert.deepEqual(Object.keys(MonitorCreate.properties), names)
  assert.deepEqual(Object.keys(MonitorUpdate.properties), names)
})

test('createMonitor needs name and type, and ignores what it does not know', () => {
  assert.ok(isCreate(minimal))
  assert.ok(!isCreate({ name: 'Checkout' }))
  assert.ok(!isCreate({ type: 'HTTP' }))
  assert.ok(isCreate({ ...minimal, id: 'mon_x', organizationId: 'org_x' }))
})

test('createMonitor fills in the defaults of the table, and no others', () => {
  const body: Record<string, unknown> = { ...minimal }
  assert.ok(filling.compile(MonitorCreate)(body))
  assert.deepEqual(body, {
    ...minimal,
    method: 'GET',
    expectedStatus: [200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308],
    requestHeaders: null,
    requestBody: null,
    followRedirects: true,
    verifySsl: true,
    keywordMatch: 'EXISTS',
    dnsRecordType: 'A',
    dnsAlertOnChange: true,
    sslExpiryThresholdDays: 2,
    intervalSeconds: 300,
    timeoutSeconds: 30,
    graceSeconds: 60,
    degradedThresholdMode: 'LAST',
    degradedSamples: 3,
  })
})

test('updateMonitor fills in nothing: PATCH {} changes nothing', () => {
  const body = {}
  assert.ok(filling.compile(MonitorUpdate)(body))
  assert.deepEqual(body, {})
})

// biome-ignore format: a table is read by its columns
const fields: [name: string, type: string, nullable: boolean][] = [
  ['id', 'string', false],               ['name', 'string', false],
  ['type', 'string', false],             ['state', 'string', false],
  ['url', 'string', true],               ['host', 'string', true],
  ['port', 'integer', true],             ['method', 'string', false],
  ['expectedStatus', 'array', false],    ['requestHeaders', 'object', true],
  ['requestBody', 'string', true],       ['followRedirects', 'boolean', false],
  ['verifySsl', 'boolean', false],       ['keyword', 'string', true],
  ['keywordMatch', 'string', false],     ['dnsRecordType', 'string', true],
  ['dnsExpected', 'string', true],       ['dnsAlertOnChange', 'boolean', false],
  ['sslExpiryThresholdDays', 'integer', false], ['intervalSeconds', 'integer', false],
  ['timeoutSeconds', 'integer', false],  ['expectedPeriodSec', 'integer', true],
  ['graceSeconds', 'integer', false],    ['degradedThresholdMs', 'integer', true],
  ['degradedThresholdMode', 'string', false], ['degradedSamples', 'integer', false],
  ['heartbeatUrl', 'string', true],      ['lastCheckedAt', 'string', true],
  ['lastStatusChangedAt', 'string', true], ['lastResponseMs', 'integer', true],
  ['certExpiresAt', 'string', true],     ['createdAt', 'string', false],
  ['updatedAt', 'string', false],
]

test('Monitor has exactly the 33 fields of the specification, each with its type', () => {
  assert.equal(fields.length, 33)
  const said = Object.entries(MonitorBody.properties).map(([name, schema]) => {
    const { type } = schema as { type: string | string[] }
    return typeof type === 'string' ? [name, type, false] : [name, type[0], type[1] === 'null']
  })
  assert.deepEqual(said, fields)
})

for (const [name, , nullable] of fields) {
  test(`Monitor.${name} is always there and ${nullable ? 'may' : 'may not'} be null`, () => {
    assert.equal(isMonitor({ ...MONITOR_EXAMPLE, [name]: null }), nullable)
    assert.ok(!isMonitor({ ...MONITOR_EXAMPLE, [name]: undefined }))
  })
}

test('Monitor has no other field, and its headers may have any value', () => {
  assert.ok(isMonitor(MONITOR_EXAMPLE))
  assert.ok(!isMonitor({ ...MONITOR_EXAMPLE, secret: 'x' }))
  assert.ok(isMonitor({ ...MONITOR_EXAMPLE, requestHeaders: { a: 1, b: null, c: ['x'] } }))
})

function short(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 60)
}
