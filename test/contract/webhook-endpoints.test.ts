// Webhook endpoints, as far as possible without sending anything.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { endDelivery } from '../kit/seed.ts'
import { EVENT_TYPES } from '../kit/webhook-shapes.ts'

const fixture = await startProduct()
const { api, db, keys, stack } = fixture
after(() => fixture.stop())

const HOOK = 'https://hooks.example.com/upvane'
const PATH = '/webhook-endpoints'
const create = (body: unknown) => api.post(PATH, body)
const rotate = (id: string) => api.post(`${PATH}/${id}/rotate-secret`)
const DAY_MS = 24 * 3_600_000
const isNow = (text: string | null, name: string) =>
  assert.ok(Math.abs(Date.parse(text ?? '') - Date.now()) < 20_000, `${name} is ${text}`)

describe('createWebhookEndpoint', { concurrency: 8 }, () => {
  test('createWebhookEndpoint 201: the url alone; everything else has its default', async () => {
    const answer = await create({ url: HOOK })
    const { id, secret, secretHint, createdAt, updatedAt, ...rest } = answer.endpointWithSecret
    assert.deepEqual(rest, {
      url: HOOK,
      description: null,
      eventTypes: ['*'],
      enabled: true,
      disabledReason: null,
      previousSecretExpiresAt: null,
      lastSuccessAt: null,
      lastFailureAt: null,
    })
    assert.equal(answer.headers['location'], `/api/v1${PATH}/${id}`)
    assert.equal(Buffer.from(secret.slice('whsec_'.length), 'base64').length, 32)
    assert.equal(createdAt, updatedAt)
    isNow(createdAt, 'createdAt')
    const shown = { ...rest, id, secretHint, createdAt, updatedAt }
    assert.deepEqual(await api.getEndpoint(id), shown)
  })

  test('createWebhookEndpoint 201: every field as sent, also one that starts disabled', async () => {
    const body = {
      url: 'https://HOOKS.example.com:8443/a%20b?c=d&e=ü',
      description: 'Öffnet Tickets 😀',
      eventTypes: ['monitor.down', 'incident.opened', 'monitor.up'],
      enabled: false,
    }
    const { id } = await api.createEndpoint(body)
    const { url, description, eventTypes, enabled, disabledReason } = await api.getEndpoint(id)
    assert.deepEqual({ url, description, eventTypes, enabled }, body)
    assert.equal(disabledReason, 'MANUAL')
  })

  test('create and updateWebhookEndpoint: event types are stored once each, in the order given', async () => {
    const repeated = ['monitor.up', 'incident.opened', 'monitor.up', 'monitor.down', 'monitor.down']
    const once = ['monitor.up', 'incident.opened', 'monitor.down']
    const made = await api.createEndpoint({ eventTypes: repeated })
    assert.deepEqual(made.eventTypes, once)
    assert.deepEqual((await api.getEndpoint(made.id)).eventTypes, once)
    const { id } = await api.createEndpoint()
    const patched = (await api.patch(`${PATH}/${id}`, { eventTypes: repeated })).endpoint
    assert.deepEqual(patched.eventTypes, once)
    assert.deepEqual((await api.getEndpoint(id)).eventTypes, once)
  })

  test('createWebhookEndpoint 201: no two secrets are the same', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => api.createEndpoint()))
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 10)
  })

  test('createWebhookEndpoint 201: what a client may not set is ignored', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const read = { id: 'whe_x', disabledReason: 'GONE', secretHint: 'abcd', lastSuccessAt: 'x' }
    const made = await api.createEndpoint({ ...read, secret, other: 1, organizationId: 'org_x' })
    assert.notEqual(made.secret, secret)
    assert.deepEqual([made.disabledReason, made.lastSuccessAt], [null, null])
  })

  test('createWebhookEndpoint: a replay gives the same bytes, secret included', async () => {
    const headers = { 'Idempotency-Key': `endpoint-${randomUUID()}` }
    const first = await api.post(PATH, { url: HOOK, description: 'Once' }, { headers })
    const replay = await api.post(PATH, { url: HOOK, description: 'Once' }, { headers })
    assert.deepEqual([replay.status, replay.isReplayed, replay.text], [201, true, first.text])
    assert.equal(replay.headers['location'], first.headers['location'])
    const other = await api.post(PATH, { url: HOOK }, { headers })
    assert.equal(other.code, 'idempotency_conflict')
  })
})

