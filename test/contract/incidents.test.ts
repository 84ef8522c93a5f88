import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { COMPLETE } from '../kit/monitor-fields.ts'
import { breakMonitor, seedIncident } from '../kit/seed.ts'

const fixture = await startProduct()
const { api, db, orgId, keys } = fixture
after(() => fixture.stop())

const http = (name = 'Shop') => api.createMonitor({ ...COMPLETE, type: 'HTTP', name })
const acknowledge = (id: string, body?: unknown) => api.post(`/incidents/${id}/acknowledge`, body)

describe('listIncidents', { concurrency: 8 }, async () => {
  const { id: org, api: owner } = await fixture.createOrganization()
  const shop = await owner.createMonitor({ ...COMPLETE, type: 'HTTP', name: 'Shop' })
  const blog = await owner.createMonitor({ ...COMPLETE, type: 'HTTP', name: 'Blog' })
  const at = (text: string) => new Date(`2026-03-01T${text}Z`)
  const seed = (monitorId: string, startedAt: Date, resolvedAt: Date | null) =>
    seedIncident(db, { orgId: org, monitorId, startedAt, resolvedAt })
  const first = await seed(shop.id, at('10:00:00.500'), at('10:01:00.499'))
  const second = await seed(blog.id, at('11:00:00.000'), at('11:00:00.999'))
  const third = await seed(shop.id, at('12:00:00.000'), null)
  const fourth = await seed(blog.id, at('13:00:00.000'), null)
  await owner.post(`/incidents/${second}/acknowledge`)
  await owner.post(`/incidents/${fourth}/acknowledge`)
  const newest = [fourth, third, second, first]

  test('listIncidents 200: newest first, ongoing and resolved, exactly seven fields', async () => {
    const { data, pagination } = (await owner.get('/incidents')).incidents
    assert.deepEqual(
      data.map((incident) => incident.id),
      newest,
    )
    assert.deepEqual(pagination, { limit: 25, offset: 0, total: 4 })
    assert.deepEqual(data[3], {
      id: first,
      monitor: { id: shop.id, name: 'Shop', type: 'HTTP' },
      startedAt: '2026-03-01T10:00:00.500Z',
      resolvedAt: '2026-03-01T10:01:00.499Z',
      durationSec: 59,
      cause: 'HTTP 503, expected 200',
      acknowledged: false,
    })
    const durations = data.map((incident) => incident.durationSec)
    assert.deepEqual(durations, [null, null, 0, 59])
  })

  const rows: [query: string, expected: string[]][] = [
    [`monitorId=${shop.id}`, [third, first]],
    ['monitorId=mon_00000000000000000000000000', []],
    ['monitorId=nonsense', []],
    [`monitorId=${first}`, []],
    ['status=ONGOING', [fourth, third]],
    ['status=RESOLVED', [second, first]],
    ['status=RESOLVED,ONGOING', newest],
    ['status=RESOLVED&status=ONGOING', newest],
    ['acknowledged=true', [fourth, second]],
    ['acknowledged=false', [third, first]],
    ['status=ONGOING&acknowledged=false', [third]],
    ['startedAfter=2026-03-01T12:00:00Z', [fourth, third]],
    ['startedAfter=2026-03-01T12:00:00.001Z', [fourth]],
    ['startedBefore=2026-03-01T12:00:00Z', [second, first]],
    ['startedBefore=2026-03-01T12:00:00.001Z', [third, second, first]],
    ['startedAfter=2026-03-01T11:00Z&startedBefore=2026-03-01T13:00Z', [third, second]],
    ['startedAfter=2026-03-01T14:00:00%2B02:00', [fourth, third]],
    ['startedAfter=2026-03-01T07:00:00-05:00', [fourth, third]],
    ['startedAfter=2026-03-01T10:00:00.5009Z', newest], // truncated to milliseconds
    ['startedAfter=2026-03-01T10:00:00.501000000Z', newest.slice(0, 3)],
    [`monitorId=${blog.id}&status=RESOLVED&acknowledged=true`, [second]],
  ]
  for (const [query, expected] of rows)
    test(`listIncidents 200: ${query} finds ${expected.length}`, async () => {
      const { data, pagination } = (await owner.get(`/incidents?${query}`)).incidents
      assert.deepEqual(
        data.map((incident) => incident.id),
        expected,
      )
      assert.equal(pagination.total, expected.length)
    })

  test('listIncidents 200: pages of one see each incident once, with the total of the filter', async () => {
    for (const [offset, id] of newest.entries()) {
      const page = (await owner.get(`/incidents?limit=1&offset=${offset}`)).incidents
      assert.deepEqual([page.data[0]?.id, page.pagination.total], [id, 4])
    }
    const { data, pagination } = (await owner.get('/incidents?status=ONGOING&offset=2')).incidents
    assert.deepEqual([data, pagination.total], [[], 2])
  })

  // biome-ignore format: many short values read better side by side
  const times = [
    '', '2026-03-01', '2026-03-01T12:00:00', '2026-03-01T12:00', '12:00Z', 'yesterday',
    '2026-03-01%2012:00:00Z', '2026-03-01T12:00:00%2B0000', '2026-03-01T12:00:00%2B02',
    '2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-10T00:00Z', '2026-03-00T00:00Z',
    '2026-03-01T24:00:00Z', '2026-03-01T12:60:00Z', '2026-03-01T12Z', '2026-3-1T12:00:00Z',
    '2026-03-01T12:00:00.Z', '2026-03-01T12:00:00.1234567890Z', '2026-03-01T12:00:00,5Z',
    '2026-03-01T12:00:00Z%20', '1772366400', '2025-02-29T00:00:00Z', '%00', '%2B2026-03-01T12:00Z',
    '2026-03-01t12:00:00z', '2026-03-01T12:00:00%2B24:00', '2026-03-01T12:00:00[UTC]',
  ]
  for (const name of ['startedAfter', 'startedBefore'])
    test(`listIncidents 400: ${name} that is no instant with an offset, path ${name}`, async () => {
      for (const value of times) {
        const answer = await owner.get(`/incidents?${name}=${value}`)
        assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', name], value)
      }
    })

  const refused: [query: string, path: string][] = [
    ['status=open', 'status'],
    ['status=', 'status'],
    ['status=ONGOING,', 'status'],
    ['acknowledged=TRUE', 'acknowledged'],
    ['acknowledged=1', 'acknowledged'],
    ['acknowledged=', 'acknowledged'],
    ['acknowledged=true&acknowledged=true', 'acknowledged'],
    ['monitorId=', 'monitorId'],
  ]
  for (const [query, path] of refused)
    test(`listIncidents 400: ${query}, path ${path}`, async () => {
      const answer = await owner.get(`/incidents?${query}`)
      assert.deepEqual([answer.code, ...answer.paths], ['validation_error', path])
    })

  test('listIncidents 200: another organization sees none of them', async () => {
    const other = api.as(keys.otherOrganization)
    assert.equal((await other.get('/incidents')).incidents.pagination.total, 0)
    assert.equal((await other.get(`/incidents?monitorId=${shop.id}`)).incidents.data.length, 0)
  })
})

