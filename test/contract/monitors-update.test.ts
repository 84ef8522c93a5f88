import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { COMPLETE, FIELDS, MONITOR_TYPES } from '../kit/monitor-fields.ts'
import { breakMonitor } from '../kit/seed.ts'
import type { Monitor } from '../kit/shapes.ts'

const fixture = await startProduct()
const { api, db, orgId } = fixture
after(() => fixture.stop())

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'undefined'
const url = (id: string) => `/monitors/${id}`
const future = () => new Date(Date.now() + 3_600_000)

/** A monitor with a distinct value in every field, so that a field that changes unintentionally is noticed. */
const DISTINCT = {
  ...COMPLETE,
  type: 'HTTP',
  method: 'POST',
  expectedStatus: [204, 418],
  requestHeaders: { 'X-One': '1' },
  requestBody: 'body',
  followRedirects: false,
  verifySsl: false,
  keywordMatch: 'NOT_EXISTS',
  dnsRecordType: 'TXT',
  dnsExpected: 'v=spf1',
  dnsAlertOnChange: false,
  sslExpiryThresholdDays: 21,
  intervalSeconds: 900,
  timeoutSeconds: 7,
  expectedPeriodSec: 7200,
  graceSeconds: 33,
  degradedThresholdMs: 444,
  degradedThresholdMode: 'P95',
  degradedSamples: 9,
}

describe('updateMonitor: one field at a time', { concurrency: 8 }, () => {
  const changes: Record<string, unknown> = {
    ...DISTINCT,
    name: 'Renamed',
    type: 'KEYWORD',
    url: 'https://example.org/other',
    host: 'example.org',
    port: 8443,
    method: 'PUT',
    expectedStatus: [200],
    requestHeaders: null,
    requestBody: null,
    followRedirects: true,
    verifySsl: true,
    keyword: 'other',
    keywordMatch: 'EXISTS',
    dnsRecordType: 'MX',
    dnsExpected: null,
    dnsAlertOnChange: true,
    sslExpiryThresholdDays: 3,
    intervalSeconds: 60,
    timeoutSeconds: 8,
    expectedPeriodSec: null,
    graceSeconds: 0,
    degradedThresholdMs: null,
    degradedThresholdMode: 'LAST',
    degradedSamples: 1,
  }
  // Only a change of type discards what checks found.
  const alsoChanged: Record<string, Partial<Monitor>> = {
    type: { state: 'PENDING', lastResponseMs: null, certExpiresAt: null },
  }
  assert.equal(FIELDS.length, 24)

  for (const { field } of FIELDS)
    test(`updateMonitor 200: ${field} alone changes, the other 32 fields stay`, async () => {
      const { id } = await api.createMonitor(DISTINCT)
      await db.setMonitorStatus(id, {
        state: 'UP',
        last_checked_at: new Date('2026-01-02T03:04:05.678Z'),
        last_status_changed_at: new Date('2026-01-01T00:00:00Z'),
        last_response_ms: 321,
        cert_expires_at: new Date('2027-01-01T00:00:00Z'),
      })
      const before = await api.getMonitor(id)
      assert.notDeepEqual(before[field as keyof Monitor], changes[field])

      const { monitor } = await api.patch(url(id), { [field]: changes[field] })
      const { updatedAt, ...rest } = monitor
      const { updatedAt: earlier, ...expected } = {
        ...before,
        [field]: changes[field],
        ...alsoChanged[field],
      }
      if (field === 'type') expected.lastStatusChangedAt = updatedAt
      assert.deepEqual(rest, expected)
      assert.ok(updatedAt > earlier, 'updatedAt moves')
      assert.deepEqual(await api.getMonitor(id), monitor)

      const [, event, ...more] = await db.eventsOf(id)
      assert.deepEqual([event?.type, more], ['monitor.updated', []])
      assert.deepEqual(event?.data.changedFields, [field])
      assert.deepEqual(event?.data.monitor[field as 'name'], masked(field, changes[field]))
    })

  for (const { field, inside, outside } of FIELDS)
    test(`updateMonitor: ${field} has the bounds it has on create`, async () => {
      const { id } = await api.createMonitor(COMPLETE)
      for (const value of inside) {
        const answer = await api.patch(url(id), { [field]: value })
        assert.equal(answer.status, 200, `${field} ${show(value)}: ${answer.text}`)
        assert.deepEqual(answer.monitor[field as keyof Monitor], value)
      }
      const before = await api.getMonitor(id)
      for (const [value, path = field] of outside) {
        const answer = await api.patch(url(id), { name: 'Not applied', [field]: value })
        assert.equal(answer.code, 'validation_error', `${field} ${show(value)}`)
        assert.deepEqual([...new Set(answer.paths)], [path], `${field} ${show(value)}`)
      }
      assert.deepEqual(await api.getMonitor(id), before)
    })
})