describe('webhook fields', { concurrency: 8 }, () => {
  const rows: [name: string, fields: Record<string, unknown>, path: string][] = [
    ['no url', { url: undefined }, 'url'],
    ['a url of null', { url: null }, 'url'],
    ['a url that is a number', { url: 1 }, 'url'],
    ['a description of 501', { description: 'x'.repeat(501) }, 'description'],
    ['a description of 501 beyond the plane', { description: '😀'.repeat(501) }, 'description'],
    ['a description that is a number', { description: 5 }, 'description'],
    ['a description with a zero character', { description: 'a\u0000' }, 'description'],
    ['a description with half a pair', { description: '\ud800' }, 'description'],
    ['no event type', { eventTypes: [] }, 'eventTypes'],
    ['event types of null', { eventTypes: null }, 'eventTypes'],
    ['event types as text', { eventTypes: '*' }, 'eventTypes'],
    ['23 event types', { eventTypes: [...EVENT_TYPES, 'monitor.up'] }, 'eventTypes'],
    ['* with another', { eventTypes: ['*', 'monitor.up'] }, 'eventTypes'],
    ['* after others', { eventTypes: ['monitor.up', 'monitor.down', '*'] }, 'eventTypes'],
    ['* twice', { eventTypes: ['*', '*'] }, 'eventTypes'],
    ['an unknown type', { eventTypes: ['monitor.gone'] }, 'eventTypes.0'],
    ['an unknown type, third', { eventTypes: ['monitor.up', 'monitor.down', 'x'] }, 'eventTypes.2'],
    ['another case', { eventTypes: ['Monitor.up'] }, 'eventTypes.0'],
    ['a group', { eventTypes: ['monitor.*'] }, 'eventTypes.0'],
    ['an empty type', { eventTypes: [''] }, 'eventTypes.0'],
    ['a type of null', { eventTypes: [null] }, 'eventTypes.0'],
    ['enabled as text', { enabled: 'true' }, 'enabled'],
    ['enabled as a number', { enabled: 1 }, 'enabled'],
    ['enabled of null', { enabled: null }, 'enabled'],
  ]
  for (const [name, fields, path] of rows)
    test(`create and updateWebhookEndpoint 400: ${name}, path ${path}`, async () => {
      const created = await create({ url: HOOK, ...fields })
      assert.deepEqual([created.code, ...new Set(created.paths)], ['validation_error', path])
      if (Object.values(fields).includes(undefined)) return
      const before = await api.createEndpoint()
      const patched = await api.patch(`${PATH}/${before.id}`, fields)
      assert.deepEqual([patched.code, ...new Set(patched.paths)], ['validation_error', path])
      const { updatedAt } = await api.getEndpoint(before.id)
      assert.equal(updatedAt, before.updatedAt)
    })

  test('create and updateWebhookEndpoint: descriptions and event types up to their bounds', async () => {
    const inside = [
      { description: null },
      { description: '' },
      { description: 'x'.repeat(500) },
      { description: '😀'.repeat(500) },
      { eventTypes: EVENT_TYPES },
      { eventTypes: ['webhook.test'] },
      { eventTypes: ['*'] },
    ]
    const { id } = await api.createEndpoint()
    for (const fields of inside) {
      const made = await api.createEndpoint(fields)
      const patched = (await api.patch(`${PATH}/${id}`, fields)).endpoint
      for (const [name, value] of Object.entries(fields)) {
        assert.deepEqual(made[name as 'description'], value)
        assert.deepEqual(patched[name as 'description'], value)
      }
    }
  })

  test('createWebhookEndpoint 400: every problem in one answer', async () => {
    const answer = await create({ url: 'http://x/', description: 1, eventTypes: ['a'], enabled: 0 })
    const paths = ['description', 'enabled', 'eventTypes.0', 'url']
    assert.deepEqual([...new Set(answer.paths)].toSorted(), paths)
  })

  test('createWebhookEndpoint 400: a body is required', async () => {
    assert.deepEqual((await api.post(PATH)).paths, ['body'])
    for (const rawBody of ['[]', 'null', '"x"', '{'])
      assert.deepEqual((await api.request('POST', PATH, { rawBody })).paths, ['body'], rawBody)
  })
})

