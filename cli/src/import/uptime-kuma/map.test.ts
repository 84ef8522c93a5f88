import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  assertCounts,
  changesOf,
  itemIn,
  OPTIONS,
  refusalOf,
  resourceIn,
} from '../../../test/import/imported.ts'
import { makeKumaDatabase, TEAM } from '../../../test/import/kuma-database.ts'
import type { SourceRow } from '../common/values.ts'
import { mapKuma } from './map.ts'
import { draftMonitor } from './map-monitor.ts'
import { readKumaBackup } from './read-backup.ts'
import { readKumaDatabase } from './read-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'upv-kuma-'))
after(() => rmSync(folder, { recursive: true }))

for (const version of [1, 2] as const)
  test(`a database of version ${version}`, async () => {
    const path = join(folder, `${version}.db`)
    makeKumaDatabase(path, version, TEAM)
    const imported = mapKuma(await readKumaDatabase(path), OPTIONS)
    assertCounts(imported)
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(imported.report.counts).map(([kind, { total }]) => [kind, total]),
      ),
      { monitor: 9, contact: 3, tag: 1, 'status page': 1, 'maintenance window': 5, incident: 1 },
    )
    assert.deepEqual(resourceIn(imported, 'monitors', 'shop'), {
      name: 'Shop',
      type: 'HTTP',
      url: 'https://shop.example.com/',
      method: 'GET',
      requestHeaders: {
        Authorization: '${env:SHOP_AUTHORIZATION}',
        'X-Api-Key': '${env:SHOP_X_API_KEY}',
        Accept: 'text/html',
      },
      expectedStatus: ['200-299'],
      sslExpiryThresholdDays: 21,
      intervalSeconds: 60,
      timeoutSeconds: 30,
      tags: ['production', 'group'],
      contacts: ['team', 'team-2', 'chat'],
    })
    assert.deepEqual(changesOf(imported, 'Shop'), [
      'maxretries',
      'value of tag Production',
      'parent',
    ])
    assert.deepEqual(
      [...imported.secrets],
      [
        ['CHAT_URL', 'https://hooks.slack.com/services/T/B/planted'],
        ['SHOP_AUTHORIZATION', `Basic ${Buffer.from('probe:planted-password').toString('base64')}`],
        ['SHOP_X_API_KEY', 'planted-header'],
      ],
    )
    const { keyword, keywordMatch, intervalSeconds } = resourceIn(imported, 'monitors', 'login')
    assert.deepEqual([keyword, keywordMatch, intervalSeconds], [' Welcome', 'NOT_EXISTS', 30])
    assert.deepEqual(changesOf(imported, 'Login'), ['expectedStatus', 'intervalSeconds'])
    assert.equal(resourceIn(imported, 'monitors', 'router')['paused'], true)
    assert.match(refusalOf(imported, 'Queue'), /mqtt/)
    assert.match(refusalOf(imported, 'Trap'), /upside down/)
    assert.match(refusalOf(imported, 'Phone'), /clicksendsms/)
    assert.deepEqual(imported.heartbeats, [
      {
        monitor: 'backup',
        name: 'Backup',
        token: 'eYaNuTzjHT',
        oldUrl: 'https://kuma.example.com/api/push/eYaNuTzjHT',
      },
    ])
  })

test('pages and windows', async () => {
  const path = join(folder, 'pages.db')
  makeKumaDatabase(path, 2, TEAM)
  const imported = mapKuma(await readKumaDatabase(path), OPTIONS)
  assert.deepEqual(resourceIn(imported, 'statusPages', 'shop-status'), {
    name: 'Shop status',
    published: true,
    slug: 'shop',
    theme: 'DARK',
    customDomain: 'status.example.com',
    sections: [{ name: 'Web', components: [{ monitor: 'shop' }, { monitor: 'login' }] }],
  })
  assert.deepEqual(changesOf(imported, 'Shop status'), ['monitors', 'custom_css'])
  assert.deepEqual(resourceIn(imported, 'maintenanceWindows', 'nightly'), {
    name: 'Nightly',
    monitors: ['shop'],
    statusPages: ['shop-status'],
    startsAt: '2026-11-18T01:00:00.000Z',
    endsAt: '2026-11-18T02:30:00.000Z',
    timezone: 'Europe/Berlin',
    recurrence: { frequency: 'DAILY', interval: 1 },
  })
  const weekly = resourceIn(imported, 'maintenanceWindows', 'weekly')
  assert.deepEqual(
    [weekly['startsAt'], weekly['endsAt'], weekly['recurrence']],
    [
      '2026-11-18T22:30:00.000Z',
      '2026-11-18T23:30:00.000Z',
      { frequency: 'WEEKLY', daysOfWeek: ['WEDNESDAY', 'SUNDAY'] },
    ],
  )
  assert.deepEqual(resourceIn(imported, 'maintenanceWindows', 'monthly')['recurrence'], {
    frequency: 'MONTHLY',
    dayOfMonth: 1,
  })
  assert.deepEqual(resourceIn(imported, 'maintenanceWindows', 'monthly-2')['recurrence'], {
    frequency: 'MONTHLY',
    dayOfMonth: -1,
  })
  assert.equal(refusalOf(imported, 'Past'), 'It is over.')
  assert.match(refusalOf(imported, 'By cron'), /cron/)
  assert.equal(itemIn(imported, 'Slow today').outcome, 'not taken')
})

