// Published incidents: what they name, when they happened, and how they are edited, listed and removed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { seedIncident, seedSubscriber } from '../kit/seed.ts'
import {
  type StatusIncident,
  type StatusPage,
  toIncident,
  toList,
  toPage,
} from '../kit/status-shapes.ts'

const fixture = await startProduct()
const { api, db } = fixture
const other = await fixture.createOrganization()
after(() => fixture.stop())

const PATH = '/status-incidents'
const SECOND_MS = 1000
const createPage = async (names: string[] = [], owner = api): Promise<StatusPage> =>
  toPage(
    await owner.post('/status-pages', {
      name: `Page ${randomUUID()}`,
      sections: [{ components: names.map((name) => ({ name })) }],
    }),
  )
const componentId = (page: StatusPage, n = 0) => page.sections[0]?.components[n]?.id ?? ''
const affects = (page: StatusPage, state = 'MAJOR_OUTAGE', n = 0) => ({
  componentId: componentId(page, n),
  state,
})

const shared = await createPage(['A', 'B'])
const create = (fields: Record<string, unknown> = {}) =>
  api.post(PATH, { title: 'Problem', statusPageIds: [shared.id], ...fields })
const made = async (fields: Record<string, unknown> = {}) => toIncident(await create(fields))
const patch = (id: string, fields: unknown) => api.patch(`${PATH}/${id}`, fields)
const read = async (id: string) => toIncident(await api.get(`${PATH}/${id}`))
const fromNow = (seconds: number) => new Date(Date.now() + seconds * SECOND_MS).toISOString()
const isNow = (text: string | null) =>
  assert.ok(Math.abs(Date.parse(text ?? '') - Date.now()) < 20_000, String(text))

