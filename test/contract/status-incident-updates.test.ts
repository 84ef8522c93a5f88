// Updates of published incidents, and the events they publish.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import {
  assertStatusIncident,
  type StatusIncident,
  type StatusUpdate,
  toIncident,
  toPage,
} from '../kit/status-shapes.ts'

const fixture = await startProduct()
const { api, db } = fixture
const other = await fixture.createOrganization()
after(() => fixture.stop())

const PATH = '/status-incidents'
const page = toPage(
  await api.post('/status-pages', {
    name: `Page ${randomUUID()}`,
    sections: [{ components: [{ name: 'A' }, { name: 'B' }] }],
  }),
)
const [a, b] = page.sections[0]?.components.map(({ id }) => id) ?? []
const affects = (componentId: string | undefined, state: string) => ({ componentId, state })
const publish = async (fields: object = {}) =>
  toIncident(
    await api.post(PATH, {
      title: 'Problem',
      statusPageIds: [page.id],
      message: 'Hm',
      ...fields,
    }),
  )
const post = (id: string, fields: object) => api.post(`${PATH}/${id}/updates`, fields)
const posted = async (id: string, fields: object = {}) =>
  toIncident(await post(id, { message: 'News', ...fields }))
const read = async (id: string) => toIncident(await api.get(`${PATH}/${id}`))
const fromNow = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const isNow = (text: string | null | undefined) =>
  assert.ok(Math.abs(Date.parse(text ?? '') - Date.now()) < 20_000, String(text))