describe('updateWebhookEndpoint', { concurrency: 8 }, () => {
  test('updateWebhookEndpoint 200: changes what is given and keeps the rest, without a secret', async () => {
    const { secret, ...before } = await api.createEndpoint({ description: 'Before' })
    const url = 'https://new.example.com/'
    const answer = await api.patch(`${PATH}/${before.id}`, { url })
    assert.ok(!answer.text.includes(secret))
    const { updatedAt, ...after } = answer.endpoint
    assert.deepEqual({ ...after, updatedAt: before.updatedAt }, { ...before, url })
    assert.ok(updatedAt > before.updatedAt)
    assert.deepEqual(await api.getEndpoint(before.id), answer.endpoint)
  })

  test('updateWebhookEndpoint 200: nothing given or nothing new changes nothing', async () => {
    const { secret: _, ...before } = await api.createEndpoint({ eventTypes: ['monitor.up'] })
    const noChanges = [{}, { url: before.url }, before, { other: 1, secret: 'x', state: 'UP' }]
    for (const body of noChanges)
      assert.deepEqual((await api.patch(`${PATH}/${before.id}`, body)).endpoint, before)
  })

  test('updateWebhookEndpoint 200: a description can be taken away', async () => {
    const { id } = await api.createEndpoint({ description: 'Gone soon' })
    const { endpoint } = await api.patch(`${PATH}/${id}`, { description: null })
    assert.equal(endpoint.description, null)
  })

  test('updateWebhookEndpoint 200: disabled by hand, pending deliveries wait, and enabled again', async () => {
    const { id } = await api.createEndpoint()
    const { id: waiting } = await api.testEndpoint(id)
    const off = (await api.patch(`${PATH}/${id}`, { enabled: false })).endpoint
    assert.deepEqual([off.enabled, off.disabledReason], [false, 'MANUAL'])
    assert.equal((await api.getDelivery(waiting)).status, 'PENDING')
    const again = (await api.patch(`${PATH}/${id}`, { enabled: false })).endpoint
    assert.deepEqual(again, off)
    const on = (await api.patch(`${PATH}/${id}`, { enabled: true })).endpoint
    assert.deepEqual([on.enabled, on.disabledReason], [true, null])
    assert.equal((await api.getDelivery(waiting)).status, 'PENDING')
  })

  for (const reason of ['FAILING', 'GONE'])
    test(`updateWebhookEndpoint 200: enabling one that is ${reason} clears the reason and what was counted`, async () => {
      const { id } = await api.createEndpoint()
      await db.run(
        `update webhook_endpoints
            set enabled = false, disabled_reason = $2, failures_in_a_row = 25, warned_at = now(),
                failing_since = now(), next_probe_at = now(), probe_seconds = 60
          where id = $1`,
        [toUuid(id), reason],
      )
      assert.equal((await api.getEndpoint(id)).disabledReason, reason)
      const edited = (await api.patch(`${PATH}/${id}`, { description: 'Still off' })).endpoint
      assert.deepEqual([edited.enabled, edited.disabledReason], [false, reason])

      const on = (await api.patch(`${PATH}/${id}`, { enabled: true })).endpoint
      assert.deepEqual([on.enabled, on.disabledReason], [true, null])
      const counted = await db.one(
        `select failures_in_a_row, failing_since, next_probe_at, probe_seconds, warned_at
           from webhook_endpoints where id = $1`,
        [toUuid(id)],
      )
      assert.deepEqual(Object.values(counted), [0, null, null, null, null])
    })

  test('getWebhookEndpoint 200: the last success and failure are shown', async () => {
    const { id } = await api.createEndpoint()
    await db.run(
      `update webhook_endpoints set last_success_at = '2026-03-01T10:00:00.5Z',
              last_failure_at = '2026-03-01T09:00:00Z' where id = $1`,
      [toUuid(id)],
    )
    const { lastSuccessAt, lastFailureAt } = await api.getEndpoint(id)
    const expected = ['2026-03-01T10:00:00.500Z', '2026-03-01T09:00:00.000Z']
    assert.deepEqual([lastSuccessAt, lastFailureAt], expected)
  })

  test('updateWebhookEndpoint 400: a body is required', async () => {
    const { id } = await api.createEndpoint()
    assert.deepEqual((await api.request('PATCH', `${PATH}/${id}`)).paths, ['body'])
  })
})

