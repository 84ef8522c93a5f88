// Emailed links, from the request to the mailbox and back: only through HTTP and a real mail server.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../tools/services/ports.ts'
import type { Visitor } from '../kit/private-client.ts'
import { type Received, type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import { type AppFixture, PASSWORD, startAppFixture } from './fixture.ts'

const FROM = 'people@upvane.example'
const NEW_PASSWORD = 'a better staple than before'
const WAIT_MS = 30_000
// Longer than an email takes from the request to the relay.
const QUIET_MS = 1_500
const STUCK_MS = 5_000

let fixture: AppFixture
let sink: SmtpSink
let path: string

before(async () => {
  const port = await findFreePort()
  fixture = await startAppFixture({
    SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`,
    SMTP_FROM: FROM,
  })
  sink = await startSmtpSink({ port })
  path = `/organizations/${fixture.orgId}`
  await fixture.stack.start('dispatcher')
})
after(async () => {
  await sink.close()
  await fixture.stop()
})

test('invitation: mail, link, account, member', async () => {
  const { person, visitor: owner } = await fixture.join(fixture.orgId, 'OWNER')
  // A name from before such names were refused.
  const name = 'Ana <b>&\u202e Co\r\n\r\nConfirm at https://login.example/'
  await fixture.db.run('update users set name = $2 where id = $1', [person.uuid, name])
  const email = newEmail()
  const answer = await owner.post(`${path}/invitations`, { email, role: 'ADMIN' })
  const { mailed, link: shown } = answer.json as { mailed: boolean; link: string | null }
  assert.deepEqual([mailed, shown], [true, null], 'the mail alone has the link')

  const mail = await mailTo(email)
  assert.equal(mail.from, FROM)
  assert.equal(mail.headers['from'], `Upvane <${FROM}>`)
  assert.equal(mail.headers['subject'], 'You were invited to an organization on Upvane')
  assert.equal(mail.headers['auto-submitted'], 'auto-generated')
  assert.match(mail.html, /Ana &lt;b&gt;&amp; Co Confirm at https: \/\/login\. example\//)
  assert.match(
    mail.text,
    /^Ana <b>& Co Confirm at https: \/\/login\. example\/ invited you to join Demo/m,
  )
  assert.match(mail.text, /Role: Admin/)
  assert.doesNotMatch(mail.html, /<img|<script|<link|url\(/, 'it loads nothing')
  const token = tokenIn(mail, '/invitation')

  const guest = fixture.visitor()
  const read = (await guest.post('/invitations/read', { token })).json as { email: string }
  assert.equal(read.email, email)
  const chosen = { token, name: 'Guest', password: NEW_PASSWORD }
  assert.equal((await guest.post('/invitations/accept', chosen)).status, 200)
  assert.equal((await guest.get(`${path}/audit-log`)).status, 200, 'an admin reads the log')
  const { data } = (await owner.get(`${path}/members`)).json as { data: { email: string }[] }
  assert.ok(data.some((member) => member.email === email))
  assert.equal((await guest.post('/invitations/accept', chosen)).status, 404)
})

test('reset: mail, new password, and every session that was open is over', async () => {
  const { person, visitor } = await fixture.join(fixture.orgId, 'MEMBER')
  const canMail = (await visitor.get('/session')).json as { canMail: boolean }
  assert.equal(canMail.canMail, true)
  const stranger = fixture.visitor()
  assert.equal((await requestReset(stranger, person.email.toUpperCase())).status, 200)
  const mail = await mailTo(person.email)
  assert.equal(mail.headers['subject'], 'Choose a new password')
  const token = tokenIn(mail, '/reset-password')
  assert.equal((await visitor.get('/me')).status, 200, 'asking alone changes nothing')

  const complete = (with_: string) =>
    stranger.post('/password-resets/complete', { token: with_, password: NEW_PASSWORD })
  assert.equal((await complete(token)).status, 200)
  assert.equal((await visitor.get('/me')).status, 401)
  assert.equal((await fixture.visitor().signIn(person.email, PASSWORD)).status, 401)
  assert.equal((await fixture.visitor().signIn(person.email, NEW_PASSWORD)).status, 200)
  assert.equal((await complete(token)).status, 404)

  const notice = await mailTo(person.email, 2)
  assert.equal(notice.headers['subject'], 'Your password was changed')

  // A newer link invalidates the older one, and no mailbox is flooded.
  await requestReset(stranger, person.email)
  const second = tokenIn(await mailTo(person.email, 3), '/reset-password')
  await Promise.all(Array.from({ length: 10 }, () => requestReset(fixture.visitor(), person.email)))
  const third = tokenIn(await mailTo(person.email, 4), '/reset-password')
  await delay(QUIET_MS)
  assert.equal(sink.to(person.email).length, 4)
  assert.equal((await complete(second)).status, 404)
  assert.equal((await complete(third)).status, 200)
})

test('reset: the link lets its browser in while strangers keep the account locked', async () => {
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  const guess = () => fixture.visitor().signIn(person.email, 'guess')
  await Promise.all(Array.from({ length: 60 }, guess))
  const owner = fixture.visitor()
  assert.equal((await owner.signIn(person.email, PASSWORD)).status, 429, 'locked')
  await requestReset(owner, person.email)
  const token = tokenIn(await mailTo(person.email), '/reset-password')
  const wrong = { token: `${token.slice(0, -4)}AAAA`, password: NEW_PASSWORD }
  assert.equal((await owner.post('/password-resets/complete', wrong)).status, 404)
  assert.equal(
    (await owner.signIn(person.email, PASSWORD)).status,
    429,
    'a wrong link opens nothing',
  )
  const chosen = { token, password: NEW_PASSWORD }
  assert.equal((await owner.post('/password-resets/complete', chosen)).status, 200)
  assert.equal((await guess()).status, 429, 'still locked for everybody else')
  assert.equal((await owner.signIn(person.email, NEW_PASSWORD)).status, 200)
})

test('reset: the answer is the same whether there is such an account or not, and waits for nothing', async () => {
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  const unknown = await requestReset(fixture.visitor(), `x${person.email}`)
  // A handler that reads the account before it responds would block here.
  const held = 'select 1 from users where id = $1 for update'
  await fixture.db.holding(held, [person.uuid], async () => {
    const known = await Promise.race([
      requestReset(fixture.visitor(), person.email),
      delay(STUCK_MS),
    ])
    assert.ok(known, 'it waited for the account')
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
    assert.deepEqual(Object.keys(known.headers), Object.keys(unknown.headers))
  })
  await mailTo(person.email)
  assert.equal(sink.to(`x${person.email}`).length, 0)
})

test('reset: one address asks twenty times and no more', async () => {
  const visitor = fixture.visitor()
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, i) => requestReset(visitor, `nobody-${i}@example.com`)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 20)
  assert.equal(answers.filter(({ status }) => status === 429).length, 5)
})

const newEmail = () => `guest-${randomBytes(5).toString('hex')}@example.com`
const requestReset = (visitor: Visitor, email: string) =>
  visitor.post('/password-resets', { email })

/** Waits for the nth email to an address. */
async function mailTo(address: string, nth = 1): Promise<Received> {
  const endMs = performance.now() + WAIT_MS
  for (;;) {
    const found = sink.to(address)[nth - 1]
    if (found !== undefined) return found
    assert.ok(performance.now() < endMs, `waited in vain for mail ${nth} to ${address}`)
    await delay(50)
  }
}

/** The same link in text and HTML, its token in the fragment. */
function tokenIn({ html, text }: Received, page: string): string {
  const pattern = new RegExp(
    `${RegExp.escape(fixture.service.baseUrl + page)}#([\\w-]{43})(?![\\w-])`,
  )
  const token = pattern.exec(text)?.[1] ?? ''
  assert.match(token, /^[\w-]{43}$/, text)
  assert.equal(pattern.exec(html)?.[1], token)
  return token
}
