// Browser notifications from an outage to the device: through a push service that verifies the sender, to a browser
// that decrypts.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import type { Visitor } from '../../kit/private-client.ts'
import { type PushBrowser, startPushService } from '../../kit/push-service/push-service.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from './fixture.ts'

const web = await startWeb()
const service = await startPushService()
const fixture = await startAlertFixture({ SECURITY_CONTACT: 'mailto:ops@upvane.example' })
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, until, orgId } = fixture
after(async () => {
  assert.deepEqual(service.complaints, [], 'a message was not as the standards say')
  await fixture.stop()
  await service.close()
  await web.close()
})

const base = `/organizations/${orgId}`
const FIELDS = { type: 'HTTP', intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }

type List = {
  publicKey: string
  contactId: string
  data: { name: string; lastSuccessAt: string | null; error: string | null }[]
}
const listOf = async (visitor: Visitor) => (await visitor.get(`${base}/push-devices`)).json as List

async function turnOn(visitor: Visitor, name: string): Promise<PushBrowser> {
  const browser = service.subscribe()
  const answer = await visitor.post(`${base}/push-devices`, { name, ...browser.subscription })
  assert.equal(answer.status, 201, answer.text)
  return browser
}

async function sendTest(visitor: Visitor): Promise<void> {
  await fixture.db.run(`delete from sign_in_windows where subject like 'push-%'`)
  const answer = await visitor.post(`${base}/push-test`, {})
  assert.equal(answer.status, 201, answer.text)
}

const last = async (contactId: string) => (await fixture.deliveriesTo(contactId))[0]
const settled = (contactId: string) =>
  until('an outcome', async () => {
    const delivery = await last(contactId)
    return delivery?.status !== 'PENDING' && delivery
  })

test('an outage arrives encrypted on every device, and the recovery replaces it', async () => {
  const { visitor } = await fixture.join(orgId, 'READ_ONLY')
  const [phone, laptop] = [await turnOn(visitor, 'Phone'), await turnOn(visitor, 'Laptop')]
  const page = web.page({})
  const { id } = await api.createMonitor({ ...FIELDS, name: 'Checkout', url: page.url })
  await until(
    'the first check',
    async () => (await api.get(`/monitors/${id}`)).monitor.state === 'UP',
  )

  page.become({ status: 503 })
  await api.post(`/monitors/${id}/check`, {})
  const outage = await until('the outage', async () => laptop.messages[0] && phone.messages[0])
  page.become({})
  await api.post(`/monitors/${id}/check`, {})
  const recovery = await until('the recovery', async () => laptop.messages[1] && phone.messages[1])

  const { data } = (await api.get(`/incidents?monitorId=${id}`)).incidents
  assert.equal(outage.notification.title, '✕ Checkout is down')
  assert.match(outage.notification.body, /^HTTP 503.* since /)
  const { baseUrl } = fixture.service
  assert.equal(outage.notification.url, `${baseUrl}/incidents/${data[0]?.id}`)
  assert.equal(recovery.notification.title, '✓ Checkout is up again')
  assert.equal(recovery.notification.tag, outage.notification.tag)
  assert.equal(recovery.topic, outage.topic)
  assert.deepEqual([outage.urgency, recovery.urgency], ['high', 'normal'])
  assert.equal(outage.ttl, 86_400)
  assert.equal(outage.subject, 'mailto:ops@upvane.example')
  const { publicKey, contactId, data: devices } = await listOf(visitor)
  assert.equal(outage.sender, publicKey, 'the key that the browser subscribed with')
  assert.deepEqual([phone.requests, laptop.requests], [2, 2])
  assert.ok(devices.every(({ lastSuccessAt, error }) => lastSuccessAt !== null && error === null))
  const sent = await fixture.deliveriesTo(contactId)
  assert.deepEqual(
    sent.map(({ kind, status }) => [kind, status]),
    [
      ['RECOVERED', 'SUCCEEDED'],
      ['DOWN', 'SUCCEEDED'],
    ],
  )
  const { timeline } = (await api.get(`/incidents/${data[0]?.id}`)).incident
  assert.ok(
    timeline.some(({ type, message }) => type === 'ALERT_SENT' && /READ_ONLY/.test(message)),
  )
})

test('a device that its push service does not know anymore is removed, and the others get the alert', async () => {
  for (const status of [404, 410]) {
    const { visitor } = await fixture.join(orgId, 'MEMBER')
    const [old, current] = [await turnOn(visitor, 'Old'), await turnOn(visitor, 'Current')]
    old.answer = { status }
    await sendTest(visitor)
    await until('the test', async () => current.messages.length > 0)
    const { contactId } = await listOf(visitor)
    assert.equal((await settled(contactId)).status, 'SUCCEEDED')
    const names = (await listOf(visitor)).data.map(({ name }) => name)
    assert.deepEqual(names, ['Current'], String(status))
    assert.deepEqual([old.requests, current.requests], [1, 1])
  }
})