describe('rotateWebhookEndpointSecret', { concurrency: 8 }, () => {
  const ageOldest = (id: string, age: string) =>
    db.one(
      `update webhook_secrets set replaced_at = now() - $2::interval
        where id = (select id from webhook_secrets where endpoint_id = $1 and replaced_at is not null
                     order by replaced_at limit 1) returning id`,
      [toUuid(id), age],
    )

  test('rotateWebhookEndpointSecret 200: a new secret at once, the overlap ends in 24 hours', async () => {
    const first = await api.createEndpoint()
    const { secret, ...second } = (await rotate(first.id)).endpointWithSecret
    assert.notEqual(secret, first.secret)
    const expiresAt = Date.parse(second.previousSecretExpiresAt ?? '')
    assert.ok(Math.abs(expiresAt - Date.now() - DAY_MS) < 20_000, 'in 24 hours')
    const answer = await api.get(`${PATH}/${first.id}`)
    assert.deepEqual(answer.endpoint, second)
    for (const shown of [secret, first.secret]) assert.ok(!answer.text.includes(shown))
    const patched = (await api.patch(`${PATH}/${first.id}`, { description: 'x' })).endpoint
    assert.equal(patched.previousSecretExpiresAt, second.previousSecretExpiresAt)
    assert.equal(patched.secretHint, second.secretHint)
  })

  test('rotateWebhookEndpointSecret: previousSecretExpiresAt is the end of the latest overlap', async () => {
    const { id } = await api.createEndpoint()
    await rotate(id)
    await ageOldest(id, '23 hours 59 minutes')
    const left = Date.parse((await api.getEndpoint(id)).previousSecretExpiresAt ?? '') - Date.now()
    assert.ok(left > 0 && left <= 60_000, `${left} ms left`)
    const { previousSecretExpiresAt } = (await rotate(id)).endpoint
    assert.ok(Date.parse(previousSecretExpiresAt ?? '') - Date.now() > DAY_MS - 20_000)
  })

  test('rotateWebhookEndpointSecret: after 24 hours there is no overlap any more', async () => {
    const { id } = await api.createEndpoint()
    await rotate(id)
    await ageOldest(id, '24 hours')
    assert.equal((await api.getEndpoint(id)).previousSecretExpiresAt, null)
    const page = (await api.get(`${PATH}?limit=100`)).endpoints
    const listed = page.data.find((endpoint) => endpoint.id === id)
    assert.equal(listed?.previousSecretExpiresAt, null)
  })

  test('rotateWebhookEndpointSecret 409: five live secrets are enough; one that expires makes room', async () => {
    const { id } = await api.createEndpoint()
    for (let i = 0; i < 4; i++) assert.equal((await rotate(id)).status, 200)
    const before = await api.getEndpoint(id)
    assert.equal((await rotate(id)).code, 'conflict')
    assert.deepEqual(await api.getEndpoint(id), before)
    await ageOldest(id, '23 hours 59 minutes')
    assert.equal((await rotate(id)).code, 'conflict')
    await ageOldest(id, '24 hours')
    assert.equal((await rotate(id)).status, 200)
    assert.equal((await rotate(id)).code, 'conflict')
    assert.equal(await db.count('webhook_secrets', 'endpoint_id = $1', [toUuid(id)]), 5)
  })

  test('rotateWebhookEndpointSecret 409: of ten at once four pass, each with a secret of its own', async () => {
    const { id, secret } = await api.createEndpoint()
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(id)))
    const passed = answers.filter(({ status }) => status === 200)
    assert.equal(passed.length, 4)
    for (const { status } of answers) assert.ok(status === 200 || status === 409)
    const secrets = passed.map((answer) => answer.endpointWithSecret.secret)
    assert.equal(new Set([...secrets, secret]).size, 5)
    const { secretHint } = await api.getEndpoint(id)
    assert.ok(secrets.some((one) => one.endsWith(secretHint)))
  })

  test('rotateWebhookEndpointSecret: a replay gives the same secret and rotates nothing', async () => {
    const { id } = await api.createEndpoint()
    const options = { headers: { 'Idempotency-Key': `rotate-${randomUUID()}` } }
    const path = `${PATH}/${id}/rotate-secret`
    const first = await api.post(path, undefined, options)
    const replay = await api.post(path, {}, options)
    assert.deepEqual([replay.isReplayed, replay.text], [true, first.text])
    assert.equal(await db.count('webhook_secrets', 'endpoint_id = $1', [toUuid(id)]), 2)
  })

  test('rotateWebhookEndpointSecret 200: a disabled endpoint too', async () => {
    const { id } = await api.createEndpoint({ enabled: false })
    const { enabled, disabledReason } = (await rotate(id)).endpoint
    assert.deepEqual([enabled, disabledReason], [false, 'MANUAL'])
  })
})