describe('getIncident', { concurrency: 8 }, () => {
  test('getIncident 200: the seven fields of the list, and the evidence', async () => {
    const { id } = await http()
    const incidentId = await breakMonitor(db, orgId, id)
    const { incident } = await api.get(`/incidents/${incidentId}`)
    const listed = (await api.get(`/incidents?monitorId=${id}`)).incidents.data[0]
    for (const [name, value] of Object.entries(listed ?? {}))
      assert.deepEqual(incident[name as 'cause'], value, name)
    assert.equal(incident.causeCode, 'UNEXPECTED_STATUS')
    assert.equal(incident.openedBy['httpStatus'], 503)
    assert.equal(incident.lastFailure['bodyExcerpt'], 'Service Unavailable')
    assert.deepEqual([incident.resolvedBy, incident.resolution], [null, null])
    assert.deepEqual([incident.acknowledgedBy, incident.acknowledgeNote], [null, null])
    assert.deepEqual(incident.statusIncidentIds, [])
  })

  test('getIncident 200: a recovered one shows the check that found it well', async () => {
    const { id } = await http()
    const resolvedAt = new Date(Date.now() - 1000)
    const incidentId = await seedIncident(db, { orgId, monitorId: id, resolvedAt })
    const { incident } = await api.get(`/incidents/${incidentId}`)
    assert.equal(incident.resolution, 'RECOVERED')
    assert.equal(incident.resolvedBy?.['outcome'], 'OK')
    assert.deepEqual(
      incident.timeline.map((line) => line.type),
      ['OPENED', 'RESOLVED'],
    )
  })

  test("getIncident 200: the monitor's current name and type are shown, the first cause stays", async () => {
    const { id } = await http('Before')
    const incidentId = await breakMonitor(db, orgId, id)
    await api.patch(`/monitors/${id}`, { name: 'After' })
    const renamed = (await api.get(`/incidents/${incidentId}`)).incident
    assert.deepEqual(renamed.monitor, { id, name: 'After', type: 'HTTP' })
    await api.patch(`/monitors/${id}`, { type: 'PING' })
    const retyped = (await api.get(`/incidents/${incidentId}`)).incident
    assert.deepEqual(retyped.monitor, { id, name: 'After', type: 'PING' })
    assert.equal(retyped.cause, renamed.cause)
  })
})