test('when the last device is gone the delivery fails, and a new device works at once', async () => {
  const { visitor } = await fixture.join(orgId, 'MEMBER')
  const old = await turnOn(visitor, 'Old')
  old.answer = { status: 410 }
  await sendTest(visitor)
  const { contactId } = await listOf(visitor)
  const { status, error } = await settled(contactId)
  assert.deepEqual([status, error], ['FAILED', 'No device receives notifications anymore'])
  assert.deepEqual((await listOf(visitor)).data, [])
  const current = await turnOn(visitor, 'New')
  await sendTest(visitor)
  await until('the test', async () => current.messages.length === 1)
  assert.equal(old.requests, 1)
})

test('429 with Retry-After and 503 are retried, for that device alone', async () => {
  const { visitor } = await fixture.join(orgId, 'MEMBER')
  const [busy, fine] = [await turnOn(visitor, 'Busy'), await turnOn(visitor, 'Fine')]
  busy.answer = { status: 429, headers: { 'retry-after': '3' } }
  const startMs = performance.now()
  await sendTest(visitor)
  await until('the first attempt', async () => busy.requests === 1)
  const { contactId } = await listOf(visitor)
  const waiting = await until('its record', async () => {
    const delivery = await last(contactId)
    return delivery?.attemptCount === 1 && delivery
  })
  assert.deepEqual([waiting.status, waiting.lastResponseStatus], ['PENDING', 429])
  assert.match(waiting.error ?? '', /^Busy: .*429/)
  assert.match((await listOf(visitor)).data[0]?.error ?? '', /429/)
  busy.answer = undefined
  await until('the second attempt', async () => busy.messages.length === 1)
  const waitedMs = performance.now() - startMs
  assert.ok(waitedMs > 2_900, `it waited ${waitedMs} ms although the service asked for 3 s`)
  assert.equal((await settled(contactId)).status, 'SUCCEEDED')
  assert.deepEqual([busy.requests, fine.requests], [2, 1])

  busy.answer = { status: 503, body: `down for ${busy.subscription.keys.auth}` }
  await sendTest(visitor)
  await until('retries', async () => busy.requests >= 4)
  busy.answer = undefined
  await until('the test', async () => busy.messages.length === 2)
  assert.equal(fine.requests, 2)
  const { text } = await fixture.admin.get(`${fixture.contacts}/${contactId}/deliveries`)
  assert.ok(!text.includes(busy.subscription.keys.auth), 'no secret in the log')
})

test('413 and 403 end the delivery: the same message would be refused again', async () => {
  for (const status of [413, 403]) {
    const { visitor } = await fixture.join(orgId, 'MEMBER')
    const browser = await turnOn(visitor, 'Picky')
    browser.answer = { status }
    await sendTest(visitor)
    const { contactId } = await listOf(visitor)
    const delivery = await settled(contactId)
    assert.deepEqual([delivery.status, delivery.attemptCount, browser.requests], ['FAILED', 1, 1])
    assert.equal((await listOf(visitor)).data.length, 1, 'the device stays')
  }
})

test('an address that became private is not contacted', async () => {
  const { visitor } = await fixture.join(orgId, 'MEMBER')
  const browser = await turnOn(visitor, 'Moved')
  const organization = toUuid(orgId)
  const allow = (yes: boolean) =>
    fixture.db.run(`update organizations set private_targets = $2 where id = $1`, [
      organization,
      yes,
    ])
  const { contactId } = await listOf(visitor)
  await allow(false)
  try {
    await sendTest(visitor)
    const delivery = await until('an attempt', async () => {
      const found = await last(contactId)
      return found !== undefined && found.attemptCount > 0 && found
    })
    assert.match(delivery.error ?? '', /The address is not allowed/)
    assert.equal(browser.requests, 0)
  } finally {
    await allow(true)
  }
})

test('a person whose account is disabled gets nothing', async () => {
  const { person, visitor } = await fixture.join(orgId, 'MEMBER')
  const { visitor: other } = await fixture.join(orgId, 'MEMBER')
  const [shut, open] = [await turnOn(visitor, 'Shut'), await turnOn(other, 'Open')]
  await fixture.db.run(`update users set disabled_at = now() where id = $1`, [person.uuid])
  const page = web.page({ status: 500 })
  await api.createMonitor({ ...FIELDS, name: 'Shop', url: page.url })
  await until('the outage', async () => open.messages.length === 1)
  assert.equal(shut.requests, 0)
})