describe('testWebhookEndpoint', { concurrency: 8 }, () => {
  for (const enabled of [true, false])
    test(`testWebhookEndpoint 200: one delivery to ${enabled ? 'an enabled' : 'a disabled'} endpoint, whatever it subscribes to`, async () => {
      const eventTypes = ['monitor.down']
      const { id } = await api.createEndpoint({ enabled, eventTypes })
      const { id: listening } = await api.createEndpoint()
      const delivery = await api.testEndpoint(id)
      const { createdAt, nextAttemptAt, id: deliveryId, eventId, ...rest } = delivery
      assert.deepEqual(rest, {
        endpointId: id,
        eventType: 'webhook.test',
        status: 'PENDING',
        attemptCount: 0,
        lastAttemptAt: null,
        lastResponseStatus: null,
        lastError: null,
        completedAt: null,
      })
      isNow(createdAt, 'createdAt')
      isNow(nextAttemptAt, 'nextAttemptAt')
      assert.deepEqual(await api.deliveriesTo(id), [delivery])
      assert.equal(await db.count('deliveries', 'event_id = $1', [toUuid(eventId)]), 1)
      const others = (await api.deliveriesTo(listening)).map((other) => other.eventType)
      assert.ok(!others.includes('webhook.test'))
      const { payload, attempts, url } = await api.getDelivery(deliveryId)
      assert.deepEqual(payload.data, { message: 'Test event', endpointId: id })
      assert.deepEqual([payload.organizationId, url, attempts], [fixture.orgId, HOOK, []])
    })

  test('testWebhookEndpoint 200: each call queues its own; a replay does not', async () => {
    const { id } = await api.createEndpoint({ eventTypes: ['monitor.down'] })
    const options = { headers: { 'Idempotency-Key': `test-${randomUUID()}` } }
    const first = await api.post(`${PATH}/${id}/test`, undefined, options)
    const replay = await api.post(`${PATH}/${id}/test`, undefined, options)
    assert.deepEqual([replay.isReplayed, replay.text], [true, first.text])
    const second = await api.testEndpoint(id)
    assert.notEqual(second.eventId, first.delivery.eventId)
    assert.equal((await api.deliveriesTo(id)).length, 2)
  })
})

describe('deleteWebhookEndpoint', { concurrency: 8 }, () => {
  test('deleteWebhookEndpoint 200: it is gone, what was pending is canceled, the log stays', async () => {
    const { id } = await api.createEndpoint({ eventTypes: ['monitor.down'] })
    const [done, failed, waiting] = [
      await api.testEndpoint(id),
      await api.testEndpoint(id),
      await api.testEndpoint(id),
    ]
    await endDelivery(db, done.id, 'SUCCEEDED')
    await endDelivery(db, failed.id, 'FAILED')
    const before = await api.getDelivery(failed.id)
    assert.deepEqual((await api.delete(`${PATH}/${id}`)).json, { data: { id } })

    assert.equal((await api.get(`${PATH}/${id}`)).code, 'not_found')
    assert.equal((await api.delete(`${PATH}/${id}`)).code, 'not_found')
    assert.equal((await api.patch(`${PATH}/${id}`, {})).code, 'not_found')
    assert.equal((await rotate(id)).code, 'not_found')
    assert.equal((await api.post(`${PATH}/${id}/test`)).code, 'not_found')
    const canceled = await api.getDelivery(waiting.id)
    assert.deepEqual([canceled.status, canceled.lastError], ['FAILED', 'ENDPOINT_DELETED'])
    assert.deepEqual([canceled.attemptCount, canceled.endpointId], [0, id])
    isNow(canceled.completedAt, 'completedAt')
    assert.equal((await api.getDelivery(done.id)).status, 'SUCCEEDED')
    assert.deepEqual(await api.getDelivery(failed.id), before)
    assert.equal((await api.deliveriesTo(id)).length, 3)
  })

  test('deleteWebhookEndpoint: a replay is no 404; its secrets are gone', async () => {
    const { id } = await api.createEndpoint()
    const options = { headers: { 'Idempotency-Key': `delete-${randomUUID()}` } }
    await api.delete(`${PATH}/${id}`, options)
    const replay = await api.delete(`${PATH}/${id}`, options)
    assert.deepEqual([replay.status, replay.isReplayed], [200, true])
    assert.equal(await db.count('webhook_secrets', 'endpoint_id = $1', [toUuid(id)]), 0)
  })
})

