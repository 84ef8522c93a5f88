import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyToMonitor,
  applyToRows,
  type Changes,
  concerns,
  type MonitorNow,
  showsOtherState,
  topicsOf,
} from './changes.ts'

const now = (id: string, state: MonitorNow['state']): MonitorNow => ({
  id,
  state,
  since: '2026-11-15T10:00:00.000Z',
  lastCheckedAt: '2026-11-15T10:01:00.000Z',
  responseMs: 12,
})
const read = (route: string, monitorId = '') =>
  ['org_1', route, { params: { monitorId } }] as unknown as Parameters<typeof concerns>[0]

type Case = [what: string, Changes, concerned: string[], not: string[]]
// biome-ignore format: a table is read by its columns
const cases: Case[] = [
  ['a check', { monitors: [now('mon_1', 'UP')] },
    ['GET /monitors/{monitorId}/checks', 'GET /monitors/{monitorId}/response-times'],
    ['GET /overview/monitors', 'GET /overview', 'GET /keys', 'GET /monitors/{monitorId}/checks/{at}']],
  ['an outage', { events: [{ id: 'evt_1', type: 'incident.opened', about: 'inc_1', monitorId: 'mon_1' }] },
    ['GET /overview/monitors', 'GET /overview/incidents', 'GET /overview', 'GET /audit-log',
      'GET /overview/monitors/{monitorId}'],
    ['GET /keys', 'GET /members', 'GET /webhook-endpoints/{endpointId}']],
  ['a page', { lists: ['statusPages'] },
    ['GET /overview/status-pages', 'GET /overview/status-pages/{statusPageId}', 'GET /overview/status-incidents'],
    ['GET /overview/monitors', 'GET /keys']],
  ['a key', { lists: ['keys'] }, ['GET /keys', 'GET /audit-log'], ['GET /overview/monitors', 'GET /members']],
  ['a receiver', { receivers: [{ id: 'whe_1', enabled: true, failingSince: null }] },
    ['GET /overview/webhook-endpoints', 'GET /webhook-endpoints/{endpointId}'], ['GET /alert-contacts', 'GET /keys']],
]

for (const [what, changes, concerned, not] of cases)
  test(`${what}: only reads that show it are fetched again`, () => {
    const topics = new Set(topicsOf(changes))
    for (const route of concerned) assert.equal(concerns(read(route, 'mon_1'), topics), true, route)
    for (const route of not) assert.equal(concerns(read(route, 'mon_1'), topics), false, route)
  })

test('the next check is the first slot after the reported one', () => {
  const row = { ...now('mon_1', 'UP'), lastResponseMs: 1, everySeconds: 60 } as const
  const shown = { ...row, since: row.since ?? '', nextCheckAt: '2026-11-15T10:00:30.000Z' }
  assert.equal(applyToMonitor(shown, now('mon_1', 'UP')).nextCheckAt, '2026-11-15T10:01:30.000Z')
  assert.equal(applyToMonitor(shown, now('mon_1', 'PAUSED')).nextCheckAt, null)
})

test('the checks of another monitor are not fetched again', () => {
  const topics = new Set(topicsOf({ monitors: [now('mon_1', 'UP')] }))
  assert.equal(concerns(read('GET /monitors/{monitorId}/checks', 'mon_2'), topics), false)
  const outage = { id: 'evt_1', type: 'monitor.down', about: 'mon_1', monitorId: null } as const
  const changed = new Set(topicsOf({ events: [outage] }))
  assert.equal(concerns(read('GET /overview/monitors/{monitorId}', 'mon_1'), changed), true)
  assert.equal(concerns(read('GET /overview/monitors/{monitorId}', 'mon_2'), changed), false)
})

type Rows = Parameters<typeof applyToRows>[0]

test('a row takes its new state, and the counts go with it', () => {
  const counts = { all: 2, DOWN: 0, DEGRADED: 0, EXPIRING: 0, PENDING: 0, UP: 2, PAUSED: 0 }
  const data = [now('mon_1', 'UP'), now('mon_2', 'UP')].map((row) => ({
    ...row,
    name: row.id,
    nextCheckAt: null,
  }))
  const rows = { data, counts } as unknown as Rows
  const after = applyToRows(rows, new Map([['mon_2', now('mon_2', 'DOWN')]]))
  assert.deepEqual(
    after.data.map(({ name, state }) => [name, state]),
    [
      ['mon_1', 'UP'],
      ['mon_2', 'DOWN'],
    ],
  )
  assert.deepEqual([after.counts.UP, after.counts.DOWN], [1, 1])
  assert.equal(after.data[0], rows.data[0], 'what did not change is not drawn again')
  assert.equal(applyToRows(rows, new Map([['mon_3', now('mon_3', 'DOWN')]])), rows)
})

test('a certificate that comes near its end is counted as expiring, not as degraded', () => {
  const counts = { all: 1, DOWN: 0, DEGRADED: 0, EXPIRING: 0, PENDING: 0, UP: 1, PAUSED: 0 }
  const row = { ...now('mon_1', 'UP'), type: 'SSL', expiry: { soon: false }, nextCheckAt: null }
  const rows = { data: [row], counts } as unknown as Rows
  const near = applyToRows(rows, new Map([['mon_1', now('mon_1', 'DEGRADED')]]))
  assert.deepEqual(near.counts, { ...counts, UP: 0, EXPIRING: 1 })
  const renewed = applyToRows(near, new Map([['mon_1', now('mon_1', 'UP')]]))
  assert.deepEqual(renewed.counts, counts)
})

test('a page is fetched again when a monitor on it changes state, not with every check', () => {
  const monitor = { name: 'Checkout', type: 'HTTP', state: 'UP' }
  const components = [
    { monitorId: 'mon_1', monitor },
    { monitorId: null, monitor: null },
  ]
  const page = { sections: [{ components }] } as unknown as Parameters<typeof showsOtherState>[0]
  const changed = (...rows: ReturnType<typeof now>[]) => new Map(rows.map((row) => [row.id, row]))
  assert.equal(showsOtherState(page, changed(now('mon_1', 'UP'))), false)
  assert.equal(showsOtherState(page, changed(now('mon_2', 'DOWN'))), false)
  assert.equal(showsOtherState(page, changed(now('mon_2', 'UP'), now('mon_1', 'DOWN'))), true)
})

test('figures are fetched again where they are shown; the states of pages are not figures', () => {
  const topics = new Set(['figures'] as const)
  assert.equal(concerns(read('GET /overview/monitors'), topics), true)
  assert.equal(concerns(read('GET /overview/status-pages'), topics), false)
})
