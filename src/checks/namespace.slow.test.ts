// What loopback cannot show: public addresses, lost packets, ICMP permissions, exhausted ports.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, connect as dial, type Socket } from 'node:net'
import { after, test } from 'node:test'
import {
  type AttemptFixture,
  type AttemptFixtureOptions,
  httpTarget,
  openAttemptFixture,
} from '../../test/kit/targets/attempt-fixture.ts'
import type { Script } from '../../test/kit/targets/dns-server.ts'
import { type Listening, listen } from '../../test/kit/targets/listen.ts'
import { canUseNamespaces, isInside, runInNamespace } from '../../test/kit/targets/namespace.ts'
import type { CheckTarget } from './registry.ts'

const PUBLIC = '11.22.33.44'
const PUBLIC_SIX = '2606:4700::44'
const LOST = '11.22.33.45'
const LOST_SIX = '2606:4700::45'
const SLOW = '11.22.33.46'
const PRIVATE = '10.0.0.1'
const SETUP = [
  'ip link set lo up',
  ...[PUBLIC, LOST, SLOW, PRIVATE].map((address) => `ip addr add ${address}/32 dev lo`),
  ...[PUBLIC_SIX, LOST_SIX].map((address) => `ip -6 addr add ${address}/128 dev lo nodad`),
  'nft add table inet t',
  'nft add chain inet t in "{ type filter hook input priority 0; }"',
  `nft add rule inet t in ip daddr ${LOST} drop`,
  `nft add rule inet t in ip6 daddr ${LOST_SIX} drop`,
]
const timeoutSeconds = 5

if (!isInside()) {
  const skip = !canUseNamespaces() && 'needs root and network namespaces'
  test('inside a namespace of its own', { skip }, () => {
    const { passed, failed, output } = runInNamespace(import.meta.filename, SETUP)
    assert.deepEqual([failed, passed > 0], [0, true], output)
  })
} else runInside()

