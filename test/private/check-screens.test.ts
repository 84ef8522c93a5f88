// A monitor's chart and log: buckets from raw results, hours and days, pages by cursor, files.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seedHour, seedResults, seedSpans, seedWindowSpan } from '../kit/history.ts'
import { toUuid } from '../kit/ids.ts'
import { seedIncident } from '../kit/seed.ts'
import type { Monitor } from '../kit/shapes.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { ago, createTeam, DAY, HOUR, MINUTE, readCsv, type Team } from './screens.ts'

let fixture: AppFixture
let team: Team
let monitor: Monitor
before(async () => {
  fixture = await startAppFixture()
  team = await createTeam(fixture)
  const settings = { name: 'api', type: 'HTTP', url: 'https://api.example.com/' }
  monitor = await team.createMonitor({ ...settings, degradedThresholdMs: 500 })
})
after(() => fixture.stop())

const minute = (n: number) => new Date(Math.floor(Date.now() / MINUTE) * MINUTE - n * MINUTE)
const path = (rest: string) => `/monitors/${monitor.id}/${rest}`

test('listChecks: newest first, by cursor, all or failed, with the incident they belong to', async () => {
  const own = await team.createMonitor({ name: 'log', type: 'PORT', host: 'db', port: 1 })
  const failing = [3, 4, 5]
  await seedResults(
    fixture.db,
    own.id,
    Array.from({ length: 9 }, (_, n) => ({
      at: minute(n + 1),
      verdict: failing.includes(n + 1) ? (2 as const) : (0 as const),
    })),
  )
  const startedAt = new Date(minute(5).getTime() + 40)
  const incidentId = await seedIncident(fixture.db, {
    orgId: team.orgId,
    monitorId: own.id,
    startedAt,
    resolvedAt: new Date(minute(2).getTime() + 100),
  })
  const read = (query: string) => team.read('checks', `/monitors/${own.id}/checks?${query}`)

  const first = await read('limit=4')
  assert.deepEqual(
    first.data.map(({ verdict }) => verdict),
    ['PASSED', 'PASSED', 'FAILED', 'FAILED'],
  )
  assert.equal(first.next, minute(4).toISOString())
  const rest = await read(`limit=20&cursor=${first.next}`)
  assert.equal(rest.data.length, 5)
  assert.equal(rest.next, null)
  assert.equal(rest.data[0]?.at, minute(5).toISOString())

  const failed = await read('failed=true')
  assert.deepEqual(
    failed.data.map(({ at }) => at),
    failing.map((n) => minute(n).toISOString()),
  )
  for (const line of failed.data) assert.equal(line.incidentId, incidentId)
  const stretch = `from=${minute(6).toISOString()}&to=${minute(4).toISOString()}`
  assert.equal((await read(stretch)).data.length, 2)

  const shown = await team.read('check', `/monitors/${own.id}/checks/${minute(5).toISOString()}`)
  assert.equal(shown.evidence?.bodyExcerpt, 'Service Unavailable')
  assert.equal(shown.cause, 'HTTP 503, expected 200')
  const later = await team.read('check', `/monitors/${own.id}/checks/${minute(4).toISOString()}`)
  assert.equal(later.evidence, null, 'what one check saw is not shown for another')
  assert.equal(
    (await team.reader.get(`/organizations/${team.orgId}/monitors/${own.id}/checks/x`)).status,
    404,
  )

  const file = await team.reader.get(
    `/organizations/${team.orgId}/exports/monitors/${own.id}/checks.csv?failed=true`,
  )
  const [header = [], ...lines] = readCsv(file.text)
  assert.deepEqual(
    lines.map((line) => line[header.indexOf('at')]),
    failed.data.map(({ at }) => at),
  )
  assert.equal(lines[0]?.[header.indexOf('incidentId')], incidentId)
})

