import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertCounts,
  changesOf,
  itemIn,
  OPTIONS,
  refusalOf,
  resourceIn,
} from '../../../test/import/imported.ts'
import { mapStack } from './map.ts'
import { readStack } from './read.ts'

const entry = (type: string, id: string, attributes: object) => ({ id, type, attributes })
const MAINTENANCE = {
  maintenance_from: '01:00:00',
  maintenance_to: '02:00:00',
  maintenance_timezone: 'Berlin',
  maintenance_days: ['sat', 'sun'],
}
const MONITORS = [
  entry('monitor', '1', {
    pronounceable_name: 'Shop',
    url: 'https://shop.example.com/',
    monitor_type: 'status',
    check_frequency: 180,
    request_timeout: 15,
    http_method: 'get',
    request_headers: [{ id: '1', name: 'X-Token', value: 'planted-header' }],
    verify_ssl: false,
    follow_redirects: false,
    ssl_expiration: 14,
    domain_expiration: 30,
    confirmation_period: 60,
    paused_at: '2026-01-01T00:00:00Z',
    ...MAINTENANCE,
  }),
  entry('monitor', '2', {
    pronounceable_name: 'Teapot',
    url: 'https://a.example.com/',
    monitor_type: 'expected_status_code',
    expected_status_codes: [418],
    check_frequency: 60,
    ...MAINTENANCE,
  }),
  entry('monitor', '3', {
    pronounceable_name: 'No error',
    url: 'https://a.example.com/',
    monitor_type: 'keyword_absence',
    required_keyword: 'Error',
    check_frequency: 60,
  }),
  entry('monitor', '4', {
    pronounceable_name: 'Mail',
    url: 'mail.example.com',
    monitor_type: 'tcp',
    port: '25',
    check_frequency: 60,
    request_timeout: 500,
  }),
  entry('monitor', '5', {
    pronounceable_name: 'Names',
    url: '1.1.1.1',
    monitor_type: 'dns',
    request_body: 'example.com',
    required_keyword: '192.0.2.1',
    check_frequency: 60,
  }),
  entry('monitor', '6', {
    pronounceable_name: 'Smtp',
    url: 'mail.example.com',
    monitor_type: 'smtp',
    port: '587',
  }),
]
const HEARTBEAT = entry('heartbeat', '1', {
  name: 'Backup',
  url: 'https://uptime.betterstack.com/api/v1/heartbeat/abc',
  period: 30,
  grace: 10,
})
const PAGE = [
  entry('status_page', '1', {
    company_name: 'Example',
    subdomain: 'example',
    timezone: 'Eastern Time (US & Canada)',
    theme: 'dark',
    subscribable: false,
  }),
  entry('status_page_section', '2', { name: 'Second', position: 1 }),
  entry('status_page_section', '1', { name: 'First', position: 0 }),
  entry('status_page_resource', '1', {
    status_page_section_id: 1,
    resource_id: 1,
    resource_type: 'Monitor',
    public_name: 'Website',
    explanation: 'The shop',
    position: 0,
  }),
  entry('status_page_resource', '2', {
    status_page_section_id: 2,
    resource_id: 1,
    resource_type: 'Heartbeat',
    public_name: 'Jobs',
    position: 0,
  }),
  entry('status_page_resource', '3', {
    status_page_section_id: 2,
    resource_id: 99,
    resource_type: 'MonitorGroup',
    public_name: 'All',
    position: 1,
  }),
]
const REPORT = entry('status_report', '1', { title: 'Outage' })
const JSON_FILE = [
  { data: MONITORS, pagination: { next: null } },
  { data: [HEARTBEAT] },
  { data: PAGE },
  { data: [REPORT] },
]

test('monitors and heartbeats', () => {
  const imported = mapStack(readStack('stack.json', JSON_FILE), OPTIONS)
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'monitors', 'shop'), {
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/',
    method: 'GET',
    requestHeaders: { 'X-Token': '${env:SHOP_X_TOKEN}' },
    expectedStatus: ['200-299'],
    followRedirects: false,
    verifySsl: false,
    sslExpiryThresholdDays: 14,
    intervalSeconds: 180,
    timeoutSeconds: 15,
    paused: true,
  })
  assert.deepEqual(changesOf(imported, 'Shop'), ['confirmation_period'])
  assert.deepEqual(resourceIn(imported, 'monitors', 'teapot')['expectedStatus'], [418])
  assert.equal(resourceIn(imported, 'monitors', 'no-error')['keywordMatch'], 'NOT_EXISTS')
  const mail = resourceIn(imported, 'monitors', 'mail')
  assert.deepEqual([mail['type'], mail['port'], mail['timeoutSeconds']], ['PORT', 25, 1])
  const names = resourceIn(imported, 'monitors', 'names')
  assert.deepEqual([names['url'], names['dnsExpected']], ['example.com', '192.0.2.1'])
  assert.match(refusalOf(imported, 'Smtp'), /smtp/)
  assert.equal(resourceIn(imported, 'monitors', 'backup')['expectedPeriodSec'], 60)
  assert.deepEqual(changesOf(imported, 'Backup'), ['expectedPeriodSec'])
  assert.equal(
    resourceIn(imported, 'monitors', 'shop-example-com-domain')['sslExpiryThresholdDays'],
    30,
  )
  assert.equal(itemIn(imported, 'Outage').outcome, 'not taken')
})

test('monitors with the same maintenance share a window', () => {
  const imported = mapStack(readStack('stack.json', JSON_FILE), OPTIONS)
  assert.equal(imported.file.get('maintenanceWindows')?.size, 1)
  const window = resourceIn(imported, 'maintenanceWindows', 'maintenance-01-00-to-02-00')
  assert.deepEqual(
    [window['monitors'], window['startsAt'], window['timezone'], window['recurrence']],
    [
      ['shop', 'teapot'],
      '2026-11-21T00:00:00.000Z',
      'Europe/Berlin',
      { frequency: 'WEEKLY', daysOfWeek: ['SATURDAY', 'SUNDAY'] },
    ],
  )
})

test('a page, its sections in order, and what it shows without a monitor', () => {
  const imported = mapStack(readStack('stack.json', JSON_FILE), OPTIONS)
  const page = resourceIn(imported, 'statusPages', 'example')
  assert.deepEqual(
    [page['timezone'], page['theme'], page['subscribersEnabled']],
    ['America/New_York', 'DARK', false],
  )
  assert.deepEqual(page['sections'], [
    { name: 'First', components: [{ name: 'Website', description: 'The shop', monitor: 'shop' }] },
    {
      name: 'Second',
      components: [
        { name: 'Jobs', monitor: 'backup' },
        { name: 'All', manualState: 'OPERATIONAL' },
      ],
    },
  ])
  assert.deepEqual(changesOf(imported, 'Example'), ['resources'])
})

test('--nearest', () => {
  const data = readStack('stack.json', JSON_FILE)
  const imported = mapStack(data, { ...OPTIONS, nearest: true })
  assert.equal(resourceIn(imported, 'monitors', 'smtp')['type'], 'PORT')
})

test('a file of another kind is refused', () => {
  assert.throws(() => readStack('x.json', { monitorList: [] }), /no answer of Better Stack/)
  assert.throws(() => readStack('x.json', { data: [entry('user', '1', {})] }), /type "user"/)
})
