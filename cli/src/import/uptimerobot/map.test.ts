import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertCounts,
  changesOf,
  OPTIONS,
  refusalOf,
  resourceIn,
} from '../../../test/import/imported.ts'
import type { SourceRow } from '../common/values.ts'
import { mapRobot } from './map.ts'
import { draftMonitor } from './map-monitor.ts'
import { readRobotCsv, readRobotJson } from './read.ts'

const ANSWER = {
  nextLink: null,
  data: [
    {
      id: 1,
      friendlyName: 'Shop',
      type: 'HTTP',
      url: 'https://shop.example.com/',
      interval: 300,
      timeout: 30,
      status: 'UP',
      httpMethodType: 'POST',
      postValueType: 'RAW_JSON',
      postValueData: '{"token":"planted-body"}',
      authType: 'HTTP_BASIC',
      httpUsername: 'probe',
      httpPassword: 'planted-password',
      customHttpHeaders: { 'X-Token': 'planted-header' },
      successHttpResponseCodes: ['2xx'],
      followRedirections: false,
      checkSSLErrors: true,
      domainExpirationReminder: true,
      responseTimeThreshold: 2000,
      tags: [{ id: 1, name: 'Production' }],
      maintenanceWindows: [{ id: 7 }],
    },
    {
      id: 2,
      friendlyName: 'Search',
      type: 'KEYWORD',
      url: 'https://shop.example.com/search',
      keywordType: 'ALERT_EXISTS',
      keywordCaseType: 'CaseInsensitive',
      keywordValue: 'Error',
      interval: 60,
      status: 'PAUSED',
    },
    {
      id: 3,
      friendlyName: 'Backup',
      type: 'HEARTBEAT',
      url: 'https://heartbeat.uptimerobot.com/m3-abc',
      interval: 3600,
      gracePeriod: 300,
    },
    { id: 4, friendlyName: 'Game', type: 'UDP', url: 'game.example.com', port: 27015 },
  ],
}
const WINDOW = {
  id: 7,
  name: 'Sundays',
  interval: 'weekly',
  time: '02:00:00',
  duration: 60,
  days: [7],
  status: 'ACTIVE',
}
const PAGE = {
  id: 9,
  friendlyName: 'Public',
  urlKey: 'abc123',
  customDomain: 'status.example.com',
  monitorIds: [1, 4],
  isPasswordSet: true,
}

test('monitors, windows and pages', () => {
  const json = { monitors: ANSWER, maintenanceWindows: [WINDOW], psps: { data: [PAGE] } }
  const imported = mapRobot(readRobotJson('robot.json', json), OPTIONS)
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'monitors', 'shop'), {
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/',
    method: 'POST',
    requestHeaders: {
      Authorization: '${env:SHOP_AUTHORIZATION}',
      'X-Token': '${env:SHOP_X_TOKEN}',
      'Content-Type': 'application/json',
    },
    requestBody: '${env:SHOP_REQUESTBODY}',
    expectedStatus: ['200-299'],
    followRedirects: false,
    verifySsl: true,
    intervalSeconds: 300,
    timeoutSeconds: 30,
    degradedThresholdMs: 2000,
    degradedSamples: 1,
    tags: ['production'],
  })
  assert.deepEqual(changesOf(imported, 'Shop'), ['responseTimeThreshold'])
  const search = resourceIn(imported, 'monitors', 'search')
  assert.deepEqual([search['keywordMatch'], search['paused']], ['NOT_EXISTS', true])
  assert.deepEqual(changesOf(imported, 'Search'), ['keywordCaseType'])
  const { expectedPeriodSec, graceSeconds } = resourceIn(imported, 'monitors', 'backup')
  assert.deepEqual([expectedPeriodSec, graceSeconds], [3600, 300])
  assert.match(refusalOf(imported, 'Game'), /UDP/)
  assert.equal(resourceIn(imported, 'monitors', 'shop-example-com-domain')['type'], 'DOMAIN')
  const window = resourceIn(imported, 'maintenanceWindows', 'sundays')
  assert.deepEqual([window['monitors'], window['startsAt']], [['shop'], '2026-11-22T02:00:00.000Z'])
  assert.deepEqual(resourceIn(imported, 'statusPages', 'public')['sections'], [
    { components: [{ monitor: 'shop' }] },
  ])
  assert.deepEqual(changesOf(imported, 'Public'), ['monitors', 'password'])
  assert.deepEqual(imported.report.variables, [
    'SHOP_AUTHORIZATION',
    'SHOP_X_TOKEN',
    'SHOP_REQUESTBODY',
  ])
})

test('the CSV of the dashboard', () => {
  const csv = `ID,Type,Status,Friendly Name,URL/IP,Keyword Type,Keyword Value,Port
1,HTTP(s),Up,Shop,https://shop.example.com/,,,
2,Keyword,Paused,Search,https://shop.example.com/s,Not Exists,Results,
3,Port,Up,Mail,mail.example.com,,,25
4,Ping,Up,Router,192.0.2.1,,,
`
  const imported = mapRobot(readRobotCsv('robot.csv', csv), OPTIONS)
  assertCounts(imported)
  assert.equal(resourceIn(imported, 'monitors', 'search')['keywordMatch'], 'EXISTS')
  assert.equal(resourceIn(imported, 'monitors', 'mail')['port'], 25)
  assert.equal(imported.report.counts['monitor']?.notTaken, 0)
})

const web = (fields: SourceRow) => ({
  friendlyName: 'M',
  type: 'HTTP',
  url: 'https://a.example.com/',
  ...fields,
})

const REFUSED: readonly [given: SourceRow, why: RegExp][] = [
  [web({ authType: 'DIGEST' }), /digest/],
  [web({ type: 'KEYWORD', keywordValue: 'x' }), /good or bad/],
  [web({ type: 'KEYWORD', keywordType: 'ALERT_EXISTS' }), /no keyword/],
  [web({ type: 'PORT', url: 'a.example.com' }), /port/],
  [web({ type: 'DNS', config: { dnsRecords: { CAA: ['x'] } } }), /CAA/],
  [{}, /type/],
]
for (const [given, why] of REFUSED)
  test(`${JSON.stringify(given)}: not taken`, () => {
    assert.match(draftMonitor(given).refusal ?? '', why)
  })

test('an API monitor is one of HTTP without its assertions, and says so', () => {
  const draft = draftMonitor(web({ type: 'API' }))
  assert.deepEqual([draft.fields['type'], draft.changes[0]?.field], ['HTTP', 'assertions'])
})

test('a file of another kind is refused', () => {
  assert.throws(() => readRobotJson('x.json', { checks: [] }), /no answer of UptimeRobot/)
  assert.throws(() => readRobotCsv('x.csv', 'name,url\nA,b\n'), /Friendly Name/)
})
