import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'
import { isSender, parseSmtpUrl, type SmtpSecurity } from './smtp-config.ts'

// biome-ignore format: a table is read by its columns
const sound: [url: string, host: string, port: number, security: SmtpSecurity, user?: string][] = [
  ['smtp://localhost',                                'localhost',         25,   'OPPORTUNISTIC'],
  ['smtp://10.0.0.5:2525',                            '10.0.0.5',          2525, 'OPPORTUNISTIC'],
  ['smtp://mail.example.com?tls=required',            'mail.example.com',  587,  'STARTTLS'],
  ['smtp://mail.example.com?tls=off',                 'mail.example.com',  25,   'NONE'],
  ['smtp://ana:secret@mail.example.com',              'mail.example.com',  587,  'STARTTLS', 'ana'],
  ['smtp://ana%40example.com:p%3Aw@mail.example.com', 'mail.example.com',  587,  'STARTTLS', 'ana@example.com'],
  ['smtp://ana:secret@127.0.0.1:1025?tls=off',        '127.0.0.1',         1025, 'NONE', 'ana'],
  ['smtps://ana:secret@mail.example.com',             'mail.example.com',  465,  'TLS', 'ana'],
  ['smtps://[2001:db8::1]:4465/',                     '2001:db8::1',       4465, 'TLS'],
]

for (const [url, host, port, security, user] of sound)
  test(`${url} -> ${security} at ${host}:${port}`, () => {
    const relay = parseSmtpUrl(url)
    assert.ok(typeof relay === 'object', String(relay))
    assert.deepEqual(
      { ...relay, credentials: undefined },
      { host, port, security, credentials: undefined },
    )
    assert.equal(relay.credentials?.user, user)
  })

const refused = [
  'mail.example.com:25',
  'http://mail.example.com',
  'smtp://',
  'smtp://ana@mail.example.com',
  'smtp://:secret@mail.example.com',
  'smtp://ana:100%@mail.example.com',
  'smtp://mail.example.com?tls=maybe',
  'smtp://mail.example.com?secure=true',
  'smtp://mail.example.com/path',
  'smtps://mail.example.com?tls=off',
  'smtp://ana:secret@mail.example.com?tls=opportunistic',
]

for (const url of refused)
  test(`${url} is refused, and the password is not in what is said of it`, () => {
    const problem = parseSmtpUrl(url)
    assert.equal(typeof problem, 'string')
    assert.doesNotMatch(String(problem), /secret|100%/)
  })

test('the sender is an address and nothing else', () => {
  assert.ok(isSender('status@example.com'))
  for (const text of ['', 'Status <status@example.com>', 'status', 'a@b@c', 'a@b\r\nBcc: c@d'])
    assert.equal(isSender(text), false, text)
})

test('readConfig: a relay needs a sender; without a relay nothing is sent', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const base = { DATABASE_URL: 'postgres://u@db/upvane', MASTER_KEYS: `k1:${key}` }
  assert.equal(readConfig({ ...base, SMTP_FROM: 'status@example.com' }).smtp, undefined)
  const { smtp } = readConfig({
    ...base,
    SMTP_URL: 'smtp://relay',
    SMTP_FROM: 'status@example.com',
  })
  assert.equal(smtp?.from, 'status@example.com')
  for (const [more, wrong] of [
    [{ SMTP_URL: 'smtp://relay' }, /^SMTP_FROM is required$/],
    [{ SMTP_URL: 'relay', SMTP_FROM: 'status@example.com' }, /^SMTP_URL must be a URL/],
    [{ SMTP_URL: 'smtp://relay', SMTP_FROM: 'Status' }, /^SMTP_FROM must be the address/],
  ] as const)
    assert.throws(
      () => readConfig({ ...base, ...more }),
      (error) => error instanceof ConfigError && wrong.test(error.problems.join('\n')),
    )
})
