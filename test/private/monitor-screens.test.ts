// The list of monitors and the page of one: counts, filters, order, figures.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seedDay, seedHour, seedSpans, seedWindowSpan } from '../kit/history.ts'
import { toUuid } from '../kit/ids.ts'
import { breakMonitor, seedIncident } from '../kit/seed.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { ago, createTeam, DAY, HOUR, MINUTE, type Team } from './screens.ts'

let fixture: AppFixture
let team: Team
before(async () => {
  fixture = await startAppFixture()
  team = await createTeam(fixture)
})
after(() => fixture.stop())

const WINDOW = 'mw_01m7ef2j5re008007k9b361f3r'
const NONE = { DOWN: 0, DEGRADED: 0, EXPIRING: 0, PENDING: 0, UP: 0, PAUSED: 0 }
const http = (name: string) => ({ name, type: 'HTTP', url: `https://${name}.example.com/health` })
const rows = (query: string) => team.read('monitors', `/overview/monitors?${query}`)
const names = async (query: string) => (await rows(query)).data.map(({ name }) => name)

test('listMonitorRows: counts by state, several filters at once, search, order and pages', async () => {
  const { db } = fixture
  const shop = await team.createMonitor(http('shop'))
  const api = await team.createMonitor(http('api'))
  const old = await team.createMonitor({
    name: 'Old',
    type: 'PORT',
    host: 'db.internal',
    port: 5432,
  })
  const job = await team.createMonitor({ name: 'Backup', type: 'CRON', expectedPeriodSec: 7200 })
  await breakMonitor(db, team.orgId, shop.id)
  await db.setMonitorStatus(api.id, { state: 'DEGRADED', last_status_changed_at: ago(HOUR) })
  await db.setMonitorStatus(old.id, { state: 'UP', last_status_changed_at: ago(2 * DAY) })

  const all = await rows('')
  assert.deepEqual(all.counts, { ...NONE, all: 4, DOWN: 1, DEGRADED: 1, PENDING: 1, UP: 1 })
  assert.deepEqual(
    all.data.map(({ name }) => name),
    ['shop', 'api', 'Backup', 'Old'],
  )
  assert.equal(all.data[0]?.openIncident?.cause, 'HTTP 503, expected 200')
  assert.deepEqual(
    all.data.map(({ target }) => target),
    [shop.url, api.url, null, 'db.internal:5432'],
  )
  assert.equal(all.data[2]?.everySeconds, 7200)
  assert.equal(all.data[2]?.id, job.id)

  assert.deepEqual(await names('state=DOWN,UP'), ['shop', 'Old'])
  assert.deepEqual(await names('state=DOWN,UP&type=PORT,CRON'), ['Old'])
  const filtered = await rows('state=UP&type=PORT,HTTP')
  assert.equal(filtered.pagination.total, 1)
  assert.deepEqual(filtered.counts, { ...NONE, all: 3, DOWN: 1, DEGRADED: 1, UP: 1 })

  assert.deepEqual(await names('q=EXAMPLE.com&sort=name'), ['api', 'shop'])
  assert.deepEqual(await names('q=internal:5432'), ['Old'])
  assert.deepEqual(await names('q=%25'), [], 'a sign of the pattern is a sign')
  assert.deepEqual(await names('sort=name'), ['api', 'Backup', 'Old', 'shop'])
  assert.deepEqual(await names('sort=name&reversed=true'), ['shop', 'Old', 'Backup', 'api'])
  assert.deepEqual(await names('sort=changed'), ['Backup', 'shop', 'api', 'Old'])
  assert.deepEqual(await names('sort=name&limit=2&offset=1'), ['Backup', 'Old'])
  const beyond = await rows('limit=2&offset=50')
  assert.deepEqual([beyond.data, beyond.pagination.total], [[], 4])
  for (const query of ['sort=x', 'state=GONE', 'limit=101', 'reversed=yes'])
    assert.equal(
      (await team.reader.get(`/organizations/${team.orgId}/overview/monitors?${query}`)).status,
      400,
    )
})

