// Which endpoints an event is queued for, and the delivery log. Nothing is sent here: no dispatcher runs.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { breakMonitor, endDelivery, seedAttempt } from '../kit/seed.ts'
import type { DeliveryDetail } from '../kit/webhook-shapes.ts'

const fixture = await startProduct()
const { api, db, keys } = fixture
after(() => fixture.stop())

const PATH = '/webhook-deliveries'
const retry = (id: string) => api.post(`${PATH}/${id}/retry`)
const silent = { eventTypes: ['maintenance.scheduled'] }
const isNow = (text: string | null, name: string) =>
  assert.ok(Math.abs(Date.parse(text ?? '') - Date.now()) < 20_000, `${name} is ${text}`)

/** A delivery to an endpoint that receives nothing else. */
async function queued(): Promise<{ endpointId: string; id: string }> {
  const { id: endpointId } = await api.createEndpoint(silent)
  return { endpointId, id: (await api.testEndpoint(endpointId)).id }
}

describe('events are queued for the endpoints that want them', () => {
  test('each endpoint gets the types it subscribes to, once, and the event ids sort', async () => {
    const { api: owner, id: org } = await fixture.createOrganization()
    const stranger = await fixture.createOrganization()
    const { id: foreign } = await stranger.api.createEndpoint()
    const make = async (fields: object) => (await owner.createEndpoint({ ...fields })).id
    const everything = await make({})
    const paused = await make({ eventTypes: ['monitor.paused', 'monitor.up'] })
    const deaf = await make({ eventTypes: ['monitor.up', 'webhook.test'] })
    const off = await make({ enabled: false })

    const { id } = await owner.createMonitor()
    await owner.patch(`/monitors/${id}`, { name: 'Renamed' })
    await owner.patch(`/monitors/${id}`, {})
    await owner.post(`/monitors/${id}/pause`, {})
    await owner.post(`/monitors/${id}/pause`, {})
    await owner.post(`/monitors/${id}/resume`, {})
    const incident = await breakMonitor(db, org, id)
    await owner.post(`/incidents/${incident}/acknowledge`)
    await owner.delete(`/monitors/${id}`)

    // Deliveries of one transaction have equal timestamps; the ids of their events give the order.
    const typesTo = async (endpointId: string) =>
      (await owner.deliveriesTo(endpointId))
        .toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1))
        .map(({ eventType }) => eventType)
    assert.deepEqual(await typesTo(everything), [
      'monitor.created',
      'monitor.updated',
      'monitor.updated', // every PATCH publishes an event, even one that changes nothing
      'monitor.paused',
      'monitor.resumed',
      'incident.acknowledged',
      'incident.resolved',
      'monitor.deleted',
    ])
    assert.deepEqual(await typesTo(paused), ['monitor.paused'])
    assert.deepEqual(await typesTo(deaf), [])
    assert.deepEqual(await typesTo(off), [])
    assert.deepEqual(await stranger.api.deliveriesTo(foreign), [])
    assert.deepEqual(await owner.deliveriesTo(foreign), [])
  })

  test('what changed reaches new events alone: subscriptions, addresses, enabling and deleting', async () => {
    const { api: owner, uuid } = await fixture.createOrganization()
    const { id } = await owner.createEndpoint({ eventTypes: ['monitor.deleted'] })
    const patch = (body: object) => owner.patch(`/webhook-endpoints/${id}`, body)
    const monitor = () => owner.createMonitor()
    const count = async () => (await owner.deliveriesTo(id)).length

    await monitor()
    assert.equal(await count(), 0, 'not subscribed')
    await patch({ eventTypes: ['monitor.created'] })
    await monitor()
    assert.equal(await count(), 1, 'subscribed')
    await patch({ enabled: false })
    await monitor()
    assert.equal(await count(), 1, 'disabled')
    await patch({ enabled: true, url: 'https://new.example.com/' })
    await monitor()
    assert.equal(await count(), 2, 'enabled again; the missed one is not made up for')
    const [newest] = await owner.deliveriesTo(id)
    assert.equal((await owner.getDelivery(newest?.id ?? '')).url, 'https://new.example.com/')
    await owner.delete(`/webhook-endpoints/${id}`)
    await monitor()
    assert.equal(await count(), 2, 'deleted')
    assert.equal(
      await db.count('events', 'org_id = $1', [uuid]),
      5,
      'the events are published anyway',
    )
  })

  test('a request that is refused or only replayed queues nothing', async () => {
    const { api: owner } = await fixture.createOrganization()
    const { id } = await owner.createEndpoint()
    const headers = { 'Idempotency-Key': `once-${randomUUID()}` }
    const body = { name: 'x', type: 'CRON' }
    await owner.post('/monitors', body, { headers })
    await owner.post('/monitors', body, { headers })
    await owner.post('/monitors', { ...body, name: '' })
    await owner.delete('/monitors/mon_unknown')
    assert.equal((await owner.deliveriesTo(id)).length, 1)
  })
})

