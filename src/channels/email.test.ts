// Emails through a real SMTP server on loopback.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type SinkOptions, startSmtpSink, type Verdict } from '../../test/kit/smtp-sink.ts'
import { createAuthority } from '../../test/kit/targets/certificates.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import type { SendResult } from '../domain/events/delivery-outcome.ts'
import type { SmtpRelay } from '../platform/config/smtp-config.ts'
import type { Email } from './email/compose.ts'
import { Relay } from './email/relay.ts'
import type { RenderedEmail } from './email/templates.ts'
import { sendEmail } from './email.ts'

const DEADLINE_MS = 5_000
const authority = createAuthority()
after(() => authority.remove())
const trusted = authority.issue('trusted', { san: 'IP:127.0.0.1' })
const unknown = authority.issue('unknown', { san: 'IP:127.0.0.1', by: 'itself' })
setDefaultCACertificates([...getCACertificates('default'), authority.root])

const CONTENT: RenderedEmail = {
  locale: 'en',
  subject: 'Investigating: Login errors',
  html: '<p>We are <b>looking</b>.</p>',
  text: 'We are looking.\n.\nA dot alone on a line ends nothing.\n',
}
const EMAIL: Email = {
  content: CONTENT,
  from: { name: 'Acme Status', address: 'status@upvane.example' },
  to: 'ana@example.com',
  messageId: '<0193@upvane.example>',
  date: new Date('2026-11-14T12:00:00Z'),
  threadId: '<sin_1@upvane.example>',
  list: { id: 'sp_1.upvane.example', unsubscribe: 'https://upvane.example/u/secret' },
}