test('listMonitorRows: what expires soon has its own count, filter and place; the public API calls it DEGRADED', async () => {
  const { db } = fixture
  const own = await createTeam(fixture)
  const at = (days: number) => ({ cert_expires_at: ago(-days * DAY) })
  const domainAt = (days: number) => ({ domain_expires_at: ago(-days * DAY) })
  const ssl = { type: 'SSL', url: 'https://a.example.com' }
  const domain = { type: 'DOMAIN', url: 'example.com' }
  for (const [fields, state, found] of [
    [http('slow'), 'DEGRADED', {}],
    [http('page'), 'UP', at(3)],
    [{ ...ssl, name: 'cert soon', sslExpiryThresholdDays: 14 }, 'DEGRADED', at(8)],
    [{ ...ssl, name: 'cert from today', sslExpiryThresholdDays: 30 }, 'UP', at(20)],
    [
      { ...ssl, name: 'cert later', sslExpiryThresholdDays: 14 },
      'UP',
      { ...at(60), ...domainAt(1) },
    ],
    [{ ...ssl, name: 'cert expired' }, 'DOWN', at(-1)],
    [{ ...domain, name: 'domain soon' }, 'DEGRADED', domainAt(8)],
    [{ ...domain, name: 'domain paused' }, 'PAUSED', domainAt(8)],
    [{ ...domain, name: 'domain new' }, 'PENDING', {}],
  ] as const) {
    const { id } = await own.createMonitor(fields)
    const pause = () => own.member.post(`/organizations/${own.orgId}/monitors/${id}/pause`, {})
    if (state === 'PAUSED') assert.equal((await pause()).status, 200)
    await db.setMonitorStatus(id, { state, last_status_changed_at: ago(HOUR), ...found })
  }
  const read = (query: string) => own.read('monitors', `/overview/monitors?${query}`)
  const named = async (query: string) => (await read(query)).data.map(({ name }) => name)
  const expiring = ['cert from today', 'cert soon', 'domain soon']
  const all = await read('')
  const counts = { all: 9, DOWN: 1, DEGRADED: 1, EXPIRING: 3, PENDING: 1, UP: 2, PAUSED: 1 }
  assert.deepEqual(all.counts, counts)
  const order = all.data.map(({ name }) => name)
  const rest = ['domain new', 'cert later', 'page', 'domain paused']
  assert.deepEqual(order, ['cert expired', 'slow', ...expiring, ...rest])
  assert.deepEqual(await named('reversed=true'), order.toReversed())
  assert.deepEqual(await named('state=DEGRADED'), ['slow'])
  assert.deepEqual(await named('state=EXPIRING'), expiring)
  assert.deepEqual(await named('state=EXPIRING,DOWN&type=SSL'), [
    'cert expired',
    ...expiring.slice(0, 2),
  ])
  assert.equal((await read('state=EXPIRING&limit=1')).pagination.total, 3)

  const base = `/organizations/${own.orgId}`
  const listed = await own.reader.get(`${base}/monitors?state=DEGRADED`)
  const { data } = listed.json as { data: { name: string; state: string }[] }
  assert.deepEqual(data.map(({ name }) => name).toSorted(), ['cert soon', 'domain soon', 'slow'])
  assert.equal((await own.reader.get(`${base}/monitors?state=EXPIRING`)).status, 400)

  const bulk = { do: 'PAUSE', filter: { state: ['EXPIRING'] }, expected: expiring.length }
  const paused = await own.member.post(`${base}/monitor-bulks`, bulk)
  assert.equal((paused.json as { total: number }).total, expiring.length, paused.text)
  const view = { name: 'Renewals', filter: { state: 'EXPIRING' } }
  assert.equal((await own.member.post(`${base}/monitor-views`, view)).status, 201)
})

test('listMonitorRows: what went down last comes first', async () => {
  const own = await createTeam(fixture)
  for (const [name, hours] of [
    ['first', 3],
    ['last', 1],
    ['middle', 2],
  ] as const) {
    const { id } = await own.createMonitor(http(name))
    await fixture.db.setMonitorStatus(id, {
      state: 'DOWN',
      last_status_changed_at: ago(hours * HOUR),
    })
  }
  const order = async (query: string) =>
    (await own.read('monitors', `/overview/monitors${query}`)).data.map(({ name }) => name)
  assert.deepEqual(await order(''), ['last', 'middle', 'first'])
  assert.deepEqual(await order('?reversed=true'), ['first', 'middle', 'last'])
  assert.deepEqual(await order('?limit=1&offset=1'), ['middle'])
})