describe('listWebhookDeliveries', { concurrency: 8 }, async () => {
  const { api: owner } = await fixture.createOrganization()
  const other = api.as(keys.otherOrganization)
  const { id: foreign } = await other.createEndpoint(silent)
  const first = (await owner.createEndpoint({ eventTypes: ['monitor.created'] })).id
  const second = (await owner.createEndpoint(silent)).id
  const at = (time: string) => new Date(`2026-03-01T${time}Z`)
  await owner.createMonitor()
  const [created] = await owner.deliveriesTo(first)
  const a = created?.id ?? ''
  const b = (await owner.testEndpoint(first)).id
  const c = (await owner.testEndpoint(second)).id
  const d = (await owner.testEndpoint(second)).id
  await endDelivery(db, b, 'SUCCEEDED')
  await endDelivery(db, c, 'FAILED')
  // The last two have equal timestamps: the larger id comes first.
  const times: [id: string, at: Date][] = [
    [a, at('10:00:00.000')],
    [b, at('11:00:00.500')],
    [c, at('12:00:00.000')],
    [d, at('12:00:00.000')],
  ]
  for (const [id, when] of times)
    await db.run('update deliveries set created_at = $2 where id = $1', [toUuid(id), when])
  const newest = [...[c, d].toSorted().toReversed(), b, a]
  const only = (...ids: string[]) => newest.filter((id) => ids.includes(id))

  const rows: [query: string, expected: string[]][] = [
    ['', newest],
    [`endpointId=${first}`, [b, a]],
    [`endpointId=${second}`, only(c, d)],
    [`endpointId=${foreign}`, []],
    ['endpointId=whe_00000000000000000000000000', []],
    ['endpointId=nonsense', []],
    [`endpointId=${a}`, []],
    ['status=PENDING', only(d, a)],
    ['status=SUCCEEDED', [b]],
    ['status=FAILED', [c]],
    ['status=FAILED,SUCCEEDED', only(c, b)],
    ['eventType=monitor.created', [a]],
    ['eventType=webhook.test', only(b, c, d)],
    ['eventType=webhook.test,monitor.created', newest],
    ['eventType=monitor.down', []],
    ['createdAfter=2026-03-01T12:00:00Z', only(c, d)],
    ['createdAfter=2026-03-01T12:00:00.001Z', []],
    ['createdBefore=2026-03-01T11:00:00.500Z', [a]],
    ['createdBefore=2026-03-01T11:00:00.501Z', [b, a]],
    ['createdAfter=2026-03-01T11:00Z&createdBefore=2026-03-01T12:00Z', [b]],
    ['createdAfter=2026-03-01T14:00:00%2B02:00', only(c, d)],
    [`endpointId=${second}&status=PENDING&eventType=webhook.test`, [d]],
    ['other=1&organizationId=org_x', newest],
  ]
  for (const [query, expected] of rows)
    test(`listWebhookDeliveries 200: ${query || 'all, newest first'} finds ${expected.length}`, async () => {
      const { data, pagination } = (await owner.get(`${PATH}?${query}`)).deliveries
      assert.deepEqual(
        data.map(({ id }) => id),
        expected,
      )
      assert.deepEqual(pagination, { limit: 25, offset: 0, total: expected.length })
    })

  test('listWebhookDeliveries 200: pages of one see each once, with the total of the filter', async () => {
    for (const [offset, id] of newest.entries()) {
      const page = (await owner.get(`${PATH}?limit=1&offset=${offset}`)).deliveries
      assert.deepEqual([page.data[0]?.id, page.pagination.total], [id, 4])
    }
    const { data, pagination } = (await owner.get(`${PATH}?status=FAILED&offset=1`)).deliveries
    assert.deepEqual([data, pagination.total], [[], 1])
  })

  const refused: [query: string, path: string][] = [
    ['endpointId=', 'endpointId'],
    [`endpointId=${first}&endpointId=${second}`, 'endpointId'],
    ['status=', 'status'],
    ['status=pending', 'status'],
    ['status=PENDING,', 'status'],
    ['status=CANCELED', 'status'],
    ['eventType=', 'eventType'],
    ['eventType=*', 'eventType'],
    ['eventType=monitor.gone', 'eventType'],
    ['eventType=monitor.up,x', 'eventType'],
    ['createdAfter=2026-03-01', 'createdAfter'],
    ['createdAfter=2026-02-30T00:00:00Z', 'createdAfter'],
    ['createdBefore=yesterday', 'createdBefore'],
    ['createdBefore=2026-03-01T12:00:00', 'createdBefore'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=100001', 'offset'],
  ]
  for (const [query, path] of refused)
    test(`listWebhookDeliveries 400: ${query}, path ${path}`, async () => {
      const { paths } = await owner.get(`${PATH}?${query}`)
      const names = paths.map((found) => found.replace(/\.\d+$/, ''))
      assert.deepEqual([...new Set(names)], [path])
    })

  test('an item of the list is the detail without url, payload and attempts', async () => {
    for (const item of (await owner.get(PATH)).deliveries.data) {
      const { url: _, payload: __, attempts: ___, ...rest } = await owner.getDelivery(item.id)
      assert.deepEqual(item, rest)
    }
  })
})

describe('getWebhookDelivery', { concurrency: 8 }, () => {
  test('getWebhookDelivery 200: the payload is the event, with what is secret masked', async () => {
    const { api: owner, id: org } = await fixture.createOrganization()
    const { id: endpointId } = await owner.createEndpoint()
    const requestHeaders = { Authorization: 'Bearer hidden-from-receivers' }
    const fields = { type: 'HTTP', url: 'https://example.com/', requestHeaders }
    const monitor = await owner.createMonitor({ ...fields, requestBody: 'hidden-too' })
    const [queuedOne] = await owner.deliveriesTo(endpointId)
    const answer = await owner.get(`${PATH}/${queuedOne?.id}`)
    const { payload, url, attempts } = answer.deliveryDetail
    const [event] = await db.eventsOf(monitor.id)
    assert.deepEqual(payload, event)
    assert.equal(payload.organizationId, org)
    assert.deepEqual(payload.data['monitor'], {
      ...monitor,
      requestHeaders: { Authorization: '***' },
      requestBody: null,
    })
    assert.deepEqual([url, attempts], ['https://hooks.example.com/upvane', []])
    assert.ok(!answer.text.includes('hidden'))
  })

  test('getWebhookDelivery 200: every attempt that has ended, oldest first', async () => {
    const { id } = await queued()
    const started = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second, 250))
    const failure = { outcome: 'FAILED' as const, responseStatus: null }
    await seedAttempt(db, id, {
      number: 3,
      startedAt: started(40),
      trigger: 'MANUAL',
      responseStatus: 204,
    })
    await seedAttempt(db, id, { number: 4, startedAt: started(50), outcome: null })
    await seedAttempt(db, id, {
      ...failure,
      number: 1,
      startedAt: started(0),
      responseStatus: 500,
      responseBody: '<ü>'.repeat(4096),
      errorCode: 'BAD_STATUS',
      error: 'HTTP 500, expected 2xx',
    })
    await seedAttempt(db, id, {
      ...failure,
      number: 2,
      startedAt: started(5),
      errorCode: 'WORKER_LOST',
      error: 'The attempt was cut off.',
    })
    const { attempts } = await api.getDelivery(id)
    const shown = attempts.map((attempt) => Object.values(attempt).slice(1))
    const [first, second, third] = ['00.250Z', '05.250Z', '40.250Z'].map(
      (rest) => `2026-03-01T10:00:${rest}`,
    )
    const [lost, bad] = ['The attempt was cut off.', 'HTTP 500, expected 2xx']
    // biome-ignore format: a table is read by its columns
    assert.deepEqual(shown, [
      [1, 'AUTOMATIC', first,  84, 'FAILED',    500,  '<ü>'.repeat(4096), 'BAD_STATUS',  bad],
      [2, 'AUTOMATIC', second, 84, 'FAILED',    null, null,               'WORKER_LOST', lost],
      [3, 'MANUAL',    third,  84, 'SUCCEEDED', 204,  null,               null,          null],
    ])
    assert.equal(new Set(attempts.map((attempt) => attempt.id)).size, 3)
  })

  const operations: [method: string, suffix: string][] = [
    ['GET', ''],
    ['POST', '/retry'],
  ]
  for (const [method, suffix] of operations)
    test(`${method} /webhook-deliveries/{deliveryId}${suffix} 404: another organization's looks like none`, async () => {
      const other = api.as(keys.otherOrganization)
      const { id, endpointId } = await queued()
      const unknown = 'whd_00000000000000000000000000'
      const ids = [id, unknown, 'x', '%00', '__proto__', endpointId, id.replace('whd', 'wha')]
      const answers = await Promise.all(
        ids.map((one) => other.request(method, `${PATH}/${one}${suffix}`)),
      )
      const texts = answers.map(({ text }) => text.replace(/req_[0-9a-z]+/, ''))
      assert.equal(answers[0]?.code, 'not_found')
      assert.equal(new Set(texts).size, 1)
      assert.deepEqual((await api.get(`${PATH}/%zz`)).paths, ['deliveryId'])
    })
})