test('a mail arrives whole, with what mail programs need to treat it as what it is', async (t) => {
  const { sink, send } = await openRelay(t)
  const result = await send()
  assert.equal(result.outcome, 'SUCCEEDED')
  assert.equal(result.responseStatus, 250)
  const [mail] = sink.mails
  assert.ok(mail)
  assert.equal(mail.from, 'status@upvane.example')
  assert.equal(mail.to, 'ana@example.com')
  assert.equal(mail.text, CONTENT.text)
  assert.equal(mail.html, CONTENT.html)
  const { 'content-type': type, 'mime-version': version, ...headers } = mail.headers
  assert.match(type ?? '', /^multipart\/alternative;/)
  assert.equal(version, '1.0')
  assert.deepEqual(headers, {
    from: 'Acme Status <status@upvane.example>',
    to: 'ana@example.com',
    subject: 'Investigating: Login errors',
    date: 'Sat, 14 Nov 2026 12:00:00 +0000',
    'message-id': '<0193@upvane.example>',
    references: '<sin_1@upvane.example>',
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    'content-language': 'en',
    'list-id': '<sp_1.upvane.example>',
    'list-unsubscribe': '<https://upvane.example/u/secret>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
})

test('every attempt sends the same bytes', async (t) => {
  const { sink, send } = await openRelay(t)
  await send()
  await send()
  assert.equal(sink.mails.length, 2)
  assert.equal(sink.mails[0]?.raw, sink.mails[1]?.raw)
})

test('what people wrote makes no header and no line of its own', async (t) => {
  const { sink, send } = await openRelay(t)
  const evil = 'Down\r\nBcc: eve@example.com\r\n\r\nOwned'
  await send({ content: { ...CONTENT, subject: evil }, from: { ...EMAIL.from, name: evil } })
  const [mail] = sink.mails
  assert.equal(mail?.headers['subject'], 'Down Bcc: eve@example.com Owned')
  assert.equal(mail?.headers['bcc'], undefined)
  assert.equal(mail?.text, CONTENT.text)
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    ['ana@example.com'],
  )
  assert.match(mail?.headers['from'] ?? '', /^"?Down Bcc: eve@example.com Owned"? <status@upvane/)
})

test('long subjects in any script come through, on lines of a lawful length', async (t) => {
  const { sink, send } = await openRelay(t)
  const subject = `調査中: ${'状態ページ '.repeat(25)}ü`
  await send({ content: { ...CONTENT, subject, text: `${'ü'.repeat(3000)}\n` } })
  const [mail] = sink.mails
  assert.equal(mail?.headers['subject'], subject)
  assert.equal(mail?.text, `${'ü'.repeat(3000)}\n`)
  assert.ok(mail?.raw.split('\r\n').every((line) => line.length <= 998))
})

const REFUSED = { code: 550, words: '5.1.1 <ana@example.com>: nobody of that name' }
// biome-ignore format: a table is read by its columns
const verdicts: [string, Verdict, Partial<SendResult>][] = [
  ['an unknown recipient ends his delivery',      REFUSED,                                         { responseStatus: 550, errorCode: 'BAD_STATUS', isReceiverFault: false, next: 'OVER' }],
  ['a recipient who is put off is tried again',   { code: 451, words: '4.7.1 Greylisted' },        { responseStatus: 451, errorCode: 'BAD_STATUS', isReceiverFault: false, next: 'RETRY' }],
  ['a relay that lets nobody send is at fault',   { code: 554, words: '5.7.1 Relay denied' },      { responseStatus: 554, errorCode: 'BAD_STATUS', isReceiverFault: true, next: 'RETRY' }],
  ['a relay that stays silent is late',           'SILENCE',                                       { responseStatus: null, errorCode: 'TIMEOUT', isReceiverFault: true, next: 'RETRY' }],
]
for (const [name, verdict, expected] of verdicts)
  test(name, async (t) => {
    const { sink, send } = await openRelay(t, { judge: () => verdict })
    const startMs = performance.now()
    const result = await send({}, 700)
    assert.ok(performance.now() - startMs < 1500, 'the deadline holds')
    assert.equal(result.outcome, 'FAILED')
    for (const [key, value] of Object.entries(expected))
      assert.equal(result[key as keyof SendResult], value, key)
    assert.doesNotMatch(JSON.stringify(result), /ana@example/, 'the address is nowhere in it')
    assert.equal(sink.mails.length, 0)
  })

test('a mail the relay refuses for what it says ends; one it cannot take now is tried again', async (t) => {
  let code = 554
  const { send } = await openRelay(t, { judgeMail: () => ({ code, words: '5.6.0 No' }) })
  assert.deepEqual(part(await send()), {
    next: 'OVER',
    isReceiverFault: false,
    responseStatus: 554,
  })
  code = 452
  assert.deepEqual(part(await send()), {
    next: 'RETRY',
    isReceiverFault: false,
    responseStatus: 452,
  })
})

test('a relay that is away is at fault, and nothing is given up', async (t) => {
  const { sink, send } = await openRelay(t)
  await sink.close()
  const result = await send()
  assert.equal(result.errorCode, 'CONNECTION_FAILED')
  assert.deepEqual(part(result), { next: 'RETRY', isReceiverFault: true, responseStatus: null })
})

// biome-ignore format: a table is read by its columns
const secured: [string, SinkOptions, Partial<SmtpRelay>, errorCode: string | null][] = [
  ['STARTTLS with a trusted certificate',           { identity: trusted },                    { security: 'STARTTLS' },      null],
  ['STARTTLS with an unknown certificate',          { identity: unknown },                    { security: 'STARTTLS' },      'TLS_ERROR'],
  ['STARTTLS that the relay does not offer',        {},                                       { security: 'STARTTLS' },      'TLS_ERROR'],
  ['opportunistic TLS with an unknown certificate', { identity: unknown },                    { security: 'OPPORTUNISTIC' }, null],
  ['TLS from the first byte',                       { identity: trusted, implicitTls: true }, { security: 'TLS' },           null],
  ['TLS from the first byte, unknown certificate',  { identity: unknown, implicitTls: true }, { security: 'TLS' },           'TLS_ERROR'],
]
for (const [name, options, relay, errorCode] of secured)
  test(`${name} -> ${errorCode ?? 'sent, encrypted'}`, async (t) => {
    const { sink, send } = await openRelay(t, options, relay)
    const result = await send()
    assert.equal(result.errorCode, errorCode, String(result.error))
    assert.deepEqual(
      sink.mails.map(({ isEncrypted }) => isEncrypted),
      errorCode === null ? [true] : [],
    )
  })

test('TLS that is turned off is not used, though the relay offers it', async (t) => {
  const { sink, send } = await openRelay(t, { identity: unknown })
  assert.equal((await send()).outcome, 'SUCCEEDED')
  assert.equal(sink.mails[0]?.isEncrypted, false)
})

test('a password opens the relay; a wrong one is the operator’s to mend, and loses no mail', async (t) => {
  const login = { user: 'upvane', password: 'p:w %' }
  const { sink, send } = await openRelay(
    t,
    { login, identity: trusted },
    { security: 'STARTTLS', credentials: login },
  )
  assert.equal((await send()).outcome, 'SUCCEEDED')
  assert.equal(sink.mails[0]?.user, 'upvane')
  const credentials = { ...login, password: 'wrong' }
  const wrong = await openRelay(
    t,
    { login, identity: trusted },
    { security: 'STARTTLS', credentials },
  )
  const refused = await wrong.send()
  assert.deepEqual(part(refused), { next: 'RETRY', isReceiverFault: true, responseStatus: 535 })
})

test('mails share a few connections', async (t) => {
  const { sink, send } = await openRelay(t)
  for (let i = 0; i < 5; i++) assert.equal((await send()).outcome, 'SUCCEEDED')
  assert.equal(sink.connections, 1)
  const results = await Promise.all(Array.from({ length: 150 }, () => send()))
  assert.ok(results.every(({ outcome }) => outcome === 'SUCCEEDED'))
  assert.ok(sink.connections <= 12, `${sink.connections} connections`)
  assert.equal(sink.mails.length, 155)
})

test('a kept connection that the relay closed meanwhile costs no attempt', async (t) => {
  const { sink, relay, send } = await openRelay(t)
  assert.equal((await send()).outcome, 'SUCCEEDED')
  await sink.close()
  const next = await startSmtpSink({ port: sink.port })
  t.after(() => next.close())
  assert.equal((await send()).outcome, 'SUCCEEDED')
  assert.equal(next.mails.length, 1)
  relay.close()
})

test('a kept connection that breaks in the moment it is used costs no attempt; a new one that breaks does', async (t) => {
  const sink = await startSmtpSink()
  let isCutting = false
  let cuts = 0
  const between = createServer((near) => {
    const far = connect(sink.port, '127.0.0.1')
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.on('data', (chunk) => {
      if (!isCutting) return void far.write(chunk)
      cuts += 1
      near.resetAndDestroy()
      far.destroy()
    })
    far.on('data', (chunk) => near.write(chunk))
    near.on('close', () => far.destroy())
  })
  const { port, close } = await listen(between)
  const relay = new Relay(
    { host: '127.0.0.1', port, security: 'NONE', credentials: undefined },
    'upvane.example',
  )
  t.after(async () => {
    relay.close()
    await close()
    await sink.close()
  })
  assert.equal((await sendEmail(relay, EMAIL, DEADLINE_MS)).outcome, 'SUCCEEDED')
  isCutting = true
  const sending = sendEmail(relay, EMAIL, DEADLINE_MS)
  while (cuts === 0) await delay(1)
  isCutting = false
  assert.equal((await sending).outcome, 'SUCCEEDED')
  assert.equal(sink.mails.length, 2)

  isCutting = true
  const failed = await sendEmail(relay, EMAIL, DEADLINE_MS)
  assert.deepEqual(part(failed), { next: 'RETRY', isReceiverFault: true, responseStatus: null })
})

type Hooks = { after(work: () => unknown): void }

async function openRelay(t: Hooks, options: SinkOptions = {}, more: Partial<SmtpRelay> = {}) {
  const sink = await startSmtpSink(options)
  const place = { host: '127.0.0.1', port: sink.port }
  const relay = new Relay(
    { ...place, security: 'NONE', credentials: undefined, ...more },
    'upvane.example',
  )
  t.after(async () => {
    relay.close()
    await sink.close()
  })
  const send = (changes: Partial<Email> = {}, deadlineMs = DEADLINE_MS) =>
    sendEmail(relay, { ...EMAIL, ...changes }, deadlineMs)
  return { sink, relay, send }
}

const part = ({ next, isReceiverFault, responseStatus }: SendResult) => ({
  next,
  isReceiverFault,
  responseStatus,
})
