// The sample receivers of the guide: each accepts the product's real deliveries and nothing else.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Request, startWeb } from '../../kit/targets/web.ts'
import { startWebhookFixture } from '../webhooks/fixture.ts'
import { type Delivered, isInstalled, SAMPLES, type Sample, type Started } from './samples.ts'

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
// Too large for every CI run. All other runtimes must be present.
const MAY_BE_ABSENT = new Set(['go'])

const web = await startWeb()
const fixture = await startWebhookFixture()
const { api } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

// Two endpoints whose deliveries are captured as sent; one of them has just rotated its secret.
const plainPage = web.page({})
const rotatedPage = web.page({})
const plain = await api.createEndpoint({ url: plainPage.url })
const rotated = await api.createEndpoint({ url: rotatedPage.url })
const rotation = await api.post(`/webhook-endpoints/${rotated.id}/rotate-secret`)
const newSecret = rotation.endpointWithSecret.secret

/** Causes an event in the product, and returns what each endpoint received. */
async function catchNext() {
  await api.createMonitor({ name: 'Käse & 🧀 "quoted"' })
  const [deliveryId, other] = await Promise.all([latestTo(plain.id), latestTo(rotated.id)])
  await Promise.all([fixture.ended(deliveryId), fixture.ended(other)])
  return {
    deliveryId,
    delivery: toDelivered(plainPage.seen.at(-1)),
    signedTwice: toDelivered(rotatedPage.seen.at(-1)),
  }
}

async function latestTo(endpointId: string): Promise<string> {
  return (await api.deliveriesTo(endpointId))[0]?.id ?? ''
}

function toDelivered(request: Request | undefined): Delivered {
  const kept = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  const headers = kept.map((name) => [name, request?.headers[name] ?? ''])
  return { headers: Object.fromEntries(headers), body: request?.body ?? '' }
}

/** Signed by the independent library at another time. */
function signedAt(delivery: Delivered, secret: string, secondsFromNow: number): Delivered {
  const at = new Date(Date.now() + secondsFromNow * 1000)
  const id = delivery.headers['webhook-id'] ?? ''
  return withHeaders(delivery, {
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, delivery.body),
  })
}

function withHeaders(delivery: Delivered, changes: Record<string, string>): Delivered {
  return { ...delivery, headers: { ...delivery.headers, ...changes } }
}

function without(delivery: Delivered, name: string): Delivered {
  const { [name]: _, ...headers } = delivery.headers
  return { ...delivery, headers }
}

/** Signed in a way that a receiver without a key would accept. */
function signedByUnknown(delivery: Delivered): Delivered {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = delivery.headers
  const hmac = createHmac('sha256', '').update(`${id}.${timestamp}.${delivery.body}`)
  return withHeaders(delivery, { 'webhook-signature': `v1,${hmac.digest('base64')}` })
}

function changesOf(delivery: Delivered): [why: string, delivery: Delivered][] {
  const { body, headers } = delivery
  const later = String(Number(headers['webhook-timestamp']) + 1)
  return [
    ['a changed body', { headers, body: body.replace('CRON', 'PING') }],
    ['a body with one more byte', { headers, body: `${body}\n` }],
    ['a changed timestamp', withHeaders(delivery, { 'webhook-timestamp': later })],
    ['a changed id', withHeaders(delivery, { 'webhook-id': 'evt_other' })],
    ['an old timestamp', signedAt(delivery, plain.secret, -310)],
    ['a timestamp in the future', signedAt(delivery, plain.secret, 310)],
    ['a wrong secret', signedAt(delivery, OTHER_SECRET, 0)],
    ['no timestamp', without(delivery, 'webhook-timestamp')],
    ['no signature', without(delivery, 'webhook-signature')],
    ['no number as timestamp', withHeaders(delivery, { 'webhook-timestamp': 'NaN' })],
  ]
}

async function start(t: TestContext, sample: Sample, secret: string): Promise<Started> {
  const started = await sample.start(secret)
  t.after(() => started.stop())
  return started
}

for (const sample of SAMPLES) {
  const { runtime } = sample
  const skip =
    MAY_BE_ABSENT.has(runtime) && !isInstalled(runtime) ? `${runtime} is not installed` : false
  describe(sample.name, { concurrency: 3, skip }, () => {
    let caught: Awaited<ReturnType<typeof catchNext>>
    before(async () => {
      assert.ok(isInstalled(runtime), `${runtime} has to be installed`)
      caught = await catchNext()
    })

    test('accepts a delivery of the running product, and refuses every change of it', async (t) => {
      const { delivery, deliveryId } = caught
      const receiver = await start(t, sample, plain.secret)
      assert.ok(await receiver.accepts(delivery), 'as it was sent')
      for (const [why, changed] of changesOf(delivery))
        assert.ok(!(await receiver.accepts(changed)), why)
      assert.ok(await receiver.accepts(signedAt(delivery, plain.secret, -240)), 'four minutes old')
      if (receiver.url === undefined) return
      await breakOff(receiver.url)
      await assertRespondsToProduct(deliveryId, receiver.url)
    })

    test('accepts two signatures during a rotation, with the old secret and with the new', async (t) => {
      const { signedTwice } = caught
      assert.match(signedTwice.headers['webhook-signature'] ?? '', /^v1,\S+ v1,\S+$/)
      for (const secret of [rotated.secret, newSecret]) {
        const receiver = await start(t, sample, secret)
        assert.ok(await receiver.accepts(signedTwice))
      }
    })

    test('without a secret it does not fall for a signature by nobody', async (t) => {
      for (const secret of ['', 'whsec_']) {
        // Refusing to start is just as good.
        const accepted = await start(t, sample, secret).then(
          (receiver) => receiver.accepts(signedByUnknown(caught.delivery)),
          (error: Error) => assert.match(error.message, /^It ended/),
        )
        assert.ok(!accepted, `secret "${secret}"`)
      }
    })
  })
}

/** A request that promises more than it sends, then disconnects: the receiver must survive it. */
async function breakOff(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort')
  socket.resume()
  await once(socket, 'close')
}

/** End to end: the product sends, the receiver responds, the delivery has succeeded. */
async function assertRespondsToProduct(deliveryId: string, url: string): Promise<void> {
  await api.patch(`/webhook-endpoints/${plain.id}`, { url })
  await api.post(`/webhook-deliveries/${deliveryId}/retry`)
  const delivery = await fixture.until('the second attempt', async () => {
    const detail = await api.getDelivery(deliveryId)
    return detail.status !== 'PENDING' && detail.attempts.length === 2 && detail
  })
  assert.deepEqual([delivery.status, delivery.attempts[1]?.responseStatus], ['SUCCEEDED', 204])
  await api.patch(`/webhook-endpoints/${plain.id}`, { url: plainPage.url })
}