describe('createStatusIncidentUpdate', { concurrency: 8 }, () => {
  test('createStatusIncidentUpdate 201: the whole incident with the new update first; the status stays', async () => {
    const before = await publish({ components: [affects(a, 'DEGRADED')] })
    const answer = await post(before.id, { message: 'Still **looking**' })
    const after = toIncident(answer)
    assert.equal(answer.headers['location'], `/api/v1${PATH}/${before.id}`)
    const [{ id, createdAt, ...added } = { id: '', createdAt: '' }, ...older] = after.updates
    assert.deepEqual(older, before.updates)
    assert.deepEqual(added, {
      status: 'INVESTIGATING',
      message: 'Still **looking**',
      components: before.components,
      notifiedSubscribers: false,
    })
    assert.match(id, /^siu_/)
    isNow(createdAt)
    const { updates: _, updatedAt, ...rest } = after
    const { updates: __, updatedAt: then, ...same } = before
    assert.deepEqual(rest, same)
    assert.ok(updatedAt > then)
    assert.deepEqual(await read(before.id), after)
  })

  test('createStatusIncidentUpdate 201: a new status, and states that replace the old ones', async () => {
    const { id } = await publish({ components: [affects(a, 'DEGRADED')] })
    const components = [affects(b, 'MAJOR_OUTAGE')]
    const after = await posted(id, { status: 'IDENTIFIED', components, notifySubscribers: false })
    assert.deepEqual([after.status, after.components], ['IDENTIFIED', components])
    assert.deepEqual(after.updates[0]?.components, components)
    assert.deepEqual(after.updates[1]?.components, [affects(a, 'DEGRADED')])
    assert.equal(after.updates[0]?.notifiedSubscribers, false)
    assert.deepEqual((await posted(id, { components: [] })).components, [])
  })

  test('createStatusIncidentUpdate 201: RESOLVED ends it and resets its components; a later one may reopen it', async () => {
    const { id } = await publish({
      components: [affects(a, 'DEGRADED'), affects(b, 'MAJOR_OUTAGE')],
    })
    const over = await posted(id, { status: 'RESOLVED' })
    isNow(over.resolvedAt)
    const healthy = [affects(a, 'OPERATIONAL'), affects(b, 'OPERATIONAL')]
    assert.deepEqual([over.components, over.updates[0]?.components], [healthy, healthy])

    const word = await posted(id, { message: 'What went wrong' })
    assert.deepEqual([word.status, word.resolvedAt], ['RESOLVED', over.resolvedAt])
    assert.equal(word.updates[0]?.status, 'RESOLVED')
    const worse = await posted(id, { status: 'RESOLVED', components: [affects(a, 'DEGRADED')] })
    assert.deepEqual(worse.components, [affects(a, 'OPERATIONAL')])

    const again = await posted(id, {
      status: 'INVESTIGATING',
      components: [affects(a, 'DEGRADED')],
    })
    assert.deepEqual([again.status, again.resolvedAt], ['INVESTIGATING', null])
    assert.deepEqual(again.components, [affects(a, 'DEGRADED')])
    assert.equal(again.updates.length, 5)
  })

  test('createStatusIncidentUpdate 201: written later than it happened, it stands where it belongs', async () => {
    const { id, updates } = await publish({ startedAt: fromNow(-7200) })
    const createdAt = fromNow(-3600)
    const after = await posted(id, { createdAt, status: 'RESOLVED', message: 'Was over by then' })
    assert.deepEqual(
      after.updates.map(({ message }) => message),
      ['Hm', 'Was over by then'],
    )
    assert.deepEqual([after.updates[1]?.createdAt, after.resolvedAt], [createdAt, createdAt])
    assert.deepEqual(after.updates[0], updates[0])
    const { id: next, startedAt } = await publish()
    const early = await posted(next, { createdAt: fromNow(-3600), status: 'RESOLVED' })
    assert.equal(early.resolvedAt, startedAt)
  })

  const rows: [what: string, fields: Record<string, unknown>, path: string][] = [
    ['no message', { message: undefined }, 'message'],
    ['an empty message', { message: '' }, 'message'],
    ['a message of 10001', { message: 'x'.repeat(10_001) }, 'message'],
    ['a message of null', { message: null }, 'message'],
    ['another status', { status: 'CLOSED' }, 'status'],
    ['a status of null', { status: null }, 'status'],
    ['notifySubscribers as a number', { notifySubscribers: 1 }, 'notifySubscribers'],
    ['components of null', { components: null }, 'components'],
    [
      'a component of nobody',
      { components: [affects(toId('cmp', randomUUID()), 'DEGRADED')] },
      'components.0.componentId',
    ],
    [
      'a component twice',
      { components: [affects(a, 'DEGRADED'), affects(a, 'DEGRADED')] },
      'components.1.componentId',
    ],
    [
      'a state that is not for incidents',
      { components: [affects(a, 'UNKNOWN')] },
      'components.0.state',
    ],
    ['a time in the future', { createdAt: fromNow(3600) }, 'createdAt'],
    ['a time before 1970', { createdAt: '0001-01-01T00:00:00Z' }, 'createdAt'],
    ['no time', { createdAt: '2026-11-14' }, 'createdAt'],
    ['a time of null', { createdAt: null }, 'createdAt'],
  ]
  for (const [what, fields, path] of rows)
    test(`createStatusIncidentUpdate 400: ${what}, path ${path}`, async () => {
      const before = await publish()
      const answer = await post(before.id, { message: 'x', ...fields })
      assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', path])
      assert.deepEqual(await read(before.id), before)
    })

  test('createStatusIncidentUpdate 400: a body is required; what is not known is ignored', async () => {
    const { id } = await publish()
    assert.deepEqual((await api.post(`${PATH}/${id}/updates`)).paths, ['body'])
    const after = await posted(id, { id: 'siu_x', notifiedSubscribers: true, title: 'Other' })
    assert.deepEqual([after.title, after.updates[0]?.notifiedSubscribers], ['Problem', false])
  })

  test('createStatusIncidentUpdate: a replay gives the same bytes and posts nothing more', async () => {
    const { id } = await publish()
    const options = { headers: { 'Idempotency-Key': `update-${randomUUID()}` } }
    const first = await api.post(`${PATH}/${id}/updates`, { message: 'Once' }, options)
    await posted(id)
    const replay = await api.post(`${PATH}/${id}/updates`, { message: 'Once' }, options)
    assert.deepEqual([replay.status, replay.isReplayed, replay.text], [201, true, first.text])
    assert.equal((await read(id)).updates.length, 3)
  })

  test('create and updateStatusIncident 409: 500 updates are the most', async () => {
    const { id } = await publish()
    await db.run(
      `insert into status_incident_updates
         (id, org_id, status_incident_id, status, message, components, notified_subscribers, created_at)
       select new_uuid(), org_id, id, 'INVESTIGATING', 'x', '[]', false, now() - interval '1 day'
         from status_incidents, generate_series(1, 498) where id = $1`,
      [toUuid(id)],
    )
    const answers = await Promise.all([1, 2, 3].map(() => post(id, { message: 'Last' })))
    const outcomes = answers.map((answer) => (answer.status === 201 ? '201' : answer.code))
    assert.deepEqual(outcomes.toSorted(), ['201', 'conflict', 'conflict'])
    assert.equal((await read(id)).updates.length, 500)
    const status = await api.patch(`${PATH}/${id}`, { status: 'RESOLVED' })
    assert.equal(status.code, 'conflict')
    assert.equal(toIncident(await api.patch(`${PATH}/${id}`, { title: 'Fine' })).title, 'Fine')
    const events = await db.count('events', `position($1 in body) > 0`, [id])
    assert.equal(events, 3, 'published, updated, updated')
  })

  test('createStatusIncidentUpdate: 20 at once all stand there, each the newest when it was answered', async () => {
    const { id } = await publish()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => ({
        n,
        answer: await post(id, { message: `M ${n}` }),
      })),
    )
    for (const { n, answer } of answers)
      assert.equal(toIncident(answer).updates[0]?.message, `M ${n}`)
    const { updates } = await read(id)
    assert.equal(new Set(updates.map(({ message }) => message)).size, 21)
  })

  test('createStatusIncidentUpdate: of several statuses at once the newest update has the one that holds', async () => {
    const { id } = await publish()
    const statuses = [
      'IDENTIFIED',
      'MONITORING',
      'RESOLVED',
      'INVESTIGATING',
      'RESOLVED',
      'MONITORING',
    ]
    await Promise.all(
      statuses.map((status, n) =>
        n % 2 ? post(id, { message: 'x', status }) : api.patch(`${PATH}/${id}`, { status }),
      ),
    )
    const { status, updates } = await read(id)
    assert.equal(updates[0]?.status, status)
  })
})