test('an outage found by a check that timed out has one beginning on every screen; the public API keeps its own', async () => {
  const own = await createTeam(fixture)
  const { id } = await own.createMonitor(http('slow'))
  const startedAt = ago(10 * MINUTE)
  const noticedAt = new Date(startedAt.getTime() + 41_000)
  await fixture.db.setMonitorStatus(id, { state: 'DOWN', last_status_changed_at: noticedAt })
  const incidentId = await seedIncident(fixture.db, { orgId: own.orgId, monitorId: id, startedAt })
  const begin = startedAt.toISOString()

  const [row] = (await own.read('monitors', '/overview/monitors')).data
  const shown = await own.read('monitor', `/overview/monitors/${id}`)
  const incident = await own.read('incident', `/overview/incidents/${incidentId}`)
  const hits = (await own.read('search', '/search?q=slow')).data
  assert.deepEqual(
    [row?.since, shown.since, shown.openIncident?.startedAt, incident.startedAt],
    [begin, begin, begin, begin],
  )
  assert.deepEqual(
    hits.map(({ kind, since }) => [kind, since]),
    [
      ['MONITOR', begin],
      ['INCIDENT', begin],
    ],
  )
  const api = fixture.api.as(await fixture.createKey(own.orgId))
  const { monitor } = await api.get(`/monitors/${id}`)
  assert.equal(monitor.lastStatusChangedAt, noticedAt.toISOString())

  await fixture.db.setMonitorStatus(id, { state: 'UP', last_status_changed_at: noticedAt })
  const after = await own.read('monitor', `/overview/monitors/${id}`)
  assert.equal(after.since, noticedAt.toISOString(), 'only while it is down')
})

test('listMonitorRows: uptime leaves out windows, the uptime bar has each hour, p95 comes from the hours', async () => {
  const { db } = fixture
  const figures = await createTeam(fixture)
  const [good, bad] = [
    await figures.createMonitor(http('good')),
    await figures.createMonitor(http('bad')),
  ]
  await seedSpans(db, good.id, [{ state: 'UP', from: ago(40 * DAY), to: null }])
  // Ten days, one of them down, half of that inside a window.
  await seedSpans(db, bad.id, [
    { state: 'UP', from: ago(10 * DAY), to: ago(5 * DAY) },
    { state: 'DOWN', from: ago(5 * DAY), to: ago(4 * DAY) },
    { state: 'UP', from: ago(4 * DAY), to: ago(3 * HOUR) },
    { state: 'DEGRADED', from: ago(3 * HOUR), to: null },
  ])
  await seedWindowSpan(db, bad.id, WINDOW, { from: ago(5 * DAY), to: ago(4.5 * DAY) })
  const hour = (n: number) => new Date(Math.floor(Date.now() / HOUR) * HOUR - n * HOUR)
  await seedHour(db, bad.id, { hour: hour(2), ok: 30, p50: 100, p95: 800 })
  await seedHour(db, bad.id, { hour: hour(3), ok: 10, p50: 100, p95: 400 })
  await seedHour(db, good.id, { hour: hour(2), ok: 10, p50: 10, p95: 20 })

  const { data } = await figures.read('monitors', '/overview/monitors?sort=uptime')
  assert.deepEqual(
    data.map(({ name }) => name),
    ['bad', 'good'],
  )
  const [worst, best] = data
  assert.equal(best?.uptime30d, 1)
  assert.ok(Math.abs((worst?.uptime30d ?? 0) - 9 / 9.5) < 0.0001, `${worst?.uptime30d}`)
  assert.equal(Math.round((worst?.measured30dSeconds ?? 0) / 3600), 9.5 * 24)
  assert.equal(worst?.p95Ms, 700)
  assert.match(worst?.strip ?? '', /^u{20,21}d{3,4}$/)
  assert.match(best?.strip ?? '', /^u{24}$/)
  const slowest = await figures.read('monitors', '/overview/monitors?sort=p95')
  assert.deepEqual(
    slowest.data.map(({ p95Ms }) => p95Ms),
    [700, 20],
  )
})

test('listMonitorRows: which page a monitor is on by p95 depends on its last whole day', async () => {
  const days = await createTeam(fixture)
  for (const [name, ...p95] of [['calm', 30, 900], ['slow', 50, 40], ['new']] as const) {
    const { id } = await days.createMonitor(http(name))
    for (const [index, ms] of p95.entries())
      await seedDay(fixture.db, id, { daysAgo: index + 1, p95: ms })
  }
  const page = async (query: string) =>
    (await days.read('monitors', `/overview/monitors?sort=p95&limit=1&${query}`)).data[0]?.name
  assert.equal(await page('offset=0'), 'slow')
  assert.equal(await page('offset=1'), 'calm')
  assert.equal(await page('offset=2'), 'new')
  assert.equal(await page('offset=1&q=calm'), undefined)
  assert.equal(await page('offset=0&q=calm&state=PENDING'), 'calm')
})

