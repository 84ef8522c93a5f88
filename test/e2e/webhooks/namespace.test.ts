// The dispatcher where only public addresses are allowed: a network namespace that owns one, with names that resolve to
// internal addresses, redirects to them, and receivers that misbehave behind a valid certificate.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { toUuid } from '../../kit/ids.ts'
import { startPace } from '../../kit/pace.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { type Reply, startDnsServer } from '../../kit/targets/dns-server.ts'
import * as hostile from '../../kit/targets/hostile.ts'
import { listen } from '../../kit/targets/listen.ts'
import { canUseNamespaces, isInside, runInNamespace } from '../../kit/targets/namespace.ts'
import { startWebhookFixture } from './fixture.ts'

const PUBLIC = '11.22.33.44'
const INSIDE = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1']
const SETUP = [
  'ip link set lo up',
  ...[PUBLIC, '10.0.0.1', '169.254.169.254'].map((address) => `ip addr add ${address}/32 dev lo`),
]
const DEADLINE_MS = 15_000
const LATE_MS = 1_500
const MAX_GROWTH_BYTES = 64 * 1024 * 1024
const pace = startPace()

if (!isInside()) {
  const skip = !canUseNamespaces() && 'needs root and network namespaces'
  test('inside a namespace of its own', { skip }, (t) => {
    const { passed, failed, output } = runInNamespace(import.meta.filename, SETUP)
    assert.deepEqual([failed, passed > 0], [0, true], output)
    t.diagnostic(`${passed} inside; ${/ℹ (grown.*)/.exec(output)?.[1]}`)
  })
} else await runInside()

async function runInside(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-namespace-'))
  const authority = createAuthority()
  writeFileSync(join(directory, 'root.pem'), authority.root)
  const identity = authority.issue('receivers', { san: 'DNS:*.flip.test' })
  const dns = await startDnsServer(tricks())
  const fixture = await startWebhookFixture({
    // Only public addresses, only https: the default.
    WEBHOOK_ALLOW_CIDRS: '',
    WEBHOOK_ALLOW_HTTP: 'false',
    PROBE_DNS_SERVERS: dns.address,
    NODE_EXTRA_CA_CERTS: join(directory, 'root.pem'),
  })
  const { api, db } = fixture
  const closing: (() => Promise<void> | void)[] = []
  after(async () => {
    await fixture.stop()
    for (const close of closing) await close()
    dns.close()
    authority.remove()
    rmSync(directory, { recursive: true })
  })

  // Every address that must not be reached has a listener, on a port used by nothing else.
  let reached = 0
  const victim = () => createServer((socket) => void (socket.destroy(), (reached += 1)))
  const { port: victimPort, close } = await listen(victim(), '127.0.0.1')
  closing.push(close)
  for (const address of INSIDE.slice(1)) {
    const server: Server = victim().listen(victimPort, address)
    closing.push(() => void server.close())
  }

  async function receive(behave: (socket: TLSSocket) => void): Promise<number> {
    const server = await listen(createTlsServer(identity, behave), PUBLIC)
    closing.push(server.close)
    return server.port
  }

  /** One attempt by a test event. `url` may be one that the API would refuse. */
  async function sendTo(url: string) {
    // Disabled, because a test to an enabled endpoint is retried: this is about one attempt.
    const { id } = await api.createEndpoint({ eventTypes: ['webhook.test'], enabled: false })
    await db.run('update webhook_endpoints set url = $2 where id = $1', [toUuid(id), url])
    return testOf(id)
  }

  async function testOf(id: string) {
    const delivery = await fixture.ended((await api.testEndpoint(id)).id)
    const [attempt, ...more] = delivery.attempts
    assert.ok(attempt !== undefined && more.length === 0)
    return attempt
  }

  function rssBytes(): number {
    const status = readFileSync(`/proc/${fixture.dispatcher.process.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }

  const answers = (head: string) => (socket: TLSSocket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n`))
  }

  describe('inside', { concurrency: 32 }, () => {
    const beforeBytes = rssBytes()

    test('a public receiver is reached', async () => {
      const port = await receive(answers('204 No Content'))
      assert.equal((await sendTo(`https://public.flip.test:${port}/`)).outcome, 'SUCCEEDED')
    })

    test('a name that flips to loopback after the first delivery is not followed', async () => {
      const port = victimPort
      const server = createTlsServer(identity, answers('204 No Content')).listen(port, PUBLIC)
      closing.push(() => void server.close())
      const { id } = await api.createEndpoint({
        url: `https://flips.flip.test:${port}/`,
        eventTypes: ['webhook.test'],
        enabled: false,
      })
      assert.equal((await testOf(id)).outcome, 'SUCCEEDED')
      for (let i = 0; i < 3; i++) assert.equal((await testOf(id)).errorCode, 'TARGET_NOT_ALLOWED')
    })

    for (const name of ['loopback', 'private', 'metadata', 'six', 'mixed', 'alias'])
      test(`a name that leads inside (${name}): TARGET_NOT_ALLOWED`, async () => {
        const { errorCode } = await sendTo(`https://${name}.flip.test:${victimPort}/`)
        assert.equal(errorCode, 'TARGET_NOT_ALLOWED')
      })

    for (const host of literals())
      test(`https://${host}: TARGET_NOT_ALLOWED, however it got into the database`, async () => {
        const { errorCode } = await sendTo(`https://${host}:${victimPort}/`)
        assert.equal(errorCode, 'TARGET_NOT_ALLOWED')
      })

    test('plain http to a public address: TARGET_NOT_ALLOWED', async () => {
      assert.equal(
        (await sendTo(`http://${PUBLIC}:${victimPort}/`)).errorCode,
        'TARGET_NOT_ALLOWED',
      )
    })

    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254'])
      test(`a redirect to ${host} is a failure`, async () => {
        const to = `Location: http://${host}:${victimPort}/`
        const port = await receive(answers(`307 Temporary Redirect\r\n${to}`))
        const attempt = await sendTo(`https://redirects.flip.test:${port}/`)
        assert.deepEqual([attempt.errorCode, attempt.responseStatus], ['BAD_STATUS', 307])
      })

    type Row = [string, hostile.Hostility, string | null, 'AT_DEADLINE' | 'AT_ONCE']
    // biome-ignore format: a table is read by its columns
    const rows: Row[] = [
      ['dripping headers', hostile.dripHeaders,   'TIMEOUT',           'AT_DEADLINE'],
      ['dripping body',    hostile.dripBody,      null,                'AT_DEADLINE'], // 200 arrived in time
      ['endless body',     hostile.endlessChunks, null,                'AT_ONCE'],
      ['header bomb',      hostile.headerBomb,    'CONNECTION_FAILED', 'AT_ONCE'],
    ]
    for (const [name, behave, errorCode, when] of rows)
      test(`${name} behind TLS: ${errorCode ?? 'success'}, ${when}`, async () => {
        const port = await receive(behave)
        assertTime(await sendTo(`https://hostile.flip.test:${port}/`), errorCode, when)
      })

    test('mute TLS: TIMEOUT, AT_DEADLINE', async () => {
      const server = await listen(createServer(hostile.mute), PUBLIC)
      closing.push(server.close)
      const url = `https://hostile.flip.test:${server.port}/`
      assertTime(await sendTo(url), 'TIMEOUT', 'AT_DEADLINE')
    })

    test('a name server that stays mute: an answer within the deadline', async () => {
      const attempt = await sendTo(`https://mute.flip.test:${victimPort}/`)
      assert.ok(attempt.errorCode === 'DNS_ERROR' || attempt.errorCode === 'TIMEOUT')
      assert.ok(
        attempt.durationMs <= DEADLINE_MS + LATE_MS + pace.slackMs(),
        `${attempt.durationMs}`,
      )
    })

    after(() => {
      const grownBytes = rssBytes() - beforeBytes
      assert.equal(reached, 0, 'somebody inside was reached')
      assert.ok(grownBytes < MAX_GROWTH_BYTES, `grown by ${grownBytes} bytes`)
    })
  })

  test('nobody inside was reached, and memory stayed flat', (t) => {
    assert.equal(reached, 0)
    t.diagnostic(`grown to ${(rssBytes() / 1024 / 1024).toFixed(0)} MiB, ${reached} reached inside`)
  })
}