type PublishedEvent = {
  type: string
  timestamp: string
  organizationId: string
  data: { statusIncident: StatusIncident; update?: StatusUpdate | null }
}

/** Every event about it, in the order of ids. */
async function eventsOf(id: string): Promise<PublishedEvent[]> {
  const rows = await db.run<{ type: string; body: string }>(
    'select type, body from events where position($1 in body) > 0 order by id',
    [`"statusIncident":{"id":"${id}"`],
  )
  return rows.map(({ type, body }) => {
    const event = JSON.parse(body) as PublishedEvent
    assert.equal(event.type, type)
    assertStatusIncident(event.data.statusIncident, 'event.statusIncident')
    const isFirst = type === 'status_incident.published'
    const keys = isFirst ? ['statusIncident'] : ['statusIncident', 'update']
    assert.deepEqual(Object.keys(event.data), keys)
    return event
  })
}
const typesOf = async (id: string) =>
  (await eventsOf(id)).map(({ type }) => type.replace('status_incident.', ''))

describe('events', { concurrency: 8 }, () => {
  test('published, updated and resolved are sent once each, with the incident as it then was', async () => {
    const first = await publish({ components: [affects(a, 'DEGRADED')] })
    const second = await posted(first.id, { status: 'IDENTIFIED' })
    const third = toIncident(await api.patch(`${PATH}/${first.id}`, { title: 'Better' }))
    const fourth = toIncident(await api.patch(`${PATH}/${first.id}`, { status: 'RESOLVED' }))
    const fifth = await posted(first.id, { message: 'What went wrong' })
    const sixth = await posted(first.id, { status: 'MONITORING' })
    const seventh = await posted(first.id, { status: 'RESOLVED' })

    const published = await eventsOf(first.id)
    const states = [first, second, third, fourth, fifth, sixth, seventh]
    assert.deepEqual(
      published.map(({ data }) => data.statusIncident),
      states,
    )
    assert.deepEqual(await typesOf(first.id), [
      'published',
      'updated',
      'updated',
      'resolved',
      'updated',
      'updated',
      'resolved',
    ])
    const updates = [undefined, second, null, fourth, fifth, sixth, seventh].map((state) =>
      state ? state.updates[0] : state,
    )
    assert.deepEqual(
      published.map(({ data }) => data.update),
      updates,
    )
    assert.equal(published[0]?.organizationId, fixture.orgId)
  })

  test('one that is published as RESOLVED is published and resolved', async () => {
    const over = await publish({ status: 'RESOLVED' })
    assert.deepEqual(await typesOf(over.id), ['published', 'resolved'])
    const [, resolved] = await eventsOf(over.id)
    assert.deepEqual(resolved?.data, { statusIncident: over, update: over.updates[0] })
    const silent = toIncident(
      await api.post(PATH, { title: 'x', status: 'RESOLVED', statusPageIds: [page.id] }),
    )
    assert.equal((await eventsOf(silent.id))[1]?.data.update, null)
  })

  test('nothing is published for what changed nothing, was refused or was removed', async () => {
    const incident = await publish()
    await api.patch(`${PATH}/${incident.id}`, incident)
    await api.patch(`${PATH}/${incident.id}`, {})
    await api.patch(`${PATH}/${incident.id}`, { incidentId: 'x' })
    await post(incident.id, { message: '' })
    await api.delete(`${PATH}/${incident.id}`)
    assert.deepEqual(await typesOf(incident.id), ['published'])
  })

  test('an event carries the newest 20 updates', async () => {
    const { id } = await publish()
    for (let n = 1; n <= 21; n++) await posted(id, { message: `M ${n}` })
    const incident = await read(id)
    const last = (await eventsOf(id)).at(-1)
    assert.deepEqual(last?.data.statusIncident.updates, incident.updates.slice(0, 20))
    assert.deepEqual(last?.data.update, incident.updates[0])
  })

  test('an endpoint gets the types it asked for, and nobody else does', async () => {
    const eventTypes = ['status_incident.published', 'status_incident.resolved']
    const own = await api.createEndpoint({ eventTypes })
    const foreign = await other.api.createEndpoint()
    const { id } = await publish()
    await posted(id, { status: 'MONITORING' })
    const over = await posted(id, { status: 'RESOLVED' })
    const deliveries = await api.deliveriesTo(own.id)
    const payloads = await Promise.all(
      deliveries.map(async (delivery) => (await api.getDelivery(delivery.id)).payload),
    )
    const mine = payloads.filter(({ data }) => (data['statusIncident'] as StatusIncident).id === id)
    assert.deepEqual(mine.map(({ type }) => type).toSorted(), eventTypes)
    const resolved = mine.find(({ type }) => type === 'status_incident.resolved')
    assert.deepEqual(resolved?.data['statusIncident'], over)
    assert.deepEqual(await other.api.deliveriesTo(foreign.id), [])
  })
})