const masked = (field: string, value: unknown) => (field === 'requestBody' ? null : value)

describe('updateMonitor: what is not sent', { concurrency: 8 }, () => {
  test('updateMonitor 200: an empty patch changes nothing, and still sends its event', async () => {
    const before = await api.createMonitor(DISTINCT)
    const { monitor } = await api.patch(url(before.id), {})
    assert.deepEqual(monitor, before)
    const [, event, ...more] = await db.eventsOf(before.id)
    assert.deepEqual([event?.type, event?.data.changedFields], ['monitor.updated', []])
    assert.deepEqual(more, [])
  })

  test('updateMonitor 200: a monitor sent back as it was read changes nothing', async () => {
    const before = await api.createMonitor(DISTINCT)
    const { monitor } = await api.patch(url(before.id), before)
    assert.deepEqual(monitor, before)
    assert.deepEqual((await db.eventsOf(before.id))[1]?.data.changedFields, [])
  })

  test('updateMonitor 200: unknown and read-only properties are ignored', async () => {
    const before = await api.createMonitor(COMPLETE)
    const ignored = { id: 'x', state: 'UP', heartbeatUrl: 'x', createdAt: 'x', organizationId: 'x' }
    const { monitor } = await api.patch(url(before.id), { ...ignored, more: [], __proto__: {} })
    assert.deepEqual(monitor, before)
  })

  test('updateMonitor 200: several fields at once are all named in changedFields', async () => {
    const { id } = await api.createMonitor(DISTINCT)
    await api.patch(url(id), { name: 'Other', port: DISTINCT.port, timeoutSeconds: 9 })
    const [, event] = await db.eventsOf(id)
    assert.deepEqual(event?.data.changedFields?.toSorted(), ['name', 'timeoutSeconds'])
  })

  test('updateMonitor 200: expectedStatus keeps order and duplicates', async () => {
    const { id } = await api.createMonitor(COMPLETE)
    const expectedStatus = [503, 200, 200, 100]
    assert.deepEqual(
      (await api.patch(url(id), { expectedStatus })).monitor.expectedStatus,
      expectedStatus,
    )
  })
})

describe('updateMonitor: the result is judged as a whole', { concurrency: 8 }, () => {
  const rows: [from: Record<string, unknown>, patch: Record<string, unknown>, paths: string[]][] = [
    [{ type: 'PORT', host: 'a.example', port: 1 }, { port: null }, ['port']],
    [{ type: 'PORT', host: 'a.example', port: 1 }, { host: '' }, ['host']],
    [{ type: 'HTTP', url: 'https://a.example/' }, { url: null }, ['url']],
    [{ type: 'HTTP', url: 'https://a.example/' }, { url: 'a.example' }, ['url']],
    [{ type: 'HTTP', url: 'https://a.example/' }, { type: 'PORT' }, ['host', 'port']],
    [{ type: 'HTTP', url: 'https://a.example/' }, { type: 'KEYWORD' }, ['keyword']],
    [{ type: 'DNS', url: 'a.example' }, { type: 'HTTP' }, ['url']],
    [{ type: 'CRON', url: 'nonsense //' }, { type: 'SSL' }, ['url']],
    [{ type: 'CRON', host: 'a:b' }, { type: 'PING' }, ['host']],
    [
      { type: 'CRON', url: 'https://a.example/', requestHeaders: { Expect: 'x' } },
      { type: 'HTTP' },
      ['requestHeaders.Expect'],
    ],
    [
      { type: 'HTTP', url: 'https://a.example/' },
      { requestHeaders: { Upgrade: 'x' } },
      ['requestHeaders.Upgrade'],
    ],
  ]
  for (const [from, patch, paths] of rows)
    test(`updateMonitor 400: ${show(from)} with ${show(patch)} is no monitor, and nothing is applied`, async () => {
      const before = await api.createMonitor(from)
      const answer = await api.patch(url(before.id), { name: 'Not applied', ...patch })
      assert.equal(answer.code, 'validation_error')
      assert.deepEqual(answer.paths.toSorted(), paths)
      assert.deepEqual(await api.getMonitor(before.id), before)
      assert.equal((await db.eventsOf(before.id)).length, 1, 'only monitor.created was published')
    })

  test('updateMonitor 200: a patch that makes the whole sound again is taken', async () => {
    const { id } = await api.createMonitor({ type: 'HTTP', url: 'https://a.example/' })
    const patch = { type: 'PORT', host: 'a.example', port: 22, url: null }
    const { monitor } = await api.patch(url(id), patch)
    assert.deepEqual([monitor.type, monitor.url, monitor.port], ['PORT', null, 22])
  })
})