test('getMonitorScreen: five ranges of uptime, what touches it, and the heartbeat address for who may change it', async () => {
  const { db } = fixture
  const own = await createTeam(fixture)
  const job = await own.createMonitor({ name: 'Nightly', type: 'CRON', graceSeconds: 60 })
  const path = `/overview/monitors/${job.id}`
  await seedSpans(db, job.id, [
    { state: 'UP', from: ago(100 * DAY), to: ago(2 * DAY) },
    { state: 'DOWN', from: ago(2 * DAY), to: ago(2 * DAY - HOUR) },
    { state: 'UP', from: ago(2 * DAY - HOUR), to: null },
  ])
  const startsAt = new Date(Date.now() + DAY).toISOString()
  const endsAt = new Date(Date.now() + DAY + HOUR).toISOString()
  const made = await own.owner.post(`/organizations/${own.orgId}/maintenance-windows`, {
    name: 'Upgrade',
    startsAt,
    endsAt,
    allMonitors: true,
  })
  assert.equal(made.status, 201, made.text)
  await own.owner.post(`/organizations/${own.orgId}/alert-contacts`, {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.slack.com/services/T0/B0/x' },
  })

  const shown = await own.read('monitor', path)
  assert.equal(shown.uptime.last24h.ratio, 1)
  assert.equal(shown.uptime.last7d.downSeconds, 3600)
  assert.ok(Math.abs((shown.uptime.last7d.ratio ?? 0) - (1 - 1 / 168)) < 1e-5)
  assert.ok((shown.uptime.last365d.ratio ?? 0) > (shown.uptime.last90d.ratio ?? 1))
  assert.equal(shown.uptime.last7d.measuredSeconds, 7 * 86_400)
  assert.equal(Math.round(shown.uptime.last365d.measuredSeconds / 3600), 100 * 24)
  const began = Date.parse(shown.uptime.last365d.measuredFrom ?? '')
  assert.ok(Math.abs(began - ago(100 * DAY).getTime()) < MINUTE, `${began}`)
  assert.deepEqual(
    shown.windows.map(({ name, status, occurrence }) => [name, status, occurrence?.startsAt]),
    [['Upgrade', 'SCHEDULED', startsAt]],
  )
  assert.deepEqual(
    shown.contacts.map(({ name, channel, alerting }) => [name, channel, alerting]),
    [['Ops', 'SLACK', 'ON']],
  )
  assert.equal(shown.monitor.heartbeatUrl, null, 'who only reads does not call')
  const mine = await own.member.get(`/organizations/${own.orgId}${path}`)
  const { monitor } = mine.json as { monitor: { heartbeatUrl: string } }
  assert.match(monitor.heartbeatUrl, /\/hb\/.+/)
})

test('getMonitorScreen: a window that is open now is shown, and covers the uptime bar', async () => {
  const own = await createTeam(fixture)
  const monitor = await own.createMonitor(http('covered'))
  await seedSpans(fixture.db, monitor.id, [{ state: 'UP', from: ago(2 * DAY), to: null }])
  await seedWindowSpan(fixture.db, monitor.id, WINDOW, {
    from: ago(10 * MINUTE),
    to: new Date(Date.now() + HOUR),
  })
  const shown = await own.read('monitor', `/overview/monitors/${monitor.id}`)
  assert.equal(shown.inMaintenance, true)
  assert.ok(shown.strip.endsWith('m'), shown.strip)
})

test('getMonitorScreen: why it is not checked, once the owners are told and until it is checked again', async () => {
  const own = await createTeam(fixture)
  const { id } = await own.createMonitor(http('unchecked'))
  const other = await own.createMonitor(http('checked'))
  const since = ago(HOUR).toISOString()
  await fixture.db.run(
    `insert into monitor_notices (org_id, monitor_no, kind, since, reason, region, notify_at)
     select org_id, no, 'NOT_CHECKED', $2, 'NO_PROBE', 'site-b', now() - interval '1 minute'
       from monitors where id = $1`,
    [toUuid(id), since],
  )
  const noticesOf = async (monitorId: string) =>
    (await own.read('monitor', `/overview/monitors/${monitorId}`)).notices
  const place = { reason: 'NO_PROBE', region: 'site-b', otherRegion: null }
  assert.deepEqual(await noticesOf(id), [{ kind: 'NOT_CHECKED', since, ...place }])
  assert.deepEqual(await noticesOf(other.id), [])
  const change = (set: string) =>
    fixture.db.run(
      `update monitor_notices set ${set} where monitor_no = (select no from monitors where id = $1)`,
      [toUuid(id)],
    )
  await change(`notify_at = now() + interval '1 hour'`)
  assert.deepEqual(await noticesOf(id), [], 'too early')
  await change(`notify_at = now(), ended_at = now()`)
  assert.deepEqual(await noticesOf(id), [], 'it is over')
})

