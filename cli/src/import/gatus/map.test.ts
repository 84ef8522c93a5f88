import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertCounts,
  changesOf,
  OPTIONS,
  refusalOf,
  resourceIn,
} from '../../../test/import/imported.ts'
import { readCondition, type WantedChecks } from './conditions.ts'
import { toSeconds } from './duration.ts'
import { mapGatus } from './map.ts'

const CONFIG = {
  alerting: {
    slack: { 'webhook-url': 'https://hooks.slack.com/services/planted' },
    custom: { url: 'https://a.example.com' },
  },
  maintenance: { start: '23:00', duration: '1h', timezone: 'Europe/Berlin', every: ['Sunday'] },
  endpoints: [
    {
      name: 'Shop',
      group: 'core',
      url: 'https://shop.example.com/health',
      interval: '2m',
      headers: { Authorization: 'Bearer ${SHOP_TOKEN}', 'User-Agent': 'gatus' },
      client: { insecure: true, timeout: '5s' },
      conditions: [
        '[STATUS] == any(200, 204)',
        '[BODY] == pat(*healthy*)',
        '[RESPONSE_TIME] < 500',
        '[CERTIFICATE_EXPIRATION] > 48h',
      ],
      alerts: [{ type: 'slack' }],
    },
    { name: 'Mail', url: 'tcp://mail.example.com:25', conditions: ['[CONNECTED] == true'] },
    {
      name: 'Router',
      url: 'icmp://192.0.2.1',
      enabled: false,
      conditions: ['[CONNECTED] == true'],
    },
    {
      name: 'Cert',
      url: 'tls://mail.example.com:993',
      conditions: ['[CONNECTED] == true', '[CERTIFICATE_EXPIRATION] > 720h'],
    },
    {
      name: 'Names',
      url: '8.8.8.8',
      dns: { 'query-name': 'example.com.', 'query-type': 'A' },
      conditions: ['[BODY] == 192.0.2.7', '[DNS_RCODE] == NOERROR'],
    },
    { name: 'Json', url: 'https://a.example.com/', conditions: ['[BODY].status == UP'] },
    {
      name: 'Shell',
      url: 'ssh://a.example.com:22',
      ssh: { username: '' },
      conditions: ['[CONNECTED] == true'],
    },
  ],
  'external-endpoints': [
    { name: 'Backup', group: 'jobs', token: 'planted-token', heartbeat: { interval: '24h' } },
  ],
  suites: [{ name: 'Checkout' }],
}

test('a configuration', () => {
  const imported = mapGatus(CONFIG, OPTIONS)
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'monitors', 'shop'), {
    name: 'Shop',
    type: 'KEYWORD',
    url: 'https://shop.example.com/health',
    requestHeaders: { Authorization: 'Bearer ${env:SHOP_TOKEN}', 'User-Agent': 'gatus' },
    expectedStatus: [200, 204],
    keyword: 'healthy',
    verifySsl: false,
    sslExpiryThresholdDays: 2,
    intervalSeconds: 120,
    timeoutSeconds: 5,
    degradedThresholdMs: 500,
    degradedSamples: 1,
    tags: ['core'],
    contacts: ['gatus-slack'],
  })
  assert.deepEqual(changesOf(imported, 'Shop'), ['conditions', 'conditions'])
  assert.equal(resourceIn(imported, 'monitors', 'router')['paused'], true)
  assert.equal(resourceIn(imported, 'monitors', 'cert')['url'], 'mail.example.com:993')
  const names = resourceIn(imported, 'monitors', 'names')
  assert.deepEqual([names['url'], names['dnsExpected']], ['example.com', '192.0.2.7'])
  assert.match(refusalOf(imported, 'Json'), /condition/)
  assert.match(refusalOf(imported, 'Shell'), /ssh/i)
  assert.match(refusalOf(imported, 'custom'), /custom webhook/)
  assert.match(refusalOf(imported, 'Checkout'), /steps/)
  assert.equal(resourceIn(imported, 'monitors', 'backup')['expectedPeriodSec'], 86_400)
  assert.equal(
    resourceIn(imported, 'maintenanceWindows', 'maintenance')['startsAt'],
    '2026-11-22T22:00:00.000Z',
  )
  assert.deepEqual(imported.report.variables, ['SHOP_TOKEN', 'GATUS_GATUS_SLACK_URL'])
})

