import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MONITOR_STATES, type MonitorState } from '../monitors/monitor.ts'
import { toPublicId } from '../values/id.ts'
import { renderFamilies } from './exposition.ts'
import { type MetricMonitor, MONITOR_FAMILIES, toLabeled } from './organization-metrics.ts'

const UUID = '01940000-0000-7000-8000-000000000001'
const ID = toPublicId('mon', UUID)
const MONITOR: MetricMonitor = {
  uuid: UUID,
  name: 'Shop',
  type: 'HTTP',
  url: 'https://shop.example/health?key=canary',
  host: null,
  port: null,
  state: 'UP',
  lastResponseMs: 184,
  lastCheckedAt: new Date('2026-11-16T12:00:00.900Z'),
  certExpiresAt: new Date('2027-01-01T00:00:00Z'),
  domainExpiresAt: null,
  inMaintenance: false,
  page: 'acme',
  section: 'API',
  ratios: [1, null, 0.99987],
  regions: null,
}

function samples(changes: Partial<MetricMonitor> = {}): Map<string, string> {
  const text = [
    ...renderFamilies(MONITOR_FAMILIES, [toLabeled({ ...MONITOR, ...changes })], 'TEXT'),
  ]
  const lines = text.join('').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )
}
const labels = `id="${ID}",name="Shop",type="HTTP"`

test('MONITOR_FAMILIES: everything about a monitor that is up', () => {
  assert.deepEqual(Object.fromEntries(samples()), {
    [`upvane_monitor_up{${labels}}`]: '1',
    [`upvane_monitor_state{${labels},state="UP"}`]: '1',
    [`upvane_monitor_response_seconds{${labels}}`]: '0.184',
    [`upvane_monitor_uptime_ratio{${labels},window="24h"}`]: '1',
    [`upvane_monitor_uptime_ratio{${labels},window="30d"}`]: '0.99987',
    [`upvane_monitor_certificate_expiry_timestamp_seconds{${labels}}`]: '1798761600',
    [`upvane_monitor_last_check_timestamp_seconds{${labels}}`]: '1794830400',
    [`upvane_monitor_in_maintenance{${labels}}`]: '0',
    [`upvane_monitor_info{${labels},target="https://shop.example/health",page="acme",section="API"}`]:
      '1',
  })
})

// biome-ignore format: a table is read by its columns
const ups: Record<MonitorState, { up: string | undefined; responds: boolean }> = {
  UP:       { up: '1',       responds: true },
  DEGRADED: { up: '1',       responds: true },
  DOWN:     { up: '0',       responds: true },
  PENDING:  { up: undefined, responds: false },
  PAUSED:   { up: undefined, responds: false },
}
for (const state of MONITOR_STATES)
  test(`upvane_monitor_up: ${ups[state].up ?? 'absent'} while ${state}, with one state series`, () => {
    const found = samples({ state })
    assert.equal(found.get(`upvane_monitor_up{${labels}}`), ups[state].up)
    assert.equal(found.has(`upvane_monitor_response_seconds{${labels}}`), ups[state].responds)
    const states = [...found].filter(([series]) => series.startsWith('upvane_monitor_state'))
    assert.deepEqual(states, [[`upvane_monitor_state{${labels},state="${state}"}`, '1']])
  })

test('MONITOR_FAMILIES: what is unknown is absent, and a monitor on no page has empty labels', () => {
  const found = samples({
    lastResponseMs: null,
    lastCheckedAt: null,
    certExpiresAt: null,
    domainExpiresAt: new Date('2027-01-01T00:00:00Z'),
    inMaintenance: true,
    page: null,
    section: null,
    ratios: [],
  })
  assert.deepEqual(
    [...found.keys()].map((series) => series.slice(0, series.indexOf('{'))),
    [
      'upvane_monitor_up',
      'upvane_monitor_state',
      'upvane_monitor_domain_expiry_timestamp_seconds',
      'upvane_monitor_in_maintenance',
      'upvane_monitor_info',
    ],
  )
  assert.equal(found.get(`upvane_monitor_in_maintenance{${labels}}`), '1')
  assert.ok(
    found.has(
      `upvane_monitor_info{${labels},target="https://shop.example/health",page="",section=""}`,
    ),
  )
})

test('each region of the last check has its own series, and none without an answer or while paused', () => {
  const regions = [
    { region: 'eu "west"', responseMs: 184, isUp: true },
    { region: 'us-east', responseMs: null, isUp: false },
    { region: 'ap-south', responseMs: null, isUp: null },
  ]
  const own = (found: Map<string, string>) =>
    [...found].filter(([series]) => series.startsWith('upvane_monitor_region_'))
  assert.deepEqual(own(samples({ regions })), [
    [`upvane_monitor_region_up{${labels},region="eu \\"west\\""}`, '1'],
    [`upvane_monitor_region_up{${labels},region="us-east"}`, '0'],
    [`upvane_monitor_region_response_seconds{${labels},region="eu \\"west\\""}`, '0.184'],
  ])
  assert.deepEqual(own(samples({ regions, state: 'PAUSED' })), [])
})