test('getResponseTimes: 3 h and 24 h from results, 7 d from hours and what came since, longer from days', async () => {
  const results = [10, 20, 30, 40, 1000].map((responseMs, n) => ({
    at: new Date(minute(30).getTime() + n * 1000),
    responseMs,
  }))
  await seedResults(fixture.db, monitor.id, [
    ...results,
    { at: new Date(minute(30).getTime() + 9000), verdict: 2, responseMs: 5000 },
    { at: new Date(minute(30).getTime() + 9500), verdict: 3, responseMs: null },
    { at: new Date(minute(30).getTime() + 9600), verdict: 4, responseMs: null },
  ])
  const hour = new Date(Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR)
  await seedHour(fixture.db, monitor.id, { hour, ok: 60, failed: 2, p50: 70, p95: 90 })
  await fixture.db.run(
    `insert into result_days (monitor_no, day, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
     select no, (now() at time zone 'UTC')::date - 40, 100, 1, 0, 5, 6, 7 from monitors where id = $1`,
    [toUuid(monitor.id)],
  )
  const incidentId = await seedIncident(fixture.db, {
    orgId: team.orgId,
    monitorId: monitor.id,
    startedAt: ago(HOUR),
    resolvedAt: ago(40 * MINUTE),
  })
  const windowId = 'mw_01m7ef2j5re008007k9b361f3r'
  await seedWindowSpan(fixture.db, monitor.id, windowId, { from: ago(2 * HOUR), to: ago(HOUR) })

  const slowFrom = minute(50)
  const slowTo = minute(45)
  await seedSpans(fixture.db, monitor.id, [
    { state: 'UP', from: ago(2 * DAY), to: slowFrom },
    { state: 'DEGRADED', from: slowFrom, to: slowTo },
    { state: 'UP', from: slowTo, to: null },
  ])

  const short = await team.read('chart', path('response-times?range=3h'))
  assert.equal(short.bucketSeconds, 60)
  assert.deepEqual(short.buckets, [[minute(30).getTime() / 1000, 30, 1000, 1000, 5, 1, 1]])
  assert.equal(short.thresholdMs, 500)
  assert.deepEqual(
    short.incidents.map(({ id }) => id),
    [incidentId],
  )
  assert.deepEqual(
    short.windows.map(({ id, name }) => [id, name]),
    [[windowId, null]],
  )
  assert.deepEqual(short.degraded, [{ from: slowFrom.toISOString(), to: slowTo.toISOString() }])

  const day = await team.read('chart', path('response-times?range=24h'))
  assert.equal(day.bucketSeconds, 600)
  assert.deepEqual(
    day.buckets.map((bucket) => bucket.slice(1)),
    [[30, 1000, 1000, 5, 1, 1]],
  )

  const week = await team.read('chart', path('response-times?range=7d'))
  assert.equal(week.bucketSeconds, 3600)
  assert.deepEqual(week.buckets, [
    [hour.getTime() / 1000, 70, 90, 180, 60, 2, 0],
    [Math.floor(minute(30).getTime() / HOUR) * 3600, 30, 1000, 1000, 5, 1, 1],
  ])

  const far = `from=${ago(60 * DAY).toISOString()}&to=${ago(30 * DAY).toISOString()}`
  assert.equal((await team.read('chart', path(`response-times?${far}`))).bucketSeconds, 3600)
  const long = `from=${ago(60 * DAY).toISOString()}&to=${new Date().toISOString()}`
  const days = await team.read('chart', path(`response-times?${long}`))
  assert.equal(days.bucketSeconds, 86_400)
  assert.deepEqual(
    days.buckets.map((bucket) => bucket.slice(1)),
    [
      [5, 6, 7, 100, 1, 0],
      [30, 1000, 1000, 5, 1, 1],
    ],
  )
})

test('getResponseTimes 400: half a stretch, an empty one, a range beside it, more than 400 days', async () => {
  const from = ago(2 * DAY).toISOString()
  const queries = [
    `from=${from}`,
    `to=${from}`,
    `range=3h&from=${from}&to=${new Date().toISOString()}`,
    `from=${from}&to=${from}`,
    `from=${ago(500 * DAY).toISOString()}&to=${from}`,
    `from=2999-01-01T00:00:00Z&to=2999-02-01T00:00:00Z`,
    'range=2h',
  ]
  for (const query of queries) {
    const answer = await team.reader.get(
      `/organizations/${team.orgId}${path(`response-times?${query}`)}`,
    )
    assert.equal(answer.status, 400, query)
  }
})
