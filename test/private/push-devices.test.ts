// Notifications on devices: whose they are, how many, and which addresses are refused.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import { startPushService } from '../kit/push-service/push-service.ts'
import { startAppFixture } from './fixture.ts'

const MAX_DEVICES = 10

const fixture = await startAppFixture()
const service = await startPushService()
after(async () => {
  await fixture.stop()
  await service.close()
})

const { orgId, db } = fixture
const base = `/organizations/${orgId}`
const path = `${base}/push-devices`
await db.run(`update organizations set private_targets = true where id = $1`, [toUuid(orgId)])

type Device = { id: string; name: string; fingerprint: string; error: string | null }
type List = { publicKey: string; contactId: string | null; data: Device[] }
const listOf = async (visitor: Visitor) => (await visitor.get(path)).json as List
const wish = (endpoint = 'https://push.example.com/a') => ({
  name: 'Firefox on Linux',
  ...service.subscribe().subscription,
  endpoint,
})
const forget = () => db.run(`delete from sign_in_windows`)

test('a member turns notifications on: the key of the installation, one contact, the device itself', async () => {
  const { visitor } = await fixture.join(orgId, 'READ_ONLY')
  const before = await listOf(visitor)
  assert.equal(Buffer.from(before.publicKey, 'base64url').length, 65)
  assert.deepEqual([before.contactId, before.data], [null, []])

  const body = wish()
  const added = await visitor.post(path, body)
  assert.equal(added.status, 201, added.text)
  const again = await visitor.post(path, { ...body, name: 'Firefox 2' })
  assert.equal(again.status, 201, again.text)
  const { publicKey, contactId, data } = await listOf(visitor)
  assert.equal(publicKey, before.publicKey, 'the key never changes')
  assert.deepEqual(
    data.map(({ name }) => name),
    ['Firefox 2'],
    'a browser is there once',
  )
  const hash = createHash('sha256').update(body.endpoint).digest('hex')
  assert.equal(data[0]?.fingerprint, hash)
  assert.ok(!again.text.includes(body.keys.auth))

  const contact = (await visitor.get(`${base}/alert-contacts/${contactId}`)).json as {
    channel: string
    name: string
    devices: number
    settings: unknown
  }
  assert.deepEqual(
    [contact.channel, contact.name, contact.devices, contact.settings],
    ['WEB_PUSH', 'READ_ONLY', 1, {}],
  )
})

test('nobody sees, removes or tests the devices of others, not even an owner', async () => {
  const { visitor } = await fixture.join(orgId, 'MEMBER')
  const { visitor: owner } = await fixture.join(orgId, 'OWNER')
  await visitor.post(path, wish('https://push.example.com/own'))
  const [device] = (await listOf(visitor)).data
  assert.ok(device)
  assert.deepEqual((await listOf(owner)).data, [])
  assert.equal((await owner.delete(`${path}/${device.id}`)).status, 404)
  assert.equal((await owner.post(`${base}/push-test`, {})).status, 409)
  assert.equal((await listOf(visitor)).data.length, 1)

  assert.equal((await visitor.delete(`${path}/${device.id}`)).status, 200)
  assert.equal((await visitor.delete(`${path}/${device.id}`)).status, 404)
  const { contactId } = await listOf(visitor)
  const test = await owner.post(`${base}/alert-contacts/${contactId}/test`, {})
  assert.equal(test.status, 409, 'a contact without a device')
  assert.match(test.error.message, /No device/)
})

test('a browser that another member registers is theirs from then on', async () => {
  const [one, two] = [await fixture.join(orgId, 'MEMBER'), await fixture.join(orgId, 'MEMBER')]
  const body = wish('https://push.example.com/shared')
  await one.visitor.post(path, body)
  await two.visitor.post(path, body)
  assert.equal((await listOf(one.visitor)).data.length, 0)
  assert.equal((await listOf(two.visitor)).data.length, 1)
})

test('devices are stored encrypted, and so is the private key', async () => {
  const { visitor } = await fixture.join(orgId, 'MEMBER')
  const body = wish('https://push.example.com/very-secret-path')
  await visitor.post(path, body)
  const { text } = await db.one<{ text: string }>(
    `select string_agg(p::text, '') || (select string_agg(s::text, '') from service_keys s) as text
       from push_devices p`,
  )
  const hex = (value: string) => Buffer.from(value).toString('hex')
  for (const secret of ['very-secret-path', body.keys.auth, body.keys.p256dh])
    assert.ok(!text.includes(secret) && !text.includes(hex(secret)), secret)
  const { count } = await db.one<{ count: number }>(
    `select count(*)::integer as count from service_keys where name = 'web-push'`,
  )
  assert.equal(count, 1)
})

// biome-ignore format: a table is read by its columns
const HOSTILE: readonly [endpoint: string, path: string][] = [
  ['http://push.example.com/x',       'endpoint'],
  ['http://203.0.113.7/x',            'endpoint'],
  ['https://127.0.0.1/x',             'endpoint'],
  ['https://[::1]/x',                 'endpoint'],
  ['https://10.0.0.1/x',              'endpoint'],
  ['https://169.254.169.254/latest',  'endpoint'],
  ['https://localhost/x',             'endpoint'],
  ['https://push.internal/x',         'endpoint'],
  ['https://u:p@push.example.com/x',  'endpoint'],
  ['https://push.example.com:25/x',   'endpoint'],
  ['javascript:alert(1)',             'endpoint'],
  [`https://push.example.com/${'x'.repeat(2048)}`, 'endpoint'],
]

