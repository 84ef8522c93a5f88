// What a receiver sees of an event, and what its organization sees of the delivery.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Script, startWeb } from '../../kit/targets/web.ts'
import type { DeliveryDetail } from '../../kit/webhook-shapes.ts'
import { SCHEDULE_SECONDS, startWebhookFixture, verify } from './fixture.ts'

// What a busy machine adds to a wait: the claim every 100 ms, and work of other processes.
const SLACK_SECONDS = 3

const web = await startWeb()
const fixture = await startWebhookFixture()
after(async () => {
  await fixture.stop()
  await web.close()
})

/** A separate organization with one endpoint for all events, on its own page. */
async function receiver(script: Script) {
  const page = web.page(script)
  const { api } = await fixture.createOrganization()
  const endpoint = await api.createEndpoint({ url: page.url })
  const deliveries = () => api.deliveriesTo(endpoint.id)
  return {
    page,
    api,
    ...endpoint,
    /** Causes an event in the product; returns its delivery. */
    async publish(): Promise<string> {
      await api.createMonitor()
      return (await deliveries())[0]?.id ?? ''
    },
    test: async () => (await api.testEndpoint(endpoint.id)).id,
    ended: (deliveryId: string) => fixture.ended(deliveryId, api),
  }
}

const codesOf = ({ attempts }: DeliveryDetail) => attempts.map(({ errorCode }) => errorCode)

test('the vector of the contract verifies with the independent library', () => {
  const id = 'evt_01hzy3v9k2m4n6p8q0r2s4t6v8'
  const body = `{"id":"${id}","type":"webhook.test","timestamp":"2026-11-14T22:39:00.000Z","apiVersion":"v1","organizationId":"org_x","data":{"message":"Test event","endpointId":"whe_x"}}`
  const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
  const signature = new Webhook(secret).sign(id, new Date(1_794_695_940_000), body)
  assert.equal(signature, 'v1,7b+xEnXcNt4SwR+b5LQwkjKoP84SkXYE/dR8tH4L3e0=')
})