type Shown = { errorCode: string | null; error: string | null; durationMs: number }

function assertTime(attempt: Shown, errorCode: string | null, when: 'AT_DEADLINE' | 'AT_ONCE') {
  assert.equal(attempt.errorCode, errorCode, attempt.error ?? '')
  const [least, most] =
    when === 'AT_ONCE' ? [0, 5_000] : [DEADLINE_MS - 50, DEADLINE_MS + LATE_MS + pace.slackMs()]
  assert.ok(attempt.durationMs >= least && attempt.durationMs <= most, `${attempt.durationMs}`)
}

/** Spellings of an internal address. */
function literals(): string[] {
  const four = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '0.0.0.0', '10.0.0.1']
  const six = ['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::]']
  return [...four, ...six, '169.254.169.254', 'localhost', 'a.localhost', 'localhost.']
}

/** The first label says how a name behaves; `flips` is public once. */
function tricks() {
  let flips = 0
  return ({ name, type }: { name: string; type: string }): Reply | undefined => {
    const [trick = ''] = name.split('.')
    if (trick === 'mute') return 'SILENCE'
    const four: Record<string, () => string[]> = {
      public: () => [PUBLIC],
      hostile: () => [PUBLIC],
      redirects: () => [PUBLIC],
      flips: () => [flips++ === 0 ? PUBLIC : '127.0.0.1'],
      loopback: () => ['127.0.0.1'],
      private: () => ['10.0.0.1'],
      metadata: () => ['169.254.169.254'],
      mixed: () => [PUBLIC, '127.0.0.1'],
    }
    if (trick === 'alias' && type === 'A')
      return {
        answers: [
          { type: 'CNAME', name, data: 'inside.test' },
          { type: 'A', name: 'inside.test', data: '127.0.0.1' },
        ],
      }
    if (trick === 'six' && type === 'AAAA')
      return { answers: [{ type: 'AAAA', name, data: '::1' }] }
    const found = type === 'A' ? four[trick]?.() : undefined
    return found && { answers: found.map((data) => ({ type: 'A', name, data })) }
  }
}