describe('bodies of rotate-secret and test', { concurrency: 8 }, () => {
  for (const action of ['rotate-secret', 'test']) {
    test(`${action} 200: without a body, with an empty one and with {}`, async () => {
      const { id } = await api.createEndpoint()
      const plain = { 'Content-Type': 'text/plain' }
      for (const ask of [{}, { rawBody: '', headers: plain }, { rawBody: '{}' }])
        assert.equal((await api.request('POST', `${PATH}/${id}/${action}`, ask)).status, 200)
    })

    test(`${action} 400: anything else in the body, and nothing is done`, async () => {
      const { id } = await api.createEndpoint()
      const rows: [rawBody: string, path: string][] = [
        ['{"secret":"whsec_x"}', 'secret'],
        ['{"__proto__":{}}', '__proto__'],
        ['[]', 'body'],
        ['null', 'body'],
        ['"x"', 'body'],
        ['{', 'body'],
      ]
      for (const [rawBody, path] of rows) {
        const answer = await api.request('POST', `${PATH}/${id}/${action}`, { rawBody })
        assert.deepEqual(answer.paths, [path], rawBody)
      }
      const ask = { rawBody: '{}', headers: { 'Content-Type': 'text/plain' } }
      const typed = await api.request('POST', `${PATH}/${id}/${action}`, ask)
      assert.deepEqual(typed.paths, ['content-type'])
      assert.deepEqual(await api.deliveriesTo(id), [])
      assert.equal(await db.count('webhook_secrets', 'endpoint_id = $1', [toUuid(id)]), 1)
    })
  }
})

describe('listWebhookEndpoints', { concurrency: 8 }, async () => {
  const { api: owner } = await fixture.createOrganization()
  const made: string[] = []
  for (const enabled of [true, false, true, false, true])
    made.unshift((await owner.createEndpoint({ enabled })).id)
  const on = made.filter((_, i) => i % 2 === 0)
  const off = made.filter((_, i) => i % 2 === 1)

  const rows: [query: string, ids: string[], total: number][] = [
    ['', made, 5],
    ['?enabled=true', on, 3],
    ['?enabled=false', off, 2],
    ['?limit=2', made.slice(0, 2), 5],
    ['?limit=2&offset=2', made.slice(2, 4), 5],
    ['?limit=2&offset=4', made.slice(4), 5],
    ['?offset=5', [], 5],
    ['?enabled=false&limit=1&offset=1', off.slice(1), 2],
    ['?other=1&secret=x', made, 5],
  ]
  for (const [query, ids, total] of rows)
    test(`listWebhookEndpoints 200: ${query || 'all'}, newest first`, async () => {
      const { data, pagination } = (await owner.get(`${PATH}${query}`)).endpoints
      assert.deepEqual(
        data.map(({ id }) => id),
        ids,
      )
      assert.equal(pagination.total, total)
    })

  test('listWebhookEndpoints 200: an item is what get shows', async () => {
    const [first] = (await owner.get(`${PATH}?limit=1`)).endpoints.data
    assert.deepEqual(first, await owner.getEndpoint(made[0] ?? ''))
  })

  test('listWebhookEndpoints 400: a filter or page with a bad value', async () => {
    for (const value of ['', '1', 'TRUE', 'yes', 'true,false', 'null', 'true&enabled=false'])
      assert.deepEqual((await owner.get(`${PATH}?enabled=${value}`)).paths, ['enabled'], value)
    assert.deepEqual((await owner.get(`${PATH}?limit=101`)).paths, ['limit'])
    assert.deepEqual((await owner.get(`${PATH}?offset=-1`)).paths, ['offset'])
  })
})

