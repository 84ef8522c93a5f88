// What someone can make the product send to strangers: with which content, how often, and with whose consent.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../tools/services/ports.ts'
import { toUuid } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import { type Received, type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'

const FROM = 'people@upvane.example'

let fixture: AppFixture
let sink: SmtpSink
let path: string
let admin: Visitor

before(async () => {
  const port = await findFreePort()
  fixture = await startAppFixture({ SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`, SMTP_FROM: FROM })
  sink = await startSmtpSink({ port })
  path = `/organizations/${fixture.orgId}`
  admin = (await fixture.join(fixture.orgId, 'OWNER')).visitor
  await fixture.stack.start('dispatcher')
})
after(async () => {
  await sink.close()
  await fixture.stop()
})

test('names: neither control characters nor marks of direction, wherever people choose one', async () => {
  const strange = [
    'a\nb',
    'a\r\nb',
    'a\u0000b',
    'a\u001bb',
    'a\u2028b',
    'a\u202eb',
    'a\u2067b',
    'a\u200fb',
    'a\u061cb',
  ]
  const settings = { url: 'https://hooks.example.com/x' }
  const doors: [string, (name: string) => ReturnType<Visitor['post']>][] = [
    ['name', (name) => admin.patch('/me', { name })],
    ['name', (name) => admin.post('/organizations', { name })],
    ['name', (name) => admin.patch(path, { name })],
    ['name', (name) => admin.post(`${path}/alert-contacts`, { name, channel: 'SLACK', settings })],
    [
      'name',
      (name) =>
        fixture.visitor().post('/invitations/accept', { token: newToken(), name, password: 'x' }),
    ],
    [
      'organization',
      (organization) =>
        fixture.visitor().post('/setup', {
          token: newToken(),
          organization,
          name: 'Ana',
          email: 'ana@example.com',
          password: 'correct horse battery',
        }),
    ],
  ]
  for (const [field, knock] of doors)
    for (const name of strange) {
      const answer = await knock(name)
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(answer.paths, [field])
    }
  for (const name of ['Zoë 👩‍🔧 Åström', '状態ページ', 'שלום', 'a\u200db'])
    assert.equal((await admin.patch('/me', { name })).status, 200, name)
})

test('contact: an address of a stranger gets one email, and alerts only once its owner agreed', async () => {
  const address = newAddress()
  const made = await createContact(admin, { address })
  assert.deepEqual([made.confirmed, made.confirmedAt], [false, null])
  assert.ok(made.confirmationSentAt !== null)
  const refused = await admin.post(`${path}/alert-contacts/${made.id}/test`)
  assert.equal(refused.status, 409, refused.text)

  const mail = await emailTo(address)
  assert.equal(mail.headers['subject'], 'Confirm that you want to receive alerts')
  assert.match(mail.text, /Demo wants to send alerts/)
  const token = tokenIn(mail)
  const stranger = fixture.visitor()
  const open = await stranger.post('/contact-confirmations/read', { token })
  assert.deepEqual(open.json, { organization: 'Demo', address })
  // A program that follows links in emails requests the page, and changes nothing.
  await stranger.exchange('GET', '/confirm-contact')
  assert.equal((await contactOf(made.id)).confirmed, false)

  const agreed = await stranger.post('/contact-confirmations/confirm', { token })
  assert.equal(agreed.status, 200, agreed.text)
  const { confirmed, confirmedAt } = await contactOf(made.id)
  assert.equal(confirmed, true)
  assert.ok(confirmedAt !== null)
  const again = await stranger.post('/contact-confirmations/confirm', { token })
  assert.equal(again.status, 404, 'the link works once')
  assert.equal((await admin.post(`${path}/alert-contacts/${made.id}/test`)).status, 201)
  await until(() => sink.to(address).length === 2)
  assert.equal(sink.to(address)[1]?.headers['subject'], 'Test alert from Upvane')
})

test("contact: a member's own address is confirmed at once, and gets no email for it", async () => {
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  const made = await createContact(admin, { address: person.email.toUpperCase() })
  assert.equal(made.confirmed, true)
  assert.equal(made.confirmationSentAt, null)
  const elsewhere = await fixture.createOrganization()
  const owner = (await fixture.join(elsewhere.id, 'OWNER')).visitor
  const foreign = await createContact(owner, { address: person.email, orgId: elsewhere.id })
  assert.equal(foreign.confirmed, false, 'a member of another organization is a stranger')
})

test('contact: a changed address waits again, and the link of the old one ends', async () => {
  const [first, second] = [newAddress(), newAddress()]
  const made = await createContact(admin, { address: first })
  const old = tokenIn(await emailTo(first))
  const contact = `${path}/alert-contacts/${made.id}`
  const changed = await admin.patch(contact, { settings: { address: second } })
  assert.equal((changed.json as Contact).confirmed, false)
  assert.equal((await confirm(old)).status, 404)
  assert.equal((await confirm(tokenIn(await emailTo(second)))).status, 200)
  const renamed = await admin.patch(contact, {
    name: 'Still the same',
    settings: { address: second },
  })
  assert.equal((renamed.json as Contact).confirmed, true, 'the same address stays confirmed')
  const moved = await admin.patch(contact, { settings: { address: newAddress() } })
  assert.equal((moved.json as Contact).confirmed, false)
})

test('contact: links expire, end with the next one, and made-up ones are limited', async () => {
  const address = newAddress()
  const { id } = await createContact(admin, { address })
  const first = tokenIn(await emailTo(address))
  const resent = await admin.post(`${path}/alert-contacts/${id}/confirmation`)
  assert.equal(resent.status, 200, resent.text)
  await until(() => sink.to(address).length === 2)
  assert.equal((await confirm(first)).status, 404)
  const second = tokenIn(sink.to(address)[1])
  await fixture.db.run(
    `update alert_contacts set confirm_expires_at = now() - interval '1 second' where id = $1`,
    [toUuid(id)],
  )
  assert.equal((await confirm(second)).status, 404)
  const spoiled = Buffer.from(second, 'base64url')
  spoiled[60] = (spoiled[60] ?? 0) ^ 1
  const guesser = fixture.visitor()
  const made = [
    spoiled.toString('base64url'),
    'x',
    newToken(),
    randomBytes(64).toString('base64url'),
  ]
  for (let i = 0; i < 20; i++) {
    const token = made[i % made.length]
    assert.equal((await guesser.post('/contact-confirmations/confirm', { token })).status, 404)
  }
  const last = await guesser.post('/contact-confirmations/confirm', { token: newToken() })
  assert.equal(last.status, 429)
})

test('limits: ten tests of contacts, and an address gets five emails an hour from all organizations together', async () => {
  await fixture.db.run('delete from sign_in_windows')
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  const own = await createContact(admin, { address: person.email })
  const tests = await Promise.all(
    Array.from({ length: 15 }, () => admin.post(`${path}/alert-contacts/${own.id}/test`)),
  )
  assert.deepEqual(countByStatus(tests), { 201: 10, 429: 5 })

  const victim = newAddress()
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) {
    const { id } = await fixture.createOrganization()
    const owner = (await fixture.join(id, 'OWNER')).visitor
    const [name = '', host = ''] = victim.split('@')
    const email = i % 2 === 0 ? victim : `${name}+${i}@${host}`
    const role = 'MEMBER'
    statuses.push((await owner.post(`/organizations/${id}/invitations`, { email, role })).status)
  }
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429, 429])
  await fixture.db.run(
    `update mail_windows set hour_at = hour_at - interval '61 minutes', in_day = 19`,
  )
  const invite = () => admin.post(`${path}/invitations`, { email: victim, role: 'MEMBER' })
  assert.equal((await invite()).status, 201)
  assert.equal((await invite()).status, 429, 'twenty a day')
  const rows = JSON.stringify(await fixture.db.run('select * from mail_windows'))
  assert.doesNotMatch(rows, /@|stranger/)
})

test('limits: one person invites fifty, over all their organizations', async () => {
  await fixture.db.run('delete from sign_in_windows')
  const person = await fixture.addPerson()
  const inviter = await fixture.enter(person)
  const organizations = await Promise.all([
    fixture.createOrganization(),
    fixture.createOrganization(),
  ])
  for (const { id } of organizations) await fixture.addMember(id, person, 'OWNER')
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      inviter.post(`/organizations/${organizations[i % 2]?.id}/invitations`, {
        email: newAddress(),
        role: 'MEMBER',
      }),
    ),
  )
  assert.deepEqual(countByStatus(answers), { 201: 50, 429: 10 })
})

type Contact = {
  id: string
  confirmed: boolean
  confirmedAt: string | null
  confirmationSentAt: string | null
}

async function createContact(
  visitor: Visitor,
  { address, orgId = fixture.orgId }: { address: string; orgId?: string },
): Promise<Contact> {
  const wish = { name: 'On call', channel: 'EMAIL', settings: { address } }
  const answer = await visitor.post(`/organizations/${orgId}/alert-contacts`, wish)
  assert.equal(answer.status, 201, answer.text)
  return answer.json as Contact
}

async function contactOf(id: string): Promise<Contact> {
  return (await admin.get(`${path}/alert-contacts/${id}`)).json as Contact
}

const confirm = (token: string) =>
  fixture.visitor().post('/contact-confirmations/confirm', { token })

async function emailTo(address: string): Promise<Received> {
  await until(() => sink.to(address).length > 0)
  const [mail] = sink.to(address)
  assert.ok(mail)
  return mail
}

function tokenIn(mail: Received | undefined): string {
  const [, token = ''] = /\/confirm-contact#([\w-]+)/.exec(mail?.text ?? '') ?? []
  assert.equal(token.length, 86)
  return token
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !isSo(); i++) await delay(100)
  assert.ok(isSo(), 'it did not come in time')
}

function countByStatus(answers: readonly { status: number }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const newAddress = () => `stranger-${randomBytes(5).toString('hex')}@example.org`
const newToken = () => randomBytes(32).toString('base64url')