test('the JSON backup of version 1', () => {
  const backup = {
    version: '1.23.11',
    notificationList: [
      {
        id: 1,
        name: 'Bot',
        active: true,
        config: '{"type":"telegram","telegramBotToken":"t","telegramChatID":"-5"}',
      },
    ],
    monitorList: [
      {
        id: 1,
        name: 'Jobs',
        type: 'push',
        pushToken: 'abcdefgh12',
        interval: 30,
        maxretries: 0,
        retryInterval: 30,
        active: true,
        notificationIDList: { 1: true, 2: false },
        tags: [{ name: 'Night', value: '' }],
      },
    ],
  }
  const imported = mapKuma(readKumaBackup('backup.json', backup), OPTIONS)
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'monitors', 'jobs'), {
    name: 'Jobs',
    type: 'CRON',
    expectedPeriodSec: 60,
    graceSeconds: 0,
    tags: ['night'],
    contacts: ['bot'],
  })
  assert.deepEqual(changesOf(imported, 'Jobs'), ['expectedPeriodSec'])
  assert.equal(imported.heartbeats[0]?.oldUrl, '/api/push/abcdefgh12')
})

test('notifications with a channel of their own', () => {
  const configs = {
    Phones: {
      type: 'gotify',
      gotifyserverurl: 'https://g.example.com',
      gotifyapplicationToken: 't',
    },
    Chat: { type: 'mattermost', mattermostWebhookUrl: 'https://chat.example.com/hooks/t' },
    Rocket: { type: 'rocket.chat', rocketwebhookURL: 'https://chat.example.com/hooks/a/t' },
    Room: {
      type: 'matrix',
      homeserverUrl: 'https://matrix.org',
      internalRoomId: '!a:b',
      accessToken: 't',
    },
  }
  const notificationList = Object.entries(configs).map(([name, config], index) => ({
    id: index + 1,
    name,
    active: true,
    config: JSON.stringify(config),
  }))
  const backup = { version: '1.23.11', notificationList, monitorList: [] }
  const imported = mapKuma(readKumaBackup('backup.json', backup), OPTIONS)
  assertCounts(imported)
  const channels = ['phones', 'chat', 'rocket', 'room'].map(
    (key) => resourceIn(imported, 'contacts', key)['channel'],
  )
  assert.deepEqual(channels, ['GOTIFY', 'MATTERMOST', 'ROCKET_CHAT', 'MATRIX'])
})

const http = (fields: SourceRow) => ({
  name: 'M',
  type: 'http',
  url: 'https://a.example.com/',
  ...fields,
})
const RULES = { nearest: false, certificateDays: 21 }

const MAPPED: readonly [given: SourceRow, field: string, expected: unknown][] = [
  [http({ method: 'post' }), 'method', 'POST'],
  [http({ maxredirects: 0 }), 'followRedirects', false],
  [http({ ignore_tls: 1 }), 'verifySsl', false],
  [http({ interval: 1 }), 'intervalSeconds', 30],
  [http({ interval: 100_000 }), 'intervalSeconds', 86_400],
  [http({ timeout: 0.5 }), 'timeoutSeconds', 1],
  [http({ interval: 600, timeout: 0 }), 'timeoutSeconds', 60],
  [http({ expiry_notification: 1 }), 'sslExpiryThresholdDays', 21],
  [http({ active: 0 }), 'paused', true],
  [http({ accepted_statuscodes: ['200', '204-206'] }), 'expectedStatus', [200, '204-206']],
  [http({ name: 'x'.repeat(130) }), 'name', 'x'.repeat(120)],
  [
    { name: 'D', type: 'dns', hostname: 'a.example.com', dns_resolve_type: 'TXT' },
    'dnsRecordType',
    'TXT',
  ],
  [{ name: 'P', type: 'push', interval: 5_000_000 }, 'expectedPeriodSec', 2_592_000],
  [
    { name: 'P', type: 'push', interval: 60, maxretries: 3, retry_interval: 20 },
    'graceSeconds',
    60,
  ],
]
for (const [given, field, expected] of MAPPED)
  test(`${JSON.stringify(given).slice(0, 100)}: ${field}`, () => {
    const draft = draftMonitor(given, RULES)
    assert.equal(draft.refusal, undefined)
    assert.deepEqual(draft.fields[field], expected)
  })

const REFUSED: readonly [given: SourceRow, why: RegExp][] = [
  [http({ method: 'OPTIONS' }), /OPTIONS/],
  [http({ url: 'ftp://a.example.com/' }), /http/],
  [http({ url: '' }), /no URL/],
  [http({ auth_method: 'ntlm' }), /ntlm/],
  [http({ auth_method: 'mtls' }), /mtls/],
  [http({ auth_method: 'oauth2-cc' }), /oauth2/],
  [http({ headers: 'no JSON' }), /JSON/],
  [{ name: 'K', type: 'keyword', url: 'https://a.example.com/' }, /keyword/],
  [{ name: 'P', type: 'port', hostname: 'a.example.com' }, /port/],
  [{ name: 'P', type: 'ping', hostname: 'not a host' }, /host/],
  [{ name: 'D', type: 'dns', hostname: 'a.example.com', dns_resolve_type: 'CAA' }, /CAA/],
  [{ name: 'X', type: 'constructor' }, /type/],
  [{}, /type/],
]
for (const [given, why] of REFUSED)
  test(`${JSON.stringify(given).slice(0, 100)}: not taken`, () => {
    assert.match(draftMonitor(given, RULES).refusal ?? '', why)
  })

test('--nearest takes a PORT monitor, and says so', () => {
  const row = { name: 'Q', type: 'mqtt', hostname: 'mq.example.com', port: 1883 }
  const draft = draftMonitor(row, { ...RULES, nearest: true })
  assert.equal(draft.refusal, undefined)
  assert.deepEqual([draft.fields['type'], draft.fields['port']], ['PORT', 1883])
  assert.equal(draft.changes[0]?.field, 'type')
})