describe('webhook endpoints: plan, subscription, access', () => {
  test('createWebhookEndpoint 422: the free plan holds 2, disabled ones count, one that goes makes room', async () => {
    const free = api.as(keys.freePlan)
    const { id } = await free.createEndpoint({ enabled: false })
    await free.createEndpoint()
    assert.equal((await free.post(PATH, { url: HOOK })).code, 'plan_limit')
    assert.equal((await free.post(PATH, { url: 'x' })).code, 'validation_error')
    assert.equal((await free.patch(`${PATH}/${id}`, { enabled: true })).status, 200)
    await free.delete(`${PATH}/${id}`)
    await free.createEndpoint()
    assert.equal((await free.post(PATH, { url: HOOK })).code, 'plan_limit')
    assert.equal((await free.get(PATH)).endpoints.pagination.total, 2)
  })

  test('createWebhookEndpoint 422: of 50 at once over two processes the last place goes to one', async () => {
    const { api: free, key, uuid } = await fixture.createOrganization('FREE')
    await free.createEndpoint()
    const clients = [free, (await fixture.startApi()).as(key)]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (clients[i % 2] ?? free).post(PATH, { url: HOOK })),
    )
    const codes = answers.map((answer) => (answer.status === 201 ? 'made' : answer.code))
    assert.equal(codes.filter((code) => code === 'made').length, 1)
    assert.equal(codes.filter((code) => code === 'plan_limit').length, 49)
    assert.equal(await db.count('webhook_endpoints', 'org_id = $1', [uuid]), 2)
    assert.equal(await db.count('webhook_secrets', 'org_id = $1', [uuid]), 2)
  })

  test('422 subscription_required: every write but DELETE; reading still works', async () => {
    const { api: owner, uuid } = await fixture.createOrganization()
    const { id } = await owner.createEndpoint()
    const { id: deliveryId } = await owner.testEndpoint(id)
    await db.run(`update subscriptions set status = 'NONE' where org_id = $1`, [uuid])
    const answers = [
      await owner.post(PATH, { url: HOOK }),
      await owner.patch(`${PATH}/${id}`, {}),
      await owner.post(`${PATH}/${id}/rotate-secret`),
      await owner.post(`${PATH}/${id}/test`),
      await owner.post(`/webhook-deliveries/${deliveryId}/retry`),
    ]
    for (const { code } of answers) assert.equal(code, 'subscription_required')
    assert.equal((await owner.getEndpoint(id)).id, id)
    assert.equal((await owner.getDelivery(deliveryId)).id, deliveryId)
    assert.equal((await owner.delete(`${PATH}/${id}`)).status, 200)
  })

  test('a read-only key sees every endpoint and no secret, and is refused every write', async () => {
    const readOnly = api.as(keys.readOnly)
    const { id, secret } = await api.createEndpoint()
    const answers = [await readOnly.get(`${PATH}/${id}`), await readOnly.get(PATH)]
    for (const answer of answers) {
      assert.ok(answer.text.includes(id))
      assert.ok(!answer.text.includes(secret))
    }
    const writes = [
      await readOnly.post(PATH, { url: HOOK }),
      await readOnly.patch(`${PATH}/${id}`, { enabled: false }),
      await readOnly.delete(`${PATH}/${id}`),
      await readOnly.post(`${PATH}/${id}/rotate-secret`),
      await readOnly.post(`${PATH}/${id}/test`),
    ]
    for (const { code } of writes) assert.equal(code, 'forbidden')
    assert.deepEqual(await api.deliveriesTo(id), [])
  })

  test('secrets lie nowhere in the open: not in any row, not in the stored answers, not in the log', async () => {
    const { api: owner, uuid } = await fixture.createOrganization()
    const options = { headers: { 'Idempotency-Key': 'at-rest' } }
    const { id, secret } = (await owner.post(PATH, { url: HOOK }, options)).endpointWithSecret
    await owner.testEndpoint(id)
    const raw = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const needles = [secret, Buffer.from(secret).toString('hex'), raw.toString('hex')]
    for (const table of ['webhook_secrets', 'idempotency_records', 'webhook_endpoints', 'events']) {
      const rows = await db.run<{ row: string }>(
        `select to_jsonb(t)::text as row from ${table} t where org_id = $1`,
        [uuid],
      )
      assert.ok(rows.length > 0, `${table} proves nothing when empty`)
      for (const { row } of rows)
        for (const needle of needles) assert.ok(!row.includes(needle), `${table}: ${row}`)
    }
    for (const file of globSync(join(stack.directory, 'service-*.log')))
      assert.ok(!readFileSync(file, 'utf8').includes(secret))
  })
})