function runInside(): void {
  const closers: (() => unknown)[] = []
  after(() => Promise.all(closers.map((close) => close())))
  const open = async (options: AttemptFixtureOptions = {}): Promise<AttemptFixture> => {
    const fixture = await openAttemptFixture(options)
    closers.push(fixture.close)
    return fixture
  }
  const opened = async (listening: Promise<Listening>): Promise<number> => {
    const { port, close } = await listening
    closers.push(close)
    return port
  }
  const allowPings = (range: string) => writeFileSync('/proc/sys/net/ipv4/ping_group_range', range)
  const ping = (host: string): CheckTarget => ({ type: 'PING', host, timeoutSeconds })

  test('PING by the ICMP socket, without any program', async () => {
    allowPings('0 2147483647')
    const path = process.env['PATH']
    process.env['PATH'] = '/nowhere'
    const fixture = await open({ allowCidrs: [] })
    const attempts = await Promise.all(
      [PUBLIC, PUBLIC_SIX].map((host) => fixture.attempt(ping(host))),
    )
    for (const attempt of attempts) {
      assert.ok(attempt.outcome === 'OK', JSON.stringify(attempt))
      assert.ok((attempt.responseMs ?? 99) < 20 && attempt.durationMs >= 600)
    }
    const lost = await fixture.attempt(ping(LOST), 1_000)
    assert.ok(lost.outcome === 'FAILED' && lost.causeCode === 'PING_NO_REPLY', JSON.stringify(lost))
    assert.ok(lost.durationMs < 1_250)
    const away = await fixture.attempt(ping('12.0.0.1'), 1_000)
    assert.ok(away.outcome === 'INCONCLUSIVE' && away.reason === 'NO_ROUTE', JSON.stringify(away))
    process.env['PATH'] = path
  })

  test('PING by the program, where the kernel gives no socket', async () => {
    allowPings('1 0')
    const fixture = await open({ allowCidrs: [] })
    for (const host of [PUBLIC, PUBLIC_SIX]) {
      const attempt = await fixture.attempt(ping(host))
      assert.ok(attempt.outcome === 'OK', JSON.stringify(attempt))
    }
    const lost = await fixture.attempt(ping(LOST), 1_000)
    assert.ok(lost.outcome === 'FAILED' && lost.causeCode === 'PING_NO_REPLY', JSON.stringify(lost))
    assert.ok(lost.durationMs < 1_250)
    const away = await fixture.attempt(ping('12.0.0.1'), 1_000)
    assert.ok(away.outcome === 'INCONCLUSIVE' && away.reason === 'NO_ROUTE', JSON.stringify(away))
  })

  test('PING with neither is inconclusive, loudly', async () => {
    allowPings('1 0')
    const path = process.env['PATH']
    process.env['PATH'] = '/nowhere'
    const attempt = await (await open({ allowCidrs: [] })).attempt(ping(PUBLIC))
    process.env['PATH'] = path
    assert.ok(attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'NO_PING')
  })

  test('a failed public page leaves the first 1 kB as evidence', async () => {
    const page = createHttpServer((request, response) => {
      response.writeHead(500)
      if (request.url === '/slow') response.write('slowly')
      else response.end(`<b>down</b>\0${'é'.repeat(2_000)}`)
    })
    const port = await opened(listen(page, PUBLIC))
    const fixture = await open({ allowCidrs: [] })
    const attempt = await fixture.attempt(httpTarget(`http://${PUBLIC}:${port}/`))
    assert.ok(attempt.outcome === 'FAILED' && attempt.httpStatus === 500)
    assert.match(attempt.bodyExcerpt ?? '', /^<b>down<\/b>\uFFFDé{506}$/)
    const slow = await fixture.attempt(httpTarget(`http://${PUBLIC}:${port}/slow`), 5_000)
    assert.ok(slow.outcome === 'FAILED' && slow.bodyExcerpt === 'slowly')
    assert.ok(slow.durationMs > 900 && slow.durationMs < 1_250, `${slow.durationMs} ms`)
  })

  const names: Script = ({ name, type }) => {
    const four: Record<string, string[]> = {
      'dual.test': [PUBLIC],
      'slow.test': [SLOW],
      'six.test': [LOST],
      'inside.test': [PRIVATE],
      'mixed.test': [PUBLIC, PRIVATE],
    }
    const six: Record<string, string[]> = {
      'dual.test': [LOST_SIX],
      'slow.test': [LOST_SIX],
      'six.test': [PUBLIC_SIX],
    }
    if (name === 'alias.test')
      return {
        answers: [
          { type: 'CNAME', name, data: 'inside.test' },
          { type: 'A', name: 'inside.test', data: PRIVATE },
        ],
      }
    if (type === 'A') return { answers: (four[name] ?? []).map((data) => ({ type, name, data })) }
    if (type === 'AAAA') return { answers: (six[name] ?? []).map((data) => ({ type, name, data })) }
    return undefined
  }

  test('a dead address of one family beside a good one of the other is up within 2 s', async () => {
    const four = await opened(listen(createServer(), PUBLIC))
    const six = await opened(listen(createServer(), PUBLIC_SIX))
    const fixture = await open({ dns: names, allowCidrs: [] })
    for (const [host, port] of [
      ['dual.test', four],
      ['six.test', six],
      [PUBLIC_SIX, six],
    ] as const) {
      const attempt = await fixture.attempt({ type: 'PORT', host, port, timeoutSeconds })
      assert.ok(attempt.outcome === 'OK', `${host} ${JSON.stringify(attempt)}`)
      assert.ok(attempt.durationMs < 2_000)
    }
  })

  test('a slow address that works is not given up for being slow', async () => {
    const port = await opened(listen(createServer(), SLOW))
    execFileSync('nft', ['insert', 'rule', 'inet', 't', 'in', 'ip', 'daddr', SLOW, 'drop'])
    const heal = setTimeout(() => execFileSync('nft', ['flush', 'chain', 'inet', 't', 'in']), 600)
    const fixture = await open({ dns: names, allowCidrs: [] })
    const target: CheckTarget = { type: 'PORT', host: 'slow.test', port, timeoutSeconds }
    const attempt = await fixture.attempt(target, 4_000)
    clearTimeout(heal)
    assert.ok(attempt.outcome === 'OK', JSON.stringify(attempt))
    assert.ok((attempt.responseMs ?? 0) > 600)
  })

  test('mail ports of public addresses are for PORT only', async () => {
    let connections = 0
    const mail = createServer((socket) => {
      connections += 1
      socket.on('error', () => undefined)
      socket.end('220 hello\r\n')
    })
    await new Promise<void>((resolve) => mail.listen(25, PUBLIC, resolve))
    closers.push(() => mail.close())
    const fixture = await open({ allowCidrs: [] })
    const http = await fixture.attempt(httpTarget(`http://${PUBLIC}:25/`))
    assert.ok(http.outcome === 'FAILED' && http.causeCode === 'TARGET_NOT_ALLOWED')
    assert.equal(connections, 0)
    const port = await fixture.attempt({ type: 'PORT', host: PUBLIC, port: 25, timeoutSeconds })
    assert.equal(port.outcome, 'OK')
  })

  test('no road leads inside: literals, names, aliases, redirects', async () => {
    let reached = 0
    const victim = () => createServer(() => void (reached += 1))
    const host = [PRIVATE, '127.0.0.1', '::1']
    const ports = await Promise.all(host.map((address) => opened(listen(victim(), address))))
    const literals = ['127.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]', '0', PRIVATE]
    const wanted = [...literals, 'localhost', 'inside.test', 'alias.test', 'mixed.test']
    const urls = wanted.flatMap((name) => ports.map((port) => `http://${name}:${port}/`))
    const redirecting = createHttpServer((request, response) => {
      response.writeHead(302, { Location: decodeURIComponent(request.url?.slice(1) ?? '') }).end()
    })
    const door = await opened(listen(redirecting, PUBLIC))
    const fixture = await open({ dns: names, allowCidrs: [] })
    for (const url of urls) {
      const { hostname, port } = new URL(url)
      const targets: CheckTarget[] = [
        httpTarget(url),
        httpTarget(`http://${PUBLIC}:${door}/${encodeURIComponent(url)}`),
        { type: 'PORT', host: hostname.replace(/[[\]]/g, ''), port: Number(port), timeoutSeconds },
        { type: 'SSL', url, verifySsl: false, timeoutSeconds },
        ping(hostname.replace(/[[\]]/g, '')),
      ]
      for (const target of targets) {
        const attempt = await fixture.attempt(target)
        assert.ok(attempt.outcome === 'FAILED', `${url} ${JSON.stringify(attempt)}`)
        assert.equal(attempt.causeCode, 'TARGET_NOT_ALLOWED')
      }
    }
    assert.equal(urls.length * 5, 165)
    assert.equal(reached, 0)
  })

  const silence = (host: string): CheckTarget[] => [
    { type: 'PORT', host, port: 80, timeoutSeconds },
    httpTarget(`http://${host.includes(':') ? `[${host}]` : host}/`),
    ping(host),
  ]

  test('no route of our own is our fault, for each family, by name and behind a redirect', async () => {
    const away: Script = ({ name, type }) => {
      if (name === 'four.test' && type === 'A')
        return { answers: [{ type, name, data: '12.0.0.1' }] }
      if (name === 'six.test' && type === 'AAAA')
        return { answers: [{ type, name, data: '2606:4700:1::1' }] }
      if (name !== 'both.test') return undefined
      if (type === 'A') return { answers: [{ type, name, data: '12.0.0.1' }] }
      return type === 'AAAA' ? { answers: [{ type, name, data: PUBLIC_SIX }] } : undefined
    }
    const redirecting = createHttpServer((_request, response) => {
      response.writeHead(302, { Location: 'http://12.0.0.1/' }).end()
    })
    const door = await opened(listen(redirecting, PUBLIC))
    const closed = await opened(listen(createServer(), PUBLIC))
    for (const range of ['0 2147483647', '1 0']) {
      allowPings(range)
      const fixture = await open({ dns: away, allowCidrs: [] })
      const targets = ['12.0.0.1', '2606:4700:1::1', 'four.test', 'six.test'].flatMap(silence)
      for (const target of [...targets, httpTarget(`http://${PUBLIC}:${door}/`)]) {
        const attempt = await fixture.attempt(target)
        const found = `${JSON.stringify(target)} ${JSON.stringify(attempt)}`
        assert.ok(attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'NO_ROUTE', found)
      }
      // The other family of the name can be reached, and counts.
      const both = await fixture.attempt({
        type: 'PORT',
        host: 'both.test',
        port: 1,
        timeoutSeconds,
      })
      assert.ok(both.outcome === 'FAILED' && both.causeCode === 'CONNECTION_REFUSED')
      const pinged = await fixture.attempt(ping('both.test'))
      assert.ok(pinged.outcome === 'OK', JSON.stringify(pinged))
    }
    assert.ok(closed > 0)
  })

  test('a resolver without a route is our fault', async () => {
    const fixture = await open({
      dnsServers: ['12.0.0.53', '[2606:4700:1::53]:53'],
      allowCidrs: [],
    })
    for (const target of [
      httpTarget('http://shop.example/'),
      {
        type: 'DNS',
        url: 'shop.example',
        dnsRecordType: 'A',
        dnsExpected: null,
        timeoutSeconds,
      } as const,
    ]) {
      const attempt = await fixture.attempt(target)
      assert.ok(
        attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'NO_ROUTE',
        JSON.stringify(attempt),
      )
    }
  })

  test('a router that says "network unreachable" is the target’s failure', async () => {
    // The other end of a cable, with a route of its own that ends there.
    const peer = `${process.env['UPVANE_TEST_NAMESPACE']}-peer`
    const ip = (...args: string[]) => execFileSync('ip', args)
    ip('netns', 'add', peer)
    closers.push(() => ip('netns', 'del', peer))
    ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', peer)
    ip('addr', 'add', '13.0.0.1/30', 'dev', 'near')
    ip('link', 'set', 'near', 'up')
    ip('-n', peer, 'addr', 'add', '13.0.0.2/30', 'dev', 'far')
    ip('-n', peer, 'link', 'set', 'far', 'up')
    ip('netns', 'exec', peer, 'sysctl', '-qw', 'net.ipv4.ip_forward=1')
    ip('route', 'add', '14.0.0.0/8', 'via', '13.0.0.2')
    const fixture = await open({ allowCidrs: [] })
    const attempt = await fixture.attempt({
      type: 'PORT',
      host: '14.0.0.1',
      port: 80,
      timeoutSeconds,
    })
    const found = JSON.stringify(attempt)
    assert.ok(attempt.outcome === 'FAILED' && attempt.causeCode === 'CONNECTION_FAILED', found)
    assert.equal(attempt.cause, 'Connection failed (ENETUNREACH)')
    assert.equal(attempt.silent, true)
  })

  test('used-up ports are our fault, never the target’s', async () => {
    const port = await opened(listen(createServer(), PUBLIC))
    writeFileSync('/proc/sys/net/ipv4/ip_local_port_range', '40000 40001')
    const held: Socket[] = []
    for (let i = 0; i < 2; i++) {
      const socket = dial(port, PUBLIC)
      await new Promise((resolve) => socket.once('connect', resolve))
      held.push(socket)
    }
    const fixture = await open({ allowCidrs: [] })
    const attempt = await fixture.attempt({ type: 'PORT', host: PUBLIC, port, timeoutSeconds })
    for (const socket of held) socket.destroy()
    assert.ok(attempt.outcome === 'INCONCLUSIVE', JSON.stringify(attempt))
    assert.equal(attempt.reason, 'OUT_OF_PORTS')
  })
}