describe('createStatusIncident', { concurrency: 8 }, () => {
  test('createStatusIncident 201: the title alone; everything else has its default', async () => {
    const owner = await fixture.createOrganization()
    const pages = [await createPage([], owner.api), await createPage([], owner.api)]
    const answer = await owner.api.post(PATH, { title: 'Payments fail' })
    const { id, startedAt, createdAt, updatedAt, statusPageIds, ...rest } = toIncident(answer)
    assert.deepEqual(rest, {
      title: 'Payments fail',
      status: 'INVESTIGATING',
      impact: 'MINOR',
      components: [],
      incidentId: null,
      resolvedAt: null,
      updates: [],
    })
    assert.deepEqual(statusPageIds.toSorted(), pages.map((page) => page.id).toSorted())
    assert.equal(answer.headers['location'], `/api/v1${PATH}/${id}`)
    for (const at of [startedAt, createdAt, updatedAt]) isNow(at)
    assert.equal((await owner.api.get(`${PATH}/${id}`)).text, answer.text)
  })

  test('createStatusIncident 201: every field as sent; the message is its first update', async () => {
    const second = await createPage(['C'])
    const monitorId = (await api.createMonitor()).id
    const incidentId = await seedIncident(db, { orgId: fixture.orgId, monitorId })
    const fields = {
      title: 'Zahlungen 😀',
      status: 'IDENTIFIED',
      impact: 'CRITICAL',
      statusPageIds: [second.id, shared.id],
      components: [affects(second, 'DEGRADED'), affects(shared, 'PARTIAL_OUTAGE', 1)],
      incidentId,
      startedAt: '2026-11-14T22:39:00.000Z',
    }
    const incident = await made({ ...fields, message: 'A **cause**.', notifySubscribers: false })
    for (const [name, value] of Object.entries(fields))
      assert.deepEqual(incident[name as 'title'], value, name)
    const [{ id, createdAt, ...update } = { id: '', createdAt: '' }] = incident.updates
    assert.deepEqual(update, {
      status: 'IDENTIFIED',
      message: 'A **cause**.',
      components: fields.components,
      notifiedSubscribers: false,
    })
    assert.ok(id)
    isNow(createdAt)
    assert.deepEqual(await read(incident.id), incident)
  })

  test('notifiedSubscribers: true only where at least one subscriber is to be notified', async () => {
    const { api: owner, id: orgId } = await fixture.createOrganization()
    const send = async (path: string, body: object) => {
      const answer = await owner.post(path, body)
      assert.equal(answer.status, 201, answer.text)
      return answer.json as StatusIncident
    }
    const components = [{ name: 'A' }, { name: 'B' }]
    const page = (await owner.post('/status-pages', { name: 'P', sections: [{ components }] }))
      .json as StatusPage
    const [a, b] = page.sections[0]?.components.map(({ id }) => id) ?? []
    const news = { title: 'T', message: 'Hm' }
    const of = async (body: object) => (await send(PATH, body)).updates[0]?.notifiedSubscribers
    const affecting = (componentId = '') => ({
      ...news,
      components: [{ componentId, state: 'DEGRADED' }],
    })
    assert.equal(await of(news), false, 'nobody subscribed')
    await seedSubscriber(db, { orgId, pageId: page.id, componentIds: [a ?? ''] })
    assert.equal(await of(affecting(b)), false, 'the one subscriber chose another component')
    assert.equal(await of(affecting(a)), true)
    assert.equal(await of(news), true)
    assert.equal(await of({ ...news, notifySubscribers: false }), false)

    const { id } = await send(PATH, { title: 'T' })
    const updated = await send(`${PATH}/${id}/updates`, { message: 'News' })
    assert.equal(updated.updates[0]?.notifiedSubscribers, true)
    await owner.patch(`/status-pages/${page.id}`, { subscribersEnabled: false })
    const silent = await send(`${PATH}/${id}/updates`, { message: 'More' })
    assert.deepEqual(
      silent.updates.map(({ notifiedSubscribers }) => notifiedSubscribers),
      [false, true],
    )
    const event = (
      await db.run<{ body: string }>(
        `select body from events where org_id = $1 and type = 'status_incident.updated' order by id desc limit 1`,
        [toUuid(orgId)],
      )
    )[0]
    assert.equal(JSON.parse(event?.body ?? '').data.update.notifiedSubscribers, false)
  })

  test('createStatusIncident 201: RESOLVED has an end and no affected component', async () => {
    const components = [affects(shared)]
    const now = await made({ status: 'RESOLVED', components, message: 'It was short' })
    isNow(now.resolvedAt)
    const healthy = [affects(shared, 'OPERATIONAL')]
    assert.deepEqual([now.components, now.updates[0]?.components], [healthy, healthy])
    const past = { startedAt: '2026-11-01T10:00:00.000Z', resolvedAt: '2026-11-01T10:00:00.000Z' }
    const then = await made({ status: 'RESOLVED', ...past })
    assert.deepEqual([then.startedAt, then.resolvedAt], [past.startedAt, past.resolvedAt])
    isNow((await made({ status: 'RESOLVED', resolvedAt: null })).resolvedAt)
    // It cannot end before it starts.
    const ahead = await made({ status: 'RESOLVED', startedAt: fromNow(50) })
    assert.equal(ahead.resolvedAt, ahead.startedAt)
  })

  test('createStatusIncident 201: what a client may not set is ignored', async () => {
    const computed = { id: 'sin_x', updates: [{ message: 'x' }], createdAt: 'x', updatedAt: 1 }
    assert.deepEqual((await made({ ...computed, organizationId: 'org_x' })).updates, [])
  })

  test('createStatusIncident: a replay gives the same bytes and publishes nothing more', async () => {
    const headers = { 'Idempotency-Key': `incident-${randomUUID()}` }
    const body = { title: `Once ${randomUUID()}`, message: 'Hm', statusPageIds: [shared.id] }
    const first = await api.post(PATH, body, { headers })
    const replay = await api.post(PATH, body, { headers })
    assert.deepEqual([replay.status, replay.isReplayed, replay.text], [201, true, first.text])
    assert.equal(replay.headers['location'], first.headers['location'])
    assert.equal(await db.count('status_incidents', 'title = $1', [body.title]), 1)
  })

  test('createStatusIncident 400: no status page anywhere, path statusPageIds', async () => {
    const { api: owner, uuid } = await fixture.createOrganization()
    assert.deepEqual((await owner.post(PATH, { title: 'x' })).paths, ['statusPageIds'])
    assert.equal(await db.count('events', 'org_id = $1', [uuid]), 0)
  })

  test('createStatusIncident 400: more than 50 pages have to be named', async () => {
    const { api: owner } = await fixture.createOrganization()
    const pages: StatusPage[] = []
    for (let n = 0; n < 51; n++) pages.push(await createPage([], owner))
    assert.deepEqual((await owner.post(PATH, { title: 'x' })).paths, ['statusPageIds'])
    const statusPageIds = pages.map(({ id }) => id)
    assert.deepEqual((await owner.post(PATH, { title: 'x', statusPageIds })).paths, [
      'statusPageIds',
    ])
    const fifty = statusPageIds.slice(1)
    const all = toIncident(await owner.post(PATH, { title: 'x', statusPageIds: fifty }))
    assert.deepEqual(all.statusPageIds, fifty)
    await owner.delete(`/status-pages/${statusPageIds[0]}`)
    const byDefault = toIncident(await owner.post(PATH, { title: 'x' }))
    assert.deepEqual(byDefault.statusPageIds.toSorted(), fifty.toSorted())
  })
})