test('providers with a channel of their own', () => {
  const alerting = {
    gotify: { 'server-url': 'https://gotify.example.com', token: 'planted' },
    mattermost: { 'webhook-url': 'https://chat.example.com/hooks/planted' },
    matrix: { 'internal-room-id': '!a:b', 'access-token': 'planted' },
    rocketchat: { 'webhook-url': 'https://chat.example.com/hooks/a/planted' },
  }
  const imported = mapGatus({ alerting, endpoints: [] }, OPTIONS)
  assertCounts(imported)
  const channels = Object.keys(alerting).map(
    (name) => resourceIn(imported, 'contacts', `gatus-${name}`)['channel'],
  )
  assert.deepEqual(channels, ['GOTIFY', 'MATTERMOST', 'MATRIX', 'ROCKET_CHAT'])
})

const span = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)
const CONDITIONS: readonly [conditions: string[], expected: WantedChecks | undefined][] = [
  [[], {}],
  [['[STATUS] == 200'], { statuses: [200] }],
  [['[STATUS] == any(200, 429)'], { statuses: [200, 429] }],
  [['[STATUS] < 300'], { statuses: span(100, 299) }],
  [['[STATUS] <= 299'], { statuses: span(100, 299) }],
  [['[STATUS] > 499'], { statuses: span(500, 599) }],
  [['[STATUS] >= 500'], { statuses: span(500, 599) }],
  [['[STATUS] != 100', '[STATUS] < 103'], { statuses: [101, 102] }],
  [['[STATUS] >= 200', '[STATUS] < 300'], { statuses: span(200, 299) }],
  [['[STATUS] < 200', '[STATUS] > 300'], undefined],
  [['[STATUS] < 100'], undefined],
  [['[STATUS] == UP'], undefined],
  [['[STATUS] ~ 200'], undefined],
  [['[BODY] != pat(*Error*)'], { keyword: { text: 'Error', isAbsent: true } }],
  [['[BODY] == pat(*a*b*)'], undefined],
  [['[BODY] == pat(*a*)', '[BODY] == pat(*b*)'], undefined],
  [['[BODY] == exact'], undefined],
  [['len([BODY]) > 5'], undefined],
  [['[RESPONSE_TIME] < 300'], { slowerThanMs: 300 }],
  [['[RESPONSE_TIME] > 300'], undefined],
  [['[CERTIFICATE_EXPIRATION] > 48h'], { certificateHours: 48 }],
  [['[DOMAIN_EXPIRATION] > 720h'], { domainHours: 720 }],
  [['[DOMAIN_EXPIRATION] < 720h'], undefined],
  [['[CONNECTED] == true'], {}],
  [['[CONNECTED] == false'], undefined],
  [['[IP] == 127.0.0.1'], undefined],
  [['[constructor] == 1'], undefined],
  [[''], undefined],
]
for (const [conditions, expected] of CONDITIONS)
  test(`the conditions ${conditions.join(' and ')}`, () => {
    assert.deepEqual(
      conditions.reduce<WantedChecks | undefined>(
        (wanted, condition) => wanted && readCondition(wanted, condition, false),
        {},
      ),
      expected,
    )
  })

for (const [text, seconds] of [
  ['60s', 60],
  ['1h30m', 5400],
  ['500ms', 0.5],
  ['1.5h', 5400],
  ['', undefined],
  ['5', undefined],
  ['5 m', undefined],
  ['-5m', undefined],
] as const)
  test(`the duration "${text}"`, () => {
    assert.equal(toSeconds(text), seconds)
  })