describe('deliveries', { concurrency: 4 }, () => {
  test('an event arrives as a signed POST of its exact bytes, and is shown as delivered', async () => {
    const { page, api, id, secret, publish, ended } = await receiver({ body: 'thank you' })
    const delivery = await ended(await publish())
    const [request, ...more] = page.seen
    assert.ok(request !== undefined && more.length === 0)
    assert.equal(request.method, 'POST')
    assert.equal(request.headers['content-type'], 'application/json')
    assert.match(request.headers['user-agent'] ?? '', /^Upvane\//)
    assert.equal(request.headers['webhook-id'], delivery.eventId)
    assert.equal(verify(request, secret).id, delivery.eventId)
    assert.deepEqual(JSON.parse(request.body), delivery.payload)
    assert.deepEqual([delivery.status, delivery.url], ['SUCCEEDED', page.url])
    const [attempt] = delivery.attempts
    assert.deepEqual(
      [attempt?.outcome, attempt?.responseStatus, attempt?.responseBody, attempt?.trigger],
      ['SUCCEEDED', 200, 'thank you', 'AUTOMATIC'],
    )
    assert.ok((await api.getEndpoint(id)).lastSuccessAt !== null)
  })

  test('ten attempts inside the jitter, the same id and bytes, a new signature each, then FAILED', async () => {
    const { page, secret, publish, ended } = await receiver({ status: 500 })
    const delivery = await ended(await publish())
    assert.equal(delivery.status, 'FAILED')
    assert.deepEqual(codesOf(delivery), Array(10).fill('BAD_STATUS'))
    assert.equal(page.seen.length, 10)
    assert.equal(new Set(page.seen.map(({ body }) => body)).size, 1)
    for (const request of page.seen) assert.equal(verify(request, secret).id, delivery.eventId)
    const startedMs = delivery.attempts.map(({ startedAt }) => Date.parse(startedAt))
    for (const [i, seconds] of SCHEDULE_SECONDS.entries()) {
      const waited = ((startedMs[i + 1] ?? 0) - (startedMs[i] ?? 0)) / 1000
      assert.ok(
        waited >= seconds * 0.8 && waited <= seconds * 1.2 + SLACK_SECONDS,
        `${i}: ${waited}`,
      )
    }
  })

  test('a receiver that recovers gets the event with the next attempt', async () => {
    const { publish, ended } = await receiver((_, number) => ({ status: number < 3 ? 502 : 204 }))
    const delivery = await ended(await publish())
    assert.deepEqual(codesOf(delivery), ['BAD_STATUS', 'BAD_STATUS', null])
    assert.equal(delivery.lastError, null)
  })

  for (const [form, retryAfter] of [
    ['in seconds', '3600'],
    ['as a date', new Date(Date.now() + 3_600_000).toUTCString()],
  ])
    test(`Retry-After is kept ${form}`, async () => {
      const headers = { 'Retry-After': retryAfter ?? '' }
      const { publish, api } = await receiver({ status: 503, headers })
      const deliveryId = await publish()
      const waiting = await fixture.until('the first attempt', async () => {
        const delivery = await api.getDelivery(deliveryId)
        return delivery.attemptCount === 1 && delivery
      })
      const inSeconds = (Date.parse(waiting.nextAttemptAt ?? '') - Date.now()) / 1000
      assert.ok(inSeconds > 3500 && inSeconds < 3700, `${inSeconds}`)
    })

  test('410 disables the endpoint and ends what waits for it', async () => {
    const busy = { status: 503, headers: { 'Retry-After': '3600' } }
    const { api, id, page, publish, ended } = await receiver(busy)
    const waiting = await publish()
    await fixture.until('an attempt', async () => (await api.getDelivery(waiting)).attemptCount > 0)
    page.become({ status: 410 })
    const gone = await ended(await publish())
    assert.deepEqual([gone.status, codesOf(gone)], ['FAILED', ['BAD_STATUS']])
    const endpoint = await api.getEndpoint(id)
    assert.deepEqual([endpoint.enabled, endpoint.disabledReason], [false, 'GONE'])
    const dropped = await ended(waiting)
    assert.deepEqual([dropped.status, dropped.lastError], ['FAILED', 'ENDPOINT_DISABLED'])
    assert.equal(dropped.attempts.length, 1)
  })

  test('after a rotation old and new secrets verify, newest first, with the next event', async () => {
    const { api, page, id, secret, test: sendTest, ended } = await receiver({})
    const rotated = (await api.post(`/webhook-endpoints/${id}/rotate-secret`)).endpointWithSecret
    await ended(await sendTest())
    const [request] = page.seen
    assert.ok(request)
    const signatures = (request.headers['webhook-signature'] ?? '').split(' ')
    assert.equal(signatures.length, 2)
    verify(request, secret)
    verify(request, rotated.secret)
    const headers = { ...request.headers, 'webhook-signature': signatures[0] ?? '' }
    verify({ ...request, headers }, rotated.secret)
    assert.throws(() => verify({ ...request, headers }, secret))
  })

  test('a test event is retried on the schedule like any other while the endpoint is enabled', async () => {
    const { page, test: sendTest, ended } = await receiver({ status: 500 })
    const failed = await ended(await sendTest())
    assert.deepEqual([failed.status, failed.attempts.length], ['FAILED', 10])
    assert.ok(failed.attempts.every(({ trigger }) => trigger === 'AUTOMATIC'))
    assert.equal(page.seen.length, 10)
    page.become({ status: 200 })
  })

  test('a test event that fails first succeeds with its second attempt', async () => {
    const { api, page, test: sendTest, ended } = await receiver({ status: 500 })
    const deliveryId = await sendTest()
    await fixture.until(
      'an attempt',
      async () => (await api.getDelivery(deliveryId)).attemptCount > 0,
    )
    page.become({ status: 200 })
    const delivery = await ended(deliveryId)
    assert.equal(delivery.status, 'SUCCEEDED')
    assert.ok(delivery.attempts.length >= 2)
  })

  test('a test event to a disabled endpoint makes one attempt', async () => {
    const { api, page, id, test: sendTest, ended } = await receiver({ status: 500 })
    await api.patch(`/webhook-endpoints/${id}`, { enabled: false })
    const failed = await ended(await sendTest())
    assert.deepEqual([failed.status, failed.attempts.length], ['FAILED', 1])
    assert.equal(failed.attempts[0]?.trigger, 'MANUAL')
    page.become({ status: 200 })
    assert.equal((await ended(await sendTest())).status, 'SUCCEEDED')
    assert.equal((await api.getEndpoint(id)).disabledReason, 'MANUAL')
  })

  test('disabled by hand, deliveries wait; enabled again they go out to the address of now', async () => {
    const { api, page, id, publish, ended } = await receiver({ status: 500 })
    const deliveryId = await publish()
    await fixture.until(
      'an attempt',
      async () => (await api.getDelivery(deliveryId)).attemptCount > 0,
    )
    await api.patch(`/webhook-endpoints/${id}`, { enabled: false })
    const sent = page.seen.length
    await new Promise((resolve) => setTimeout(resolve, 1500))
    assert.equal((await api.getDelivery(deliveryId)).status, 'PENDING')
    assert.ok(page.seen.length <= sent + 1, 'at most what was in flight')
    const elsewhere = web.page({ status: 202 })
    await api.patch(`/webhook-endpoints/${id}`, { enabled: true, url: elsewhere.url })
    const delivery = await ended(deliveryId)
    assert.deepEqual([delivery.status, delivery.url], ['SUCCEEDED', elsewhere.url])
    assert.deepEqual(
      elsewhere.seen.map(({ headers }) => headers['webhook-id']),
      [delivery.eventId],
    )
  })

  test('a retry of an ended delivery makes one more attempt with the same id and bytes', async () => {
    const { api, page, test: sendTest, ended } = await receiver({ status: 200 })
    const { id: deliveryId } = await ended(await sendTest())
    page.become({ status: 500 })
    await api.post(`/webhook-deliveries/${deliveryId}/retry`)
    // An attempt is listed as soon as it starts.
    await fixture.until('the end of the second attempt', async () => {
      const { attempts, status } = await api.getDelivery(deliveryId)
      return attempts.length === 2 && status === 'FAILED'
    })
    assert.equal(page.seen.length, 2)
    assert.equal(new Set(page.seen.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(page.seen.map(({ body }) => body)).size, 1)
  })

  test('a redirect is a failure, and where it leads is not asked', async () => {
    const inside = web.page({})
    const { test: sendTest, ended } = await receiver({
      status: 302,
      headers: { Location: inside.url },
    })
    const delivery = await ended(await sendTest())
    assert.deepEqual([delivery.lastError, delivery.lastResponseStatus], ['BAD_STATUS', 302])
    assert.equal(inside.seen.length, 0)
  })

  test('the answer is kept up to 16 KiB, whatever bytes it has', async () => {
    const body = Buffer.concat([Buffer.from([0, 0xff, 0xfe]), Buffer.alloc(1_000_000, 'x')])
    const { test: sendTest, ended } = await receiver({ status: 200, body })
    const [attempt] = (await ended(await sendTest())).attempts
    assert.equal(attempt?.outcome, 'SUCCEEDED')
    assert.equal(attempt.responseBody, `${'\uFFFD'.repeat(3)}${'x'.repeat(16_381)}`)
  })
})