describe('fields of a published incident', { concurrency: 8 }, () => {
  const rows: [what: string, fields: Record<string, unknown>, path: string][] = [
    ['no title', { title: undefined }, 'title'],
    ['an empty title', { title: '' }, 'title'],
    ['a title of 201', { title: 'x'.repeat(201) }, 'title'],
    ['a title of null', { title: null }, 'title'],
    ['another status', { status: 'OPEN' }, 'status'],
    ['a status of null', { status: null }, 'status'],
    ['another impact', { impact: 'HUGE' }, 'impact'],
    ['no page', { statusPageIds: [] }, 'statusPageIds'],
    ['pages of null', { statusPageIds: null }, 'statusPageIds'],
    ['a page that is a number', { statusPageIds: [1] }, 'statusPageIds.0'],
    ['components of null', { components: null }, 'components'],
    [
      'a component without an id',
      { components: [{ state: 'DEGRADED' }] },
      'components.0.componentId',
    ],
    ['a component without a state', { components: [{ componentId: 'x' }] }, 'components.0.state'],
    [
      'a state that is not for incidents',
      { components: [affects(shared, 'MAINTENANCE')] },
      'components.0.state',
    ],
    ['a state that is none', { components: [affects(shared, 'UP')] }, 'components.0.state'],
    [
      'a component twice',
      { components: [affects(shared), affects(shared, 'DEGRADED')] },
      'components.1.componentId',
    ],
    ['an empty incident id', { incidentId: '' }, 'incidentId'],
    ['a start that is no time', { startedAt: 'yesterday' }, 'startedAt'],
    ['a start without an offset', { startedAt: '2026-11-14T22:39:00' }, 'startedAt'],
    ['a start of null', { startedAt: null }, 'startedAt'],
    ['a start before 1970', { startedAt: '1969-12-31T23:59:59Z' }, 'startedAt'],
    ['a start before our era', { startedAt: '0000-01-01T00:00:00+23:59' }, 'startedAt'],
    ['a start far ahead', { startedAt: fromNow(3600) }, 'startedAt'],
    ['the latest start there is', { startedAt: '9999-12-31T23:59:59-23:59' }, 'startedAt'],
    ['an end that is no time', { resolvedAt: 'now' }, 'resolvedAt'],
    ['an end while it is open', { resolvedAt: '2026-11-14T22:39:00Z' }, 'resolvedAt'],
    [
      'an end before the start',
      { status: 'RESOLVED', startedAt: '2026-11-02T00:00:00Z', resolvedAt: '2026-11-01T00:00:00Z' },
      'resolvedAt',
    ],
    ['an end far ahead', { status: 'RESOLVED', resolvedAt: fromNow(3600) }, 'resolvedAt'],
  ]
  for (const [what, fields, path] of rows)
    test(`create and updateStatusIncident 400: ${what}, path ${path}`, async () => {
      const created = await create(fields)
      assert.deepEqual([created.code, ...new Set(created.paths)], ['validation_error', path])
      if (Object.values(fields).includes(undefined)) return
      const before = await made({ components: [affects(shared)] })
      const patched = await patch(before.id, fields)
      assert.deepEqual([patched.code, ...new Set(patched.paths)], ['validation_error', path])
      assert.deepEqual(await read(before.id), before)
    })

  const writeOnly: [fields: Record<string, unknown>, path: string][] = [
    [{ message: '' }, 'message'],
    [{ message: 'x'.repeat(10_001) }, 'message'],
    [{ message: null }, 'message'],
    [{ notifySubscribers: 'yes' }, 'notifySubscribers'],
  ]
  for (const [fields, path] of writeOnly)
    test(`createStatusIncident 400: ${JSON.stringify(fields).slice(0, 30)}, path ${path}`, async () =>
      assert.deepEqual((await create(fields)).paths, [path]))

  test('create and updateStatusIncident: fields up to their bounds', async () => {
    const { id } = await made()
    const inside: Record<string, unknown>[] = [
      { title: '😀'.repeat(200) },
      ...['NONE', 'MINOR', 'MAJOR', 'CRITICAL'].map((impact) => ({ impact })),
      { startedAt: fromNow(55) },
      { startedAt: '1970-01-01T00:00:00.000Z' },
    ]
    for (const fields of inside)
      for (const incident of [await made(fields), toIncident(await patch(id, fields))])
        for (const [name, value] of Object.entries(fields))
          assert.equal(incident[name as 'title'], value, name)
    const long = await made({ message: 'ü'.repeat(10_000) })
    assert.equal(long.updates[0]?.message.length, 10_000)
    const inOffset = await made({ startedAt: '2026-11-14T23:39+01:00' })
    assert.equal(inOffset.startedAt, '2026-11-14T22:39:00.000Z')
  })

  test('createStatusIncident 400: every problem in one answer', async () => {
    const answer = await create({
      startedAt: fromNow(600),
      incidentId: 'x',
      statusPageIds: [shared.id, 'x'],
      components: [{ componentId: 'x', state: 'DEGRADED' }],
    })
    const paths = ['components.0.componentId', 'incidentId', 'startedAt', 'statusPageIds.1']
    assert.deepEqual(answer.paths.toSorted(), paths)
  })
})

