import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderFamilies } from './exposition.ts'
import { KUMA_FAMILIES, toKumaMonitors } from './kuma-metrics.ts'
import type { MetricMonitor } from './organization-metrics.ts'

const AT = new Date('2026-11-16T12:00:00Z')
const MONITOR: MetricMonitor = {
  uuid: '01940000-0000-7000-8000-000000000001',
  name: 'Shop',
  type: 'HTTP',
  url: 'https://shop.example/health?key=canary',
  host: null,
  port: null,
  state: 'UP',
  lastResponseMs: 184,
  lastCheckedAt: AT,
  certExpiresAt: new Date('2026-11-26T13:00:00Z'),
  domainExpiresAt: null,
  inMaintenance: false,
  page: null,
  section: null,
  regions: null,
  ratios: [1, 0.99987, null],
}

function linesOf(...monitors: Partial<MetricMonitor>[]): string[] {
  const rows = toKumaMonitors(
    monitors.map((changes) => ({ ...MONITOR, ...changes })),
    AT,
  )
  const text = [...renderFamilies(KUMA_FAMILIES, rows, 'TEXT')].join('')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

test('KUMA_FAMILIES: the series and labels of Uptime Kuma, without monitor_id', () => {
  const labels =
    'monitor_name="Shop",monitor_type="http",monitor_url="https://shop.example/health",monitor_hostname="null",monitor_port="null"'
  assert.deepEqual(linesOf({}), [
    `monitor_cert_days_remaining{${labels}} 10`,
    `monitor_cert_is_valid{${labels}} 1`,
    `monitor_uptime_ratio{${labels},window="1d"} 1`,
    `monitor_uptime_ratio{${labels},window="30d"} 0.99987`,
    `monitor_response_time{${labels}} 184`,
    `monitor_status{${labels}} 1`,
  ])
})

// biome-ignore format: a table is read by its columns
const statuses: [changes: Partial<MetricMonitor>, status: number | undefined][] = [
  [{ state: 'UP' },                            1],
  [{ state: 'DEGRADED' },                      1],
  [{ state: 'DOWN' },                          0],
  [{ state: 'PENDING' },                       2],
  [{ state: 'UP', inMaintenance: true },       3],
  [{ state: 'DOWN', inMaintenance: true },     3],
  [{ state: 'PAUSED' },                        undefined],
  [{ state: 'PAUSED', inMaintenance: true },   undefined],
]
for (const [changes, status] of statuses)
  test(`monitor_status: ${JSON.stringify(changes)} is ${status ?? 'absent'}`, () => {
    const found = linesOf(changes).filter((line) => line.startsWith('monitor_status'))
    assert.deepEqual(
      found.map((line) => Number(line.slice(line.lastIndexOf(' ')))),
      status === undefined ? [] : [status],
    )
  })

// biome-ignore format: a table is read by its columns
const targets: [changes: Partial<MetricMonitor>, labels: string][] = [
  [{ type: 'PING', url: null, host: 'db.example' },              'monitor_type="ping",monitor_url="null",monitor_hostname="db.example",monitor_port="null"'],
  [{ type: 'PORT', url: null, host: 'db.example', port: 5432 },  'monitor_type="port",monitor_url="null",monitor_hostname="db.example",monitor_port="5432"'],
  [{ type: 'DNS', url: 'shop.example' },                         'monitor_type="dns",monitor_url="null",monitor_hostname="shop.example",monitor_port="null"'],
  [{ type: 'CRON', url: null },                                  'monitor_type="push",monitor_url="null",monitor_hostname="null",monitor_port="null"'],
  [{ type: 'SSL', url: 'https://a:canary@shop.example' },        'monitor_type="ssl",monitor_url="https://shop.example",monitor_hostname="null",monitor_port="null"'],
]
for (const [changes, labels] of targets)
  test(`labels: ${JSON.stringify(changes)}`, () => {
    assert.ok(linesOf(changes).includes(`monitor_status{monitor_name="Shop",${labels}} 1`))
  })

test('a response time that is not known is -1, and an expired certificate is not valid', () => {
  const lines = linesOf({ lastResponseMs: null, certExpiresAt: new Date('2026-11-16T11:00:00Z') })
  assert.ok(lines.some((line) => line.startsWith('monitor_response_time{') && line.endsWith(' -1')))
  assert.ok(lines.some((line) => line.startsWith('monitor_cert_is_valid{') && line.endsWith(' 0')))
})

// biome-ignore format: a table is read by its columns
const names: [given: string[], shown: string[]][] = [
  [['A', 'B'],                    ['A', 'B']],
  [['A', 'A', 'A'],               ['A', 'A (2)', 'A (3)']],
  [['A', 'A (2)', 'A'],           ['A', 'A (2)', 'A (3)']],
  [['A', 'A', 'A (2)'],           ['A', 'A (3)', 'A (2)']],
  [['A', 'A (2)', 'A (2)', 'A'],  ['A', 'A (2)', 'A (2) (2)', 'A (3)']],
]
for (const [given, shown] of names)
  test(`names: ${given.join(', ')} become ${shown.join(', ')}`, () => {
    const lines = linesOf(...given.map((name) => ({ name })))
    const found = lines
      .filter((line) => line.startsWith('monitor_status'))
      .map((line) => line.slice(line.indexOf('"') + 1, line.indexOf('",')))
    assert.deepEqual(found, shown)
  })

test('names: a paused monitor keeps its number, so that others are not renamed', () => {
  const lines = linesOf({ state: 'PAUSED' }, {})
  assert.ok(lines.at(-1)?.startsWith('monitor_status{monitor_name="Shop (2)"'))
})
