// The way someone signs in cannot be changed unnoticed: the owner of the account gets an email.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../tools/services/ports.ts'
import { SoftwarePasskey } from '../kit/passkey.ts'
import { type Received, type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import { type AppFixture, PASSWORD, startAppFixture, stepNow, totp } from './fixture.ts'

// Passkeys need a name.
const BASE_URL = 'http://localhost:8080'
const NEW_PASSWORD = 'a better staple than before'

let fixture: AppFixture
let sink: SmtpSink

before(async () => {
  const port = await findFreePort()
  fixture = await startAppFixture({
    BASE_URL,
    SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`,
    SMTP_FROM: 'people@upvane.example',
  })
  sink = await startSmtpSink({ port })
  await fixture.stack.start('dispatcher')
})
after(async () => {
  await sink.close()
  await fixture.stop()
})

test('notice: a password that was changed, with when, from where, and what to do', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'MEMBER')
  await visitor.patch('/me', { name: person.name, timezone: 'Asia/Kolkata' })
  const changed = await visitor.post('/me/password', { current: PASSWORD, password: NEW_PASSWORD })
  assert.equal(changed.status, 200, changed.text)
  const mail = await emailNumber(person.email, 1)
  assert.equal(mail.headers['subject'], 'Your password was changed')
  assert.match(mail.text, /Network: 10\.\d+\.\d+\.\d+/)
  // In the zone that the person chose.
  assert.match(mail.text, /Time: \w+, \w+ \d+, \d{4}, .+ IST/)
  assert.ok(mail.text.includes(`${BASE_URL}/sign-in?forgot=1`))
})

test('notice: a password that was reset by a link', async () => {
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  await fixture.visitor().post('/password-resets', { email: person.email })
  const asked = await emailNumber(person.email, 1)
  const [, token] = /reset-password#([\w-]+)/.exec(asked.text) ?? []
  const done = await fixture
    .visitor()
    .post('/password-resets/complete', { token, password: NEW_PASSWORD })
  assert.equal(done.status, 200, done.text)
  const mail = await emailNumber(person.email, 2)
  assert.equal(mail.headers['subject'], 'Your password was changed')
})

test('notice: a second factor, when it comes and when it goes; and nothing when a try failed', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'MEMBER')
  const wrong = await visitor.post('/me/password', { current: 'wrong', password: NEW_PASSWORD })
  assert.equal(wrong.status, 400)
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  const { secret } = begun.json as { secret: string }
  const code = totp(secret, stepNow())
  const confirmed = await visitor.post('/me/second-factor/confirm', { code })
  const { recoveryCodes } = confirmed.json as { recoveryCodes: string[] }
  const on = await emailNumber(person.email, 1)
  assert.equal(on.headers['subject'], 'Two-factor authentication was turned on')
  const removed = await visitor.post('/me/second-factor/remove', { code: recoveryCodes[0] })
  assert.equal(removed.status, 200, removed.text)
  const off = await emailNumber(person.email, 2)
  assert.equal(off.headers['subject'], 'Two-factor authentication was turned off')
  for (const mail of [on, off])
    for (const hidden of [secret, ...recoveryCodes]) assert.ok(!mail.text.includes(hidden))
})

test("notice: a passkey, when it comes and when it goes, with what to do about a stranger's", async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'MEMBER')
  const begun = await visitor.post('/me/passkeys/begin', { name: 'Laptop', current: PASSWORD })
  assert.equal(begun.status, 200, begun.text)
  const options = begun.json as Parameters<SoftwarePasskey['create']>[0]
  const answer = new SoftwarePasskey(BASE_URL).create(options)
  const added = await visitor.post('/me/passkeys', { name: 'Laptop', ...answer })
  assert.equal(added.status, 201, added.text)
  const on = await emailNumber(person.email, 1)
  assert.equal(on.headers['subject'], 'A passkey was added to your account')
  assert.match(on.text, /Then remove the passkey on your account page/)
  const { data } = (await visitor.get('/me/passkeys')).json as { data: { id: string }[] }
  const removed = await visitor.post(`/me/passkeys/${data[0]?.id}/remove`, { current: PASSWORD })
  assert.equal(removed.status, 200, removed.text)
  const off = await emailNumber(person.email, 2)
  assert.equal(off.headers['subject'], 'A passkey was removed from your account')
})

async function emailNumber(address: string, number: number): Promise<Received> {
  for (let i = 0; i < 300 && sink.to(address).length < number; i++) await delay(100)
  assert.equal(sink.to(address).length, number)
  const mail = sink.to(address)[number - 1]
  assert.ok(mail)
  return mail
}