test('hostile endpoints and keys are refused with the field that is wrong', async () => {
  await forget()
  const strict = await startAppFixture({ WEBHOOK_ALLOW_CIDRS: '', WEBHOOK_ALLOW_HTTP: 'false' })
  try {
    const { visitor } = await strict.join(strict.orgId, 'READ_ONLY')
    const own = `/organizations/${strict.orgId}/push-devices`
    const clear = () => strict.db.run(`delete from sign_in_windows`)
    for (const [endpoint, wrong] of HOSTILE) {
      await clear()
      const answer = await visitor.post(own, wish(endpoint))
      assert.deepEqual([answer.status, answer.paths], [400, [wrong]], endpoint)
    }
    await clear()
    const { keys } = wish()
    for (const [bad, wrong] of [
      [{ ...keys, p256dh: 'AA' }, 'keys.p256dh'],
      [{ ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'keys.p256dh'],
      [{ ...keys, auth: 'AA' }, 'keys.auth'],
      [{ p256dh: keys.p256dh }, 'keys.auth'],
    ] as const) {
      const answer = await visitor.post(own, { ...wish(), keys: bad })
      assert.deepEqual([answer.status, answer.paths], [400, [wrong]], JSON.stringify(bad))
    }
    const { count } = await strict.db.one<{ count: number }>(
      `select count(*)::integer as count from push_devices`,
    )
    assert.equal(count, 0)
  } finally {
    await strict.stop()
  }
})

test(`at most ${MAX_DEVICES} devices, and 20 attempts in 15 minutes`, async () => {
  const { visitor } = await fixture.join(orgId, 'MEMBER')
  const add = (i: number) => visitor.post(path, wish(`https://push.example.com/many/${i}`))
  for (let i = 0; i < MAX_DEVICES; i++) assert.equal((await add(i)).status, 201)
  const refused = await add(MAX_DEVICES)
  assert.equal(refused.status, 422)
  assert.match(refused.error.message, /up to 10 devices/)
  assert.equal((await add(0)).status, 201, 'one that is there already')
  assert.equal((await listOf(visitor)).data.length, MAX_DEVICES)
  const rest = []
  for (let i = 0; i < 12; i++) rest.push((await add(0)).status)
  assert.ok(rest.includes(429), rest.join(' '))
})

test('an admin cannot create such a contact for somebody, and gives it no settings', async () => {
  await forget()
  const { visitor: admin } = await fixture.join(orgId, 'ADMIN')
  const contact = { name: 'X', channel: 'WEB_PUSH', settings: {} }
  const created = await admin.post(`${base}/alert-contacts`, contact)
  assert.deepEqual([created.status, created.paths], [400, ['channel']])
  await admin.post(path, wish('https://push.example.com/admin'))
  const { contactId } = await listOf(admin)
  const settings = { endpoint: 'https://evil.example/' }
  const changed = await admin.patch(`${base}/alert-contacts/${contactId}`, { settings })
  assert.deepEqual([changed.status, changed.paths], [400, ['settings.endpoint']])
})

test('devices end with the membership', async () => {
  const { person, visitor } = await fixture.join(orgId, 'MEMBER')
  const { visitor: owner } = await fixture.join(orgId, 'OWNER')
  await visitor.post(path, wish('https://push.example.com/leaving'))
  await visitor.post(`${base}/push-test`, {})
  const { contactId } = await listOf(visitor)
  assert.equal((await owner.delete(`${base}/members/${person.id}`)).status, 200)
  const left = await db.one<{ contacts: number; devices: number; waiting: number }>(
    `select (select count(*)::integer from alert_contacts where id = $1) as contacts,
            (select count(*)::integer from push_devices where contact_id = $1) as devices,
            (select count(*)::integer from deliveries where endpoint_id = $1 and status = 'PENDING') as waiting`,
    [toUuid(contactId ?? '')],
  )
  assert.deepEqual(left, { contacts: 0, devices: 0, waiting: 0 })
})

test('devices of a person who is deleted are gone', async () => {
  const { person, visitor } = await fixture.join(orgId, 'MEMBER')
  await visitor.post(path, wish('https://push.example.com/deleted'))
  const { contactId } = await listOf(visitor)
  await fixture.operate(['person', 'delete', person.email, '--yes'])
  const { count } = await db.one<{ count: number }>(
    `select (select count(*) from push_devices where contact_id = $1)::integer
          + (select count(*) from receivers where id = $1)::integer as count`,
    [toUuid(contactId ?? '')],
  )
  assert.equal(count, 0)
})

test('every change is in the audit log, without an address', async () => {
  const { visitor: owner } = await fixture.join(orgId, 'OWNER')
  const { text, json } = await owner.get(`${base}/audit-log?limit=100`)
  const actions = new Set((json as { data: { action: string }[] }).data.map(({ action }) => action))
  for (const action of ['addPushDevice', 'removePushDevice', 'testPushDevices'])
    assert.ok(actions.has(action), action)
  assert.ok(!text.includes('push.example.com'))
})