describe('acknowledgeIncident', { concurrency: 8 }, () => {
  const broken = async () => {
    const { id } = await http()
    return { monitorId: id, incidentId: await breakMonitor(db, orgId, id) }
  }

  test('acknowledgeIncident 200: who, when and why are kept, and one event is published', async () => {
    const { monitorId, incidentId } = await broken()
    const before = Date.now() - 1000
    const { incident } = await acknowledge(incidentId, { note: 'On it 😀' })
    const key = await db.one<{ id: string }>(
      `select id from api_keys where name = 'Full access' and org_id = $1`,
      [toUuid(orgId)],
    )
    const by = { type: 'API_KEY', id: toId('key', key.id), name: 'Full access' }
    assert.deepEqual(incident.acknowledgedBy, by)
    assert.deepEqual([incident.acknowledged, incident.acknowledgeNote], [true, 'On it 😀'])
    assert.ok(Date.parse(incident.acknowledgedAt ?? '') >= before)
    assert.equal(incident.resolvedAt, null)
    assert.equal(incident.timeline.at(-1)?.type, 'ACKNOWLEDGED')
    assert.deepEqual((await api.get(`/incidents/${incidentId}`)).incident, incident)

    const events = await db.eventsOf(monitorId)
    const types = events.map((event) => event.type)
    assert.deepEqual(types, ['monitor.created', 'incident.acknowledged'])
    const published = events[1]?.data.incident
    assert.deepEqual([published?.['id'], published?.['acknowledged']], [incidentId, true])
    assert.deepEqual(
      [published?.['causeCode'], published?.['resolution']],
      ['UNEXPECTED_STATUS', null],
    )
    assert.equal(Object.keys(published ?? {}).length, 9, 'list item, causeCode and resolution')
  })

  const absent: [
    name: string,
    ask: () => { rawBody?: string; headers?: Record<string, string> },
  ][] = [
    ['without a body', () => ({})],
    [
      'with an empty body of another type',
      () => ({ rawBody: '', headers: { 'Content-Type': 'text/plain' } }),
    ],
    ['with {}', () => ({ rawBody: '{}' })],
    ['with a note of null', () => ({ rawBody: '{"note":null}' })],
  ]
  for (const [name, ask] of absent)
    test(`acknowledgeIncident 200: ${name} there is no note`, async () => {
      const { incidentId } = await broken()
      const answer = await api.request('POST', `/incidents/${incidentId}/acknowledge`, ask())
      const { acknowledged, acknowledgeNote } = answer.incident
      assert.deepEqual([acknowledged, acknowledgeNote], [true, null])
    })

  test('acknowledgeIncident 200: a note of 0 and of 1000 characters', async () => {
    for (const note of ['', 'n'.repeat(1000), '😀'.repeat(1000)]) {
      const { incidentId } = await broken()
      assert.equal((await acknowledge(incidentId, { note })).incident.acknowledgeNote, note)
    }
  })

  const refused: [json: string, paths: string[]][] = [
    [JSON.stringify({ note: 'n'.repeat(1001) }), ['note']],
    [JSON.stringify({ note: '😀'.repeat(1001) }), ['note']],
    ['{"note":5}', ['note']],
    ['{"note":"a\\u0000"}', ['note']],
    ['{"note":"\\ud800"}', ['note']],
    ['{"other":1}', ['other']],
    ['{"note":"x","acknowledged":true}', ['acknowledged']],
    ['{"__proto__":{"note":"x"}}', ['__proto__']],
    ['[]', ['body']],
    ['null', ['body']],
    ['"note"', ['body']],
    ['{', ['body']],
  ]
  for (const [rawBody, paths] of refused)
    test(`acknowledgeIncident 400: ${rawBody.slice(0, 40)}, path ${paths}`, async () => {
      const { incidentId } = await broken()
      const path = `/incidents/${incidentId}/acknowledge`
      const answer = await api.request('POST', path, { rawBody })
      assert.deepEqual([...new Set(answer.paths)], paths)
      assert.equal((await api.get(`/incidents/${incidentId}`)).incident.acknowledged, false)
    })

  test('acknowledgeIncident 400: a body of another content type', async () => {
    const { incidentId } = await broken()
    const headers = { 'Content-Type': 'text/plain' }
    const path = `/incidents/${incidentId}/acknowledge`
    const answer = await api.request('POST', path, { rawBody: '{}', headers })
    assert.deepEqual(answer.paths, ['content-type'])
  })

  test('acknowledgeIncident 200: a repeat changes nothing, the first note and actor stay', async () => {
    const { monitorId, incidentId } = await broken()
    const first = (await acknowledge(incidentId, { note: 'First' })).incident
    const path = `/incidents/${incidentId}/acknowledge`
    const second = await api.as(keys.full2).post(path, { note: 'Second' })
    assert.deepEqual(second.incident, first)
    assert.equal((await db.eventsOf(monitorId)).length, 2)
  })

  test('acknowledgeIncident 200: of ten at once one counts', async () => {
    const { monitorId, incidentId } = await broken()
    const notes = Array.from({ length: 10 }, (_, i) => ({ note: `Note ${i}` }))
    const all = await Promise.all(notes.map((body) => acknowledge(incidentId, body)))
    assert.equal(new Set(all.map((answer) => answer.incident.acknowledgeNote)).size, 1)
    assert.equal((await db.eventsOf(monitorId)).length, 2)
  })

  test('acknowledgeIncident 200: a resolved incident can be acknowledged too', async () => {
    const { id } = await http()
    const resolvedAt = new Date(Date.now() - 1000)
    const incidentId = await seedIncident(db, { orgId, monitorId: id, resolvedAt })
    const { incident } = await acknowledge(incidentId)
    assert.deepEqual([incident.acknowledged, incident.resolution], [true, 'RECOVERED'])
  })

  const operations: [method: string, suffix: string][] = [
    ['GET', ''],
    ['POST', '/acknowledge'],
  ]
  for (const [method, suffix] of operations)
    test(`${method} /incidents/{incidentId}${suffix} 404: another organization's looks like none`, async () => {
      const other = api.as(keys.otherOrganization)
      const { incidentId } = await broken()
      const unknown = 'inc_00000000000000000000000000'
      const paths = [incidentId, unknown, 'x', '%00', '__proto__', incidentId.replace('inc', 'mon')]
      const answers = await Promise.all(
        paths.map((id) => other.request(method, `/incidents/${id}${suffix}`)),
      )
      const texts = answers.map((answer) => answer.text.replace(/req_[0-9a-z]+/, ''))
      assert.equal(answers[0]?.code, 'not_found')
      assert.equal(new Set(texts).size, 1)
      assert.equal((await api.get(`/incidents/${incidentId}`)).incident.acknowledged, false)
    })
})