describe('what a published incident names', { concurrency: 8 }, () => {
  test('create and updateStatusIncident 400: unknown and foreign ids, each with its path and the same words', async () => {
    const foreign = await createPage(['X'], other.api)
    const foreignMonitor = (await other.api.createMonitor()).id
    const foreignIncident = await seedIncident(db, { orgId: other.id, monitorId: foreignMonitor })
    const unknown = (prefix: string) => toId(prefix, randomUUID())
    const elsewhere = await createPage(['Y'])
    const groups: [path: string, bodies: Record<string, unknown>[]][] = [
      [
        'statusPageIds.1',
        [unknown('sp'), foreign.id, 'x'].map((id) => ({ statusPageIds: [shared.id, id] })),
      ],
      [
        'components.0.componentId',
        [unknown('cmp'), componentId(foreign), componentId(elsewhere), shared.id, 'x'].map(
          (id) => ({
            components: [{ componentId: id, state: 'DEGRADED' }],
          }),
        ),
      ],
      ['incidentId', [unknown('inc'), foreignIncident, 'x'].map((incidentId) => ({ incidentId }))],
    ]
    const before = await made({ components: [affects(shared)] })
    for (const [path, bodies] of groups) {
      const asked = bodies.flatMap((body) => [create(body), patch(before.id, body)])
      const answers = await Promise.all(asked)
      for (const answer of answers) {
        assert.deepEqual([answer.code, ...answer.paths], ['validation_error', path])
        assert.deepEqual(answer.error.details, answers[0]?.error.details)
      }
    }
    assert.deepEqual(await read(before.id), before)
  })

  test('create and updateStatusIncident: a page that is named twice is meant once', async () => {
    const second = await createPage()
    const statusPageIds = [second.id, shared.id, second.id]
    const incident = await made({ statusPageIds })
    assert.deepEqual(incident.statusPageIds, [second.id, shared.id])
    const again = toIncident(await patch(incident.id, { statusPageIds: [shared.id, shared.id] }))
    assert.deepEqual(again.statusPageIds, [shared.id])
  })

  test('updateStatusIncident: components must be on the pages it is left with', async () => {
    const second = await createPage(['C'])
    const { id } = await made({ components: [affects(shared)] })
    const moved = await patch(id, { statusPageIds: [second.id] })
    assert.deepEqual(moved.paths, ['components.0.componentId'])
    const together = { statusPageIds: [second.id], components: [affects(second, 'DEGRADED')] }
    const { statusPageIds, components } = toIncident(await patch(id, together))
    assert.deepEqual({ statusPageIds, components }, together)
  })

  test('getIncident: the published incidents that refer to it, as long as they do', async () => {
    const monitorId = (await api.createMonitor()).id
    const incidentId = await seedIncident(db, { orgId: fixture.orgId, monitorId })
    const linked = async () =>
      (await api.get(`/incidents/${incidentId}`)).incident.statusIncidentIds
    assert.deepEqual(await linked(), [])
    const first = await made({ incidentId })
    const second = await made()
    await patch(second.id, { incidentId })
    assert.deepEqual(await linked(), [first.id, second.id])
    const acknowledged = await api.post(`/incidents/${incidentId}/acknowledge`)
    assert.deepEqual(acknowledged.incident.statusIncidentIds, [first.id, second.id])
    await patch(first.id, { incidentId: null })
    assert.deepEqual(await linked(), [second.id])
    assert.equal((await api.delete(`/monitors/${monitorId}`)).status, 200)
    assert.equal((await read(second.id)).incidentId, null)
  })

  test('deleteStatusPage: its id leaves incidents, one left with no page is removed', async () => {
    const [gone, stays] = [await createPage(['G']), await createPage(['S'])]
    const both = await made({
      statusPageIds: [gone.id, stays.id],
      components: [affects(gone), affects(stays)],
      message: 'Both',
    })
    const alone = await made({ statusPageIds: [gone.id], message: 'Alone' })
    assert.equal((await api.delete(`/status-pages/${gone.id}`)).status, 200)
    const left = await read(both.id)
    assert.deepEqual([left.statusPageIds, left.components], [[stays.id], [affects(stays)]])
    assert.deepEqual(left.updates, both.updates)
    assert.equal((await api.get(`${PATH}/${alone.id}`)).code, 'not_found')
  })

  test('deleteStatusPage: two pages that go at once take the incident on both along', async () => {
    for (let round = 0; round < 10; round++) {
      const pages = [await createPage(), await createPage()]
      const { id } = await made({ statusPageIds: pages.map((page) => page.id) })
      const gone = pages.map((page) => api.delete(`/status-pages/${page.id}`))
      for (const answer of await Promise.all(gone)) assert.equal(answer.status, 200)
      assert.equal((await api.get(`${PATH}/${id}`)).code, 'not_found')
    }
  })

  test('createStatusIncident and deleteStatusPage at once: no incident is left without a page', async () => {
    for (let round = 0; round < 10; round++) {
      const page = await createPage(['A'])
      const fields = { statusPageIds: [page.id], components: [affects(page)] }
      const [published, gone] = await Promise.all([
        create(fields),
        api.delete(`/status-pages/${page.id}`),
      ])
      assert.equal(gone.status, 200)
      if (published.status === 201)
        assert.equal((await api.get(`${PATH}/${toIncident(published).id}`)).status, 404)
      else assert.ok(published.paths.includes('statusPageIds.0'))
    }
  })

  test('updateStatusPage: a component that goes leaves the incident; its past keeps it', async () => {
    const page = await createPage(['A', 'B'])
    const components = [affects(page, 'DEGRADED', 0), affects(page, 'MAJOR_OUTAGE', 1)]
    const { id } = await made({ statusPageIds: [page.id], components, message: 'Two' })
    const sections = [{ components: [{ id: componentId(page, 1) }] }]
    assert.equal((await api.patch(`/status-pages/${page.id}`, { sections })).status, 200)
    const left = await read(id)
    assert.deepEqual(left.components, [components[1]])
    assert.deepEqual(left.updates[0]?.components, components)
  })
})