describe('updateMonitor: what a change brings about', { concurrency: 8 }, () => {
  const found = { samples: [1, 2, 3], dns_baseline: '["1.2.3.4"]', last_response_ms: 5 }

  for (const type of MONITOR_TYPES.filter((name) => name !== 'HTTP'))
    test(`updateMonitor 200: HTTP becomes ${type}: PENDING, the incident ends, all findings go`, async () => {
      const { id } = await api.createMonitor({ ...COMPLETE, type: 'HTTP' })
      const incidentId = await breakMonitor(db, orgId, id)
      const seen = { cert_expires_at: future(), next_due_at: future() }
      await db.setMonitorStatus(id, { ...found, ...seen })
      const { epoch } = await db.monitorStatus(id)

      const { monitor } = await api.patch(url(id), { type })
      assert.equal(monitor.state, 'PENDING')
      assert.equal(monitor.lastStatusChangedAt, monitor.updatedAt)
      assert.deepEqual([monitor.lastResponseMs, monitor.certExpiresAt], [null, null])
      const after = await db.monitorStatus(id)
      assert.deepEqual([after.samples, after.dns_baseline], [[], null])
      assert.ok(after.epoch > epoch, 'a check under way drives nothing')
      const waitMs = type === 'CRON' ? 360_000 : 0
      assert.equal(Number(after.next_due_at), Date.parse(monitor.updatedAt) + waitMs)
      assert.equal((await db.spansOf(id)).open.join(), 'PENDING')

      const { incident } = await api.get(`/incidents/${incidentId}`)
      assert.deepEqual([incident.resolution, incident.resolvedBy], ['MONITOR_CHANGED', null])
      assert.equal(incident.resolvedAt, monitor.updatedAt)
      assert.equal(incident.timeline.at(-1)?.type, 'RESOLVED')
      const types = (await db.eventsOf(id)).map((event) => event.type)
      assert.deepEqual(types, ['monitor.created', 'monitor.updated', 'incident.resolved'])
    })

  const targets: [type: string, patch: Record<string, unknown>][] = [
    ['HTTP', { url: 'https://example.org/' }],
    ['PING', { host: 'example.org' }],
    ['PORT', { port: 25 }],
    ['DNS', { dnsRecordType: 'NS' }],
  ]
  for (const [type, patch] of targets)
    test(`updateMonitor 200: ${type} with another target ${show(patch)} keeps its state and is due now`, async () => {
      const { id } = await api.createMonitor({ ...COMPLETE, type })
      const incidentId = await breakMonitor(db, orgId, id)
      await db.setMonitorStatus(id, { ...found, next_due_at: future() })
      const { epoch } = await db.monitorStatus(id)

      const { monitor } = await api.patch(url(id), patch)
      assert.deepEqual([monitor.state, monitor.lastResponseMs], ['DOWN', 5])
      const after = await db.monitorStatus(id)
      assert.deepEqual([after.samples, after.dns_baseline], [[], null])
      assert.ok(after.epoch > epoch)
      assert.equal(after.next_due_at?.toISOString(), monitor.updatedAt)
      assert.equal((await api.get(`/incidents/${incidentId}`)).incident.resolvedAt, null)
    })

  test('updateMonitor 200: fields that are no target leave samples and next slot alone', async () => {
    const { id } = await api.createMonitor({ ...COMPLETE, type: 'HTTP' })
    const due = future()
    await db.setMonitorStatus(id, { ...found, state: 'UP', next_due_at: due })
    const other = { name: 'Other', timeoutSeconds: 4, expectedStatus: [200], degradedSamples: 2 }
    await api.patch(url(id), other)
    const after = await db.monitorStatus(id)
    assert.deepEqual([after.samples, after.state], [[1, 2, 3], 'UP'])
    assert.deepEqual(after.next_due_at, due)
  })

  test('updateMonitor 200: another interval gives a new slot within it', async () => {
    const { id } = await api.createMonitor({ ...COMPLETE, type: 'HTTP', intervalSeconds: 86_400 })
    await db.setMonitorStatus(id, { next_due_at: new Date(Date.now() + 80_000_000) })
    const { monitor } = await api.patch(url(id), { intervalSeconds: 60 })
    const waitMs = Number((await db.monitorStatus(id)).next_due_at) - Date.parse(monitor.updatedAt)
    assert.ok(waitMs > 0 && waitMs <= 60_000, `next slot in ${waitMs} ms`)
  })

  test('updateMonitor 200: period, interval and grace of CRON move its deadline', async () => {
    const created = await api.createMonitor({ intervalSeconds: 600, graceSeconds: 60 })
    const rows: [patch: Record<string, unknown>, seconds: number][] = [
      [{ graceSeconds: 120 }, 720],
      [{ expectedPeriodSec: 3600 }, 3720],
      [{ intervalSeconds: 900 }, 3720], // a CRON monitor has its own period, so the interval does not matter
      [{ expectedPeriodSec: null }, 1020],
      [{ intervalSeconds: 300, graceSeconds: 0 }, 300],
      [{ url: 'https://example.com/' }, 300], // a CRON monitor has no target
    ]
    for (const [patch, seconds] of rows) {
      await api.patch(url(created.id), patch)
      const { next_due_at } = await db.monitorStatus(created.id)
      assert.equal(Number(next_due_at), Date.parse(created.createdAt) + seconds * 1000, show(patch))
    }
  })

  test('updateMonitor 200: a paused monitor stays paused whatever changes', async () => {
    const { id } = await api.createMonitor({ ...COMPLETE, type: 'HTTP' })
    await api.post(`${url(id)}/pause`, {})
    for (const patch of [{ type: 'PING' }, { host: 'b.example' }, { intervalSeconds: 30 }]) {
      const { monitor } = await api.patch(url(id), patch)
      assert.equal(monitor.state, 'PAUSED')
      assert.equal((await db.monitorStatus(id)).next_due_at, null)
    }
  })

  test('updateMonitor 200: a refused patch leaves schedule, state and incident alone', async () => {
    const { id } = await api.createMonitor({ ...COMPLETE, type: 'HTTP', port: null })
    const incidentId = await breakMonitor(db, orgId, id)
    const before = await db.monitorStatus(id)
    assert.equal((await api.patch(url(id), { type: 'PORT' })).status, 400)
    assert.deepEqual(await db.monitorStatus(id), before)
    assert.equal((await api.get(`/incidents/${incidentId}`)).incident.resolvedAt, null)
  })

  test('updateMonitor 200: a heartbeat address comes with CRON, goes with it, and comes back the same', async () => {
    const { id } = await api.createMonitor({ ...COMPLETE, type: 'HTTP' })
    const first = (await api.patch(url(id), { type: 'CRON' })).monitor.heartbeatUrl
    assert.match(String(first), new RegExp(`^${fixture.service.baseUrl}/hb/[A-Za-z0-9_-]{22,}$`))
    assert.equal((await api.patch(url(id), { type: 'PING' })).monitor.heartbeatUrl, null)
    assert.equal((await api.patch(url(id), { type: 'CRON' })).monitor.heartbeatUrl, first)
    const cron = await api.createMonitor({ ...COMPLETE })
    await api.patch(url(cron.id), { type: 'HTTP' })
    const back = await api.patch(url(cron.id), { type: 'CRON', name: 'Back' })
    assert.equal(back.monitor.heartbeatUrl, cron.heartbeatUrl)
  })

  test('updateMonitor 400: a new url or type without a registrable domain; an old one keeps working', async () => {
    const refused = async (id: string, patch: object) =>
      assert.deepEqual((await api.patch(url(id), patch)).paths, ['url'], show(patch))
    const { id } = await api.createMonitor({ ...COMPLETE, type: 'DOMAIN', url: 'example.com' })
    for (const value of ['192.0.2.1', 'com', 'localhost']) await refused(id, { url: value })
    const ssl = await api.createMonitor({ ...COMPLETE, type: 'SSL', url: '192.0.2.1' })
    await refused(ssl.id, { type: 'DOMAIN' })
    await db.run(`update monitors set url = 'localhost' where id = $1`, [toUuid(id)])
    const old = await api.patch(url(id), { name: 'Old', url: 'localhost' })
    assert.deepEqual([old.status, old.monitor.name], [200, 'Old'])
  })

  test('updateMonitor 200: parallel patches of different fields lose none of them', async () => {
    const { id } = await api.createMonitor(COMPLETE)
    const patches = [{ name: 'N' }, { timeoutSeconds: 3 }, { graceSeconds: 1 }, { keyword: 'k' }]
    await Promise.all(patches.map((patch) => api.patch(url(id), patch)))
    const { name, timeoutSeconds, graceSeconds, keyword } = await api.getMonitor(id)
    assert.deepEqual([name, timeoutSeconds, graceSeconds, keyword], ['N', 3, 1, 'k'])
    assert.equal((await db.eventsOf(id)).length, 5)
  })
})
