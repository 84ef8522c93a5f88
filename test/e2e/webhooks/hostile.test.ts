// Receivers that misbehave on purpose: the deadline holds, memory stays flat, no other delivery waits.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startPace } from '../../kit/pace.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import * as hostile from '../../kit/targets/hostile.ts'
import { listen } from '../../kit/targets/listen.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startWebhookFixture } from './fixture.ts'

const DEADLINE_MS = 15_000
const LATE_MS = 1_500
const MAX_GROWTH_BYTES = 64 * 1024 * 1024
const pace = startPace()

const directory = mkdtempSync(join(tmpdir(), 'upvane-webhooks-'))
const authority = createAuthority()
writeFileSync(join(directory, 'root.pem'), authority.root)
const dns = await startDnsServer(({ name }) =>
  name === 'rebound.test'
    ? { answers: [{ type: 'A', name, data: '127.0.0.9' }] }
    : name === 'receiver.test'
      ? { answers: [{ type: 'A', name, data: '127.0.0.1' }] }
      : 'NXDOMAIN',
)
const fixture = await startWebhookFixture({
  WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  PROBE_DNS_SERVERS: dns.address,
  NODE_EXTRA_CA_CERTS: join(directory, 'root.pem'),
})
const { api } = fixture
const closing: (() => Promise<void> | void)[] = [
  () => dns.close(),
  () => authority.remove(),
  () => rmSync(directory, { recursive: true }),
]
after(async () => {
  await fixture.stop()
  for (const close of closing) await close()
})

async function sendTo(url: string) {
  // Disabled, because a test to an enabled endpoint is retried: this is about one attempt.
  const { id } = await api.createEndpoint({ url, eventTypes: ['webhook.test'], enabled: false })
  const delivery = await fixture.ended((await api.testEndpoint(id)).id)
  const [attempt, ...more] = delivery.attempts
  assert.ok(attempt !== undefined && more.length === 0)
  return attempt
}

async function serve(behave: hostile.Hostility): Promise<number> {
  const server = await hostile.startHostile(behave)
  closing.push(server.close)
  return server.port
}

async function tlsReceiver(name: string, options = {}) {
  const web = await startWeb(authority.issue(name, options))
  closing.push(web.close)
  return web
}

function rssBytes(): number {
  const status = readFileSync(`/proc/${fixture.dispatcher.process.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

type Row = [string, 'http' | 'https', hostile.Hostility, string | null, 'AT_DEADLINE' | 'AT_ONCE']
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['mute TCP',               'http',  hostile.mute,          'TIMEOUT',           'AT_DEADLINE'],
  ['mute TLS',               'https', hostile.mute,          'TIMEOUT',           'AT_DEADLINE'],
  ['never reads',            'http',  hostile.zeroWindow,    'TIMEOUT',           'AT_DEADLINE'],
  ['dripping headers',       'http',  hostile.dripHeaders,   'TIMEOUT',           'AT_DEADLINE'],
  ['dripping body',          'http',  hostile.dripBody,      null,                'AT_DEADLINE'], // 200 arrived in time
  ['endless body',           'http',  hostile.endlessChunks, null,                'AT_ONCE'],
  ['header bomb',            'http',  hostile.headerBomb,    'CONNECTION_FAILED', 'AT_ONCE'],
  ['1xx flood',              'http',  hostile.floodOf1xx,    'CONNECTION_FAILED', 'AT_ONCE'],
  ['ends without an answer', 'http',  hostile.halfClose,     'CONNECTION_FAILED', 'AT_ONCE'],
  ['reset at once',          'http',  hostile.resetAtOnce,   'CONNECTION_FAILED', 'AT_ONCE'],
  ['reset in its body',      'http',  hostile.resetMidBody,  null,                'AT_ONCE'],
  ['garbage',                'http',  hostile.garbage,       'CONNECTION_FAILED', 'AT_ONCE'],
  ['garbage for TLS',        'https', hostile.garbage,       'CONNECTION_FAILED', 'AT_ONCE'],
]

describe('hostile receivers', { concurrency: 32 }, () => {
  const beforeBytes = rssBytes()
  for (const [name, scheme, behave, errorCode, when] of rows)
    test(`${name}: ${errorCode ?? 'success'}, ${when}`, async () => {
      const attempt = await sendTo(`${scheme}://127.0.0.1:${await serve(behave)}/`)
      assert.equal(attempt.errorCode, errorCode, attempt.error ?? '')
      const [least, most] =
        when === 'AT_ONCE' ? [0, 5_000] : [DEADLINE_MS - 50, DEADLINE_MS + LATE_MS + pace.slackMs()]
      assert.ok(attempt.durationMs >= least && attempt.durationMs <= most, `${attempt.durationMs}`)
      assert.ok((attempt.responseBody ?? '').length <= 16 * 1024)
    })

  test('a healthy receiver is served while they hang', async () => {
    const web = await startWeb()
    closing.push(web.close)
    for (let i = 0; i < 5; i++) {
      const page = web.page({})
      const attempt = await sendTo(page.url)
      assert.equal(attempt.outcome, 'SUCCEEDED')
      assert.ok(attempt.durationMs < 3_000)
    }
  })

  test('a name that resolves to an address that is not allowed is not connected to', async () => {
    let connections = 0
    const victim = createServer(() => (connections += 1))
    const { port, close } = await listen(victim, '127.0.0.9')
    closing.push(close)
    const attempt = await sendTo(`https://rebound.test:${port}/`)
    assert.equal(attempt.errorCode, 'TARGET_NOT_ALLOWED')
    assert.equal(connections, 0)
  })

  test('no such name: DNS_ERROR', async () => {
    assert.equal((await sendTo('https://nobody.test/')).errorCode, 'DNS_ERROR')
  })

  test('nobody listens: CONNECTION_FAILED', async () => {
    const { port, close } = await listen(createServer())
    await close()
    assert.equal((await sendTo(`http://127.0.0.1:${port}/`)).errorCode, 'CONNECTION_FAILED')
  })

  test('TLS: a trusted certificate passes, an expired, foreign or self-signed one does not', async () => {
    const good = await tlsReceiver('receiver.test')
    const trusted = `https://receiver.test:${good.port}${new URL(good.page({}).url).pathname}`
    assert.equal((await sendTo(trusted)).outcome, 'SUCCEEDED')
    const past = { notBefore: new Date(Date.now() - 9e8), notAfter: new Date(Date.now() - 1e8) }
    for (const [name, options] of [
      ['expired', { san: 'DNS:receiver.test', ...past }],
      ['foreign', { san: 'DNS:other.test' }],
      ['own', { san: 'DNS:receiver.test', by: 'itself' }],
    ] as const) {
      const bad = await tlsReceiver(name, options)
      const page = bad.page({})
      const url = `https://receiver.test:${bad.port}${new URL(page.url).pathname}`
      assert.equal((await sendTo(url)).errorCode, 'TLS_ERROR', name)
      assert.equal(page.seen.length, 0)
    }
  })

  after(() => {
    const grownBytes = rssBytes() - beforeBytes
    assert.ok(grownBytes < MAX_GROWTH_BYTES, `grown by ${grownBytes} bytes`)
  })
})