describe('updateStatusIncident', { concurrency: 8 }, () => {
  test('updateStatusIncident 200: changes what is given and keeps the rest', async () => {
    const before = await made({ components: [affects(shared)], message: 'Hm' })
    const changed = toIncident(await patch(before.id, { title: 'New', impact: 'NONE' }))
    const { updatedAt, ...rest } = changed
    const expected = { ...before, title: 'New', impact: 'NONE' }
    assert.deepEqual({ ...rest, updatedAt: before.updatedAt }, expected)
    assert.ok(updatedAt > before.updatedAt)
    assert.deepEqual(await read(before.id), changed)
  })

  test('updateStatusIncident 200: nothing given, or what was read sent back, changes nothing', async () => {
    const open = await made({ components: [affects(shared)], message: 'Hm' })
    const over = await made({ status: 'RESOLVED', components: [affects(shared)] })
    for (const before of [open, over])
      for (const body of [{}, before, { title: before.title, message: 'x' }])
        assert.deepEqual(toIncident(await patch(before.id, body)), before)
  })

  test('updateStatusIncident 200: a changed status adds an update without a message', async () => {
    const before = await made({ components: [affects(shared)], message: 'Hm' })
    const after = toIncident(await patch(before.id, { status: 'MONITORING', title: 'Better' }))
    const [added, ...older] = after.updates
    assert.deepEqual(older, before.updates)
    assert.deepEqual([added?.status, added?.message], ['MONITORING', ''])
    assert.deepEqual([added?.components, added?.notifiedSubscribers], [before.components, false])
    const same = toIncident(await patch(before.id, { status: 'MONITORING', title: 'Good' }))
    assert.equal(same.updates.length, 2)
  })

  test('updateStatusIncident 200: RESOLVED ends it and resets its components; another status reopens it', async () => {
    const before = await made({ components: [affects(shared)] })
    // A client may read it, edit it and send all of it back.
    const over = toIncident(await patch(before.id, { ...before, status: 'RESOLVED' }))
    isNow(over.resolvedAt)
    assert.deepEqual(over.components, [affects(shared, 'OPERATIONAL')])
    assert.deepEqual(over.updates[0]?.components, over.components)
    const again = toIncident(await patch(before.id, { ...over, status: 'IDENTIFIED' }))
    assert.deepEqual([again.resolvedAt, again.updates.length], [null, 2])
    const broken = toIncident(await patch(before.id, { components: [affects(shared)] }))
    assert.deepEqual(broken.components, [affects(shared)])
  })

  test('updateStatusIncident: the end can be moved, not taken away, and not before the start', async () => {
    const start = '2026-11-01T10:00:00.000Z'
    const { id } = await made({ status: 'RESOLVED', startedAt: start })
    const moved = toIncident(await patch(id, { resolvedAt: '2026-11-01T11:00:00Z' }))
    assert.equal(moved.resolvedAt, '2026-11-01T11:00:00.000Z')
    assert.equal(moved.updates.length, 0)
    assert.deepEqual((await patch(id, { resolvedAt: null })).paths, ['resolvedAt'])
    assert.deepEqual((await patch(id, { resolvedAt: '2026-11-01T09:59:59Z' })).paths, [
      'resolvedAt',
    ])
    assert.deepEqual((await patch(id, { startedAt: '2026-11-01T11:00:01Z' })).paths, ['startedAt'])
    const both = { startedAt: '2026-11-02T10:00:00.000Z', resolvedAt: '2026-11-02T10:30:00.000Z' }
    const after = toIncident(await patch(id, both))
    assert.deepEqual({ startedAt: after.startedAt, resolvedAt: after.resolvedAt }, both)
    const healthy = toIncident(await patch(id, { components: [affects(shared)] }))
    assert.deepEqual(healthy.components, [affects(shared, 'OPERATIONAL')])
  })
})