describe('retryWebhookDelivery', { concurrency: 8 }, () => {
  const retried = (before: DeliveryDetail, after: DeliveryDetail) => {
    const { status, nextAttemptAt, completedAt, ...rest } = after
    assert.deepEqual([status, completedAt], ['PENDING', null])
    isNow(nextAttemptAt, 'nextAttemptAt')
    const { status: _, nextAttemptAt: __, completedAt: ___, ...kept } = before
    assert.deepEqual(rest, kept)
  }

  for (const status of ['SUCCEEDED', 'FAILED'] as const)
    test(`retryWebhookDelivery 200: one that ${status} is pending again, due now, its past kept`, async () => {
      const { id } = await queued()
      await seedAttempt(db, id, { number: 1, startedAt: new Date(), outcome: status })
      await endDelivery(db, id, status)
      const before = await api.getDelivery(id)
      const answer = await retry(id)
      retried(before, answer.deliveryDetail)
      assert.equal(answer.deliveryDetail.attempts.length, 1)
      assert.deepEqual(await api.getDelivery(id), answer.deliveryDetail)
    })

  test('retryWebhookDelivery 200: one that waits is pulled to now', async () => {
    const { id } = await queued()
    await db.run(
      `update deliveries set next_attempt_at = now() + interval '4 hours', attempt_count = 6 where id = $1`,
      [toUuid(id)],
    )
    const before = await api.getDelivery(id)
    assert.ok(Date.parse(before.nextAttemptAt ?? '') > Date.now() + 3_600_000)
    retried(before, (await retry(id)).deliveryDetail)
    const again = (await retry(id)).deliveryDetail
    retried(before, again)
  })

  test('retryWebhookDelivery: a replay gives the same bytes', async () => {
    const { id } = await queued()
    await endDelivery(db, id, 'FAILED')
    const options = { headers: { 'Idempotency-Key': `retry-${randomUUID()}` } }
    const first = await api.post(`${PATH}/${id}/retry`, undefined, options)
    await endDelivery(db, id, 'SUCCEEDED')
    const replay = await api.post(`${PATH}/${id}/retry`, {}, options)
    assert.deepEqual([replay.isReplayed, replay.text], [true, first.text])
    assert.equal((await api.getDelivery(id)).status, 'SUCCEEDED')
  })

  for (const reason of ['MANUAL', 'FAILING', 'GONE'])
    test(`retryWebhookDelivery 409: the endpoint is disabled (${reason}); enabling it helps`, async () => {
      const { id, endpointId } = await queued()
      await endDelivery(db, id, 'FAILED')
      await db.run(
        'update webhook_endpoints set enabled = false, disabled_reason = $2 where id = $1',
        [toUuid(endpointId), reason],
      )
      const before = await api.getDelivery(id)
      assert.equal((await retry(id)).code, 'conflict')
      assert.deepEqual(await api.getDelivery(id), before)
      await api.patch(`/webhook-endpoints/${endpointId}`, { enabled: true })
      retried(before, (await retry(id)).deliveryDetail)
    })

  test('retryWebhookDelivery 409: a pending one too, and a test of a disabled endpoint', async () => {
    const { id: endpointId } = await api.createEndpoint({ ...silent, enabled: false })
    const { id } = await api.testEndpoint(endpointId)
    assert.equal((await retry(id)).code, 'conflict')
    assert.equal((await api.getDelivery(id)).status, 'PENDING')
  })

  test('retryWebhookDelivery 409: the endpoint was deleted', async () => {
    const { id, endpointId } = await queued()
    const done = await api.testEndpoint(endpointId)
    await endDelivery(db, done.id, 'SUCCEEDED')
    await api.delete(`/webhook-endpoints/${endpointId}`)
    for (const each of [id, done.id]) {
      const before = await api.getDelivery(each)
      assert.equal((await retry(each)).code, 'conflict')
      assert.deepEqual(await api.getDelivery(each), before)
    }
  })

  test('retryWebhookDelivery: racing the deletion of its endpoint, nothing is left waiting', async () => {
    const { id: endpointId } = await api.createEndpoint(silent)
    const ids: string[] = []
    for (let i = 0; i < 24; i++) {
      const { id } = await api.testEndpoint(endpointId)
      await endDelivery(db, id, 'FAILED')
      ids.push(id)
    }
    const retries = ids.map(retry)
    const [removed, ...answers] = await Promise.all([
      api.delete(`/webhook-endpoints/${endpointId}`),
      ...retries,
    ])
    assert.equal(removed.status, 200)
    for (const { status } of answers) assert.ok(status === 200 || status === 409)
    const where = `endpoint_id = $1 and status = 'PENDING'`
    assert.equal(await db.count('deliveries', where, [toUuid(endpointId)]), 0)
  })

  test('retryWebhookDelivery: without a body, with an empty one and with {}; nothing else', async () => {
    const { id } = await queued()
    const path = `${PATH}/${id}/retry`
    const plain = { 'Content-Type': 'text/plain' }
    for (const ask of [{}, { rawBody: '', headers: plain }, { rawBody: '{}' }])
      assert.equal((await api.request('POST', path, ask)).status, 200)
    const rows: [rawBody: string, path: string][] = [
      ['{"now":true}', 'now'],
      ['{"__proto__":{}}', '__proto__'],
      ['[]', 'body'],
      ['null', 'body'],
      ['{', 'body'],
    ]
    for (const [rawBody, at] of rows)
      assert.deepEqual((await api.request('POST', path, { rawBody })).paths, [at], rawBody)
    const typed = await api.request('POST', path, { rawBody: '{}', headers: plain })
    assert.deepEqual(typed.paths, ['content-type'])
  })

  test('a read-only key reads the log and retries nothing', async () => {
    const readOnly = api.as(keys.readOnly)
    const { id } = await queued()
    await endDelivery(db, id, 'FAILED')
    assert.deepEqual(await readOnly.getDelivery(id), await api.getDelivery(id))
    assert.ok((await readOnly.get(PATH)).deliveries.data.length > 0)
    assert.equal((await readOnly.post(`${PATH}/${id}/retry`)).code, 'forbidden')
    assert.equal((await api.getDelivery(id)).status, 'FAILED')
  })

  test('eventId is the id of the stored event', async () => {
    const { id } = await queued()
    const { eventId } = await api.getDelivery(id)
    const row = await db.one<{ id: string; body: string }>(
      'select id, body from events where id = $1',
      [toUuid(eventId)],
    )
    assert.equal(toId('evt', row.id), eventId)
    assert.deepEqual(JSON.parse(row.body), (await api.getDelivery(id)).payload)
  })
})