test('getMonitorScreen: 90 local days, the last five incidents, and whether the expiry is near', async () => {
  const own = await createTeam(fixture)
  const { db } = fixture
  const monitor = await own.createMonitor({
    name: 'cert',
    type: 'SSL',
    url: 'https://cert.example.com/',
    sslExpiryThresholdDays: 14,
  })
  await seedSpans(db, monitor.id, [
    { state: 'UP', from: ago(10 * DAY), to: ago(3 * DAY) },
    { state: 'DOWN', from: ago(3 * DAY), to: ago(3 * DAY - MINUTE) },
    { state: 'UP', from: ago(3 * DAY - MINUTE), to: null },
  ])
  for (const days of [1, 2, 3, 4, 5, 6])
    await seedIncident(db, {
      orgId: own.orgId,
      monitorId: monitor.id,
      startedAt: ago(days * DAY),
      resolvedAt: ago(days * DAY - MINUTE),
    })
  await db.setMonitorStatus(monitor.id, {
    state: 'UP',
    cert_expires_at: new Date(Date.now() + 8.5 * DAY),
    issuer: "Let's Encrypt",
  })

  const path = `/overview/monitors/${monitor.id}`
  const shown = await own.read('monitor', `${path}?timezone=Asia/Tokyo`)
  assert.equal(shown.days.timezone, 'Asia/Tokyo')
  assert.match(shown.days.firstDate, /^\d{4}-\d{2}-\d{2}$/)
  assert.match(shown.days.codes, /^-{78,79}u+x{1,2}u+$/)
  assert.equal(
    shown.days.bad.reduce((sum, { downSeconds }) => sum + downSeconds, 0),
    60,
  )
  assert.equal(shown.incidents.length, 5)
  const starts = shown.incidents.map(({ startedAt }) => startedAt)
  assert.deepEqual(starts, starts.toSorted().reverse())
  assert.equal(shown.incidents[0]?.cause, 'HTTP 503, expected 200')
  assert.notEqual(shown.incidents[0]?.resolvedAt, null)
  const { daysLeft, expired, warnDays, soon, issuer } = shown.expiry ?? {}
  assert.deepEqual([daysLeft, expired, warnDays], [8, false, 14])
  assert.deepEqual([soon, issuer], [true, "Let's Encrypt"])
  const { data } = await own.read('monitors', '/overview/monitors')
  assert.deepEqual(data[0]?.expiry, shown.expiry)
  assert.ok(!('issuer' in shown.monitor), 'the public API does not have it')

  assert.equal((await own.read('monitor', `${path}?timezone=Mars/Base`)).days.timezone, 'UTC')
  const refused = `/organizations/${own.orgId}${path}?timezone=${'x'.repeat(65)}`
  assert.equal((await own.reader.get(refused)).status, 400)
})

test('getOverview: what the side of every page counts', async () => {
  const own = await createTeam(fixture)
  const monitor = await own.createMonitor(http('down'))
  await breakMonitor(fixture.db, own.orgId, monitor.id)
  const shown = await own.read('overview', '/overview')
  assert.deepEqual(shown.monitors, { all: 1, DOWN: 1, DEGRADED: 0, PENDING: 0, UP: 0, PAUSED: 0 })
  assert.deepEqual(shown.incidents, { ongoing: 1, notTaken: 1 })
  assert.deepEqual(shown.webhookEndpoints, { all: 0, troubled: 0 })
})

test('getMonitorScreen: who changed it last, for those who may read the audit log', async () => {
  const team = await createTeam(fixture)
  const { id } = await team.createMonitor({ name: 'Changed', type: 'CRON' })
  await team.owner.patch(`/organizations/${team.orgId}/monitors/${id}`, { name: 'Changed once' })
  await team.owner.post(`/organizations/${team.orgId}/monitors/${id}/pause`, {})
  const path = `/organizations/${team.orgId}/overview/monitors/${id}`
  const changeFor = async (visitor: typeof team.owner) =>
    ((await visitor.get(path)).json as { lastChange?: { at: string; by: string } | null })
      .lastChange
  const change = await changeFor(team.owner)
  assert.equal(change?.by, 'OWNER')
  assert.ok(Date.now() - Date.parse(change?.at ?? '') < MINUTE)
  assert.equal(await changeFor(team.member), undefined)
  assert.equal(await changeFor(team.reader), undefined)
})