describe('listStatusIncidents', () => {
  test('listStatusIncidents 200: newest first, filters by status and page, with the true total', async () => {
    const { api: owner } = await fixture.createOrganization()
    const [one, two] = [await createPage([], owner), await createPage([], owner)]
    const statuses = ['INVESTIGATING', 'RESOLVED', 'MONITORING', 'RESOLVED', 'IDENTIFIED']
    const all: StatusIncident[] = []
    for (const [n, status] of statuses.entries()) {
      const statusPageIds = n % 2 ? [one.id] : [one.id, two.id]
      // Published late: the list is ordered by publication.
      const startedAt = `2026-01-0${9 - n}T00:00:00Z`
      const body = { title: `N ${n}`, status, statusPageIds, startedAt, message: 'Hm' }
      all.unshift(toIncident(await owner.post(PATH, body)))
    }
    const rows: [query: string, titles: string[], total: number][] = [
      ['', ['N 4', 'N 3', 'N 2', 'N 1', 'N 0'], 5],
      ['?limit=2&offset=1', ['N 3', 'N 2'], 5],
      ['?offset=9', [], 5],
      ['?status=RESOLVED', ['N 3', 'N 1'], 2],
      ['?status=RESOLVED,MONITORING', ['N 3', 'N 2', 'N 1'], 3],
      [`?statusPageId=${two.id}`, ['N 4', 'N 2', 'N 0'], 3],
      [`?statusPageId=${two.id}&status=INVESTIGATING`, ['N 0'], 1],
      [`?statusPageId=${shared.id}`, [], 0],
      ['?statusPageId=x', [], 0],
    ]
    for (const [query, titles, total] of rows) {
      const page = toList<StatusIncident>(await owner.get(`${PATH}${query}`))
      assert.deepEqual(
        page.data.map(({ title }) => title),
        titles,
        query,
      )
      assert.equal(page.pagination.total, total, query)
    }
    assert.deepEqual(toList(await owner.get(PATH)).data, all)
    assert.deepEqual((await owner.get(`${PATH}?status=OPEN`)).paths, ['status'])
    assert.deepEqual((await owner.get(`${PATH}?statusPageId=`)).paths, ['statusPageId'])
  })
})

describe('deleteStatusIncident', { concurrency: 4 }, () => {
  test('deleteStatusIncident 200: it is gone with its updates; a replay is no 404', async () => {
    const { id } = await made({ message: 'Hm', components: [affects(shared)] })
    const options = { headers: { 'Idempotency-Key': `delete-${randomUUID()}` } }
    const first = await api.delete(`${PATH}/${id}`, options)
    assert.deepEqual(first.json, { data: { id } })
    for (const [method, path, body] of [
      ['GET', id],
      ['DELETE', id],
      ['PATCH', id, {}],
      ['POST', `${id}/updates`, { message: 'x' }],
    ] as const)
      assert.equal(
        (await api.request(method, `${PATH}/${path}`, { body })).code,
        'not_found',
        method,
      )
    const replay = await api.delete(`${PATH}/${id}`, options)
    assert.deepEqual([replay.status, replay.isReplayed], [200, true])
    const left = ['updates', 'pages', 'components'].map((table) =>
      db.count(`status_incident_${table}`, 'status_incident_id = $1', [toUuid(id)]),
    )
    assert.deepEqual(await Promise.all(left), [0, 0, 0])
  })
})
