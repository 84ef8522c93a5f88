import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import type { Answer } from 'dns-packet'
import { createAuthority } from '../../test/kit/targets/certificates.ts'
import { type Script, startDnsServer } from '../../test/kit/targets/dns-server.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import { type ConnectionTrace, connect, type Destination } from './connect.ts'
import { createOutbound, publicOnly } from './create-outbound.ts'
import { parseAllowList } from './permit.ts'

let connections = 0
const victim = await listen(
  createServer((socket) => {
    connections += 1
    socket.end()
  }),
)
let flips = 0
const script: Script = ({ name, type }) => {
  const a = (...data: string[]) => ({
    answers: data.map((one): Answer => ({ type: type === 'AAAA' ? 'AAAA' : 'A', name, data: one })),
  })
  if (type === 'AAAA' && name === 'dual.test') return a('::1')
  if (type !== 'A') return undefined
  if (name === 'rebind.test') return a(flips++ === 0 ? '127.0.0.1' : '127.9.9.9')
  if (name === 'mixed.test') return a('127.0.0.1', '127.9.9.9')
  if (name === 'inside.test' || name === 'dual.test') return a('127.0.0.1')
  if (name === 'many.test') return a('127.0.0.9', '127.0.0.8', '127.0.0.1')
  return 'NXDOMAIN'
}
const dns = await startDnsServer(script)
const open = createOutbound({
  allowCidrs: ['127.0.0.0/8', '::1/128'],
  dnsServers: [dns.address],
  userAgent: 'Upvane/test',
})
const closed = publicOnly(open)
after(() => {
  dns.close()
  return victim.close()
})

const context = () => ({
  signal: AbortSignal.timeout(1_000),
  trace: { timings: {}, sent: false },
})
const to = (host: string): Destination => ({ host, port: victim.port })

const roads = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '[::1]', '::ffff:127.0.0.1', '0']
for (const host of [...roads, 'localhost', 'x.localhost', 'inside.test', 'mixed.test']) {
  test(`the guard lets nobody in by ${host}`, async () => {
    await assert.rejects(connect(closed.guard, to(host), context()), { code: 'NOT_ALLOWED' })
  })
}

for (const host of ['[2a01:4f8:c2c:123f:64::7f00:1]', '[2a01:4f8:c2c:123f:64::a9fe:a9fe]'])
  test(`the guard lets nobody in by ${host}, which leads through NAT64`, async () => {
    const { guard } = createOutbound({
      allowCidrs: [],
      nat64Prefixes: ['2a01:4f8:c2c:123f:64::/96'],
      dnsServers: [dns.address],
      userAgent: 'Upvane/test',
    })
    await assert.rejects(connect(guard, to(host), context()), { code: 'NOT_ALLOWED' })
  })

test('not one connection was opened', () => assert.equal(connections, 0))

test('an allowed address is reached by literal and by name', async () => {
  for (const host of ['127.0.0.1', 'inside.test']) {
    const socket = await connect(open.guard, to(host), context())
    assert.equal(socket.remoteAddress, '127.0.0.1')
    socket.destroy()
  }
})

test('addresses that refuse are passed over, whichever family they are of', async () => {
  for (const host of ['dual.test', 'many.test']) {
    const { signal, trace } = context()
    const startMs = performance.now()
    const socket = await connect(open.guard, to(host), { signal, trace })
    assert.equal(socket.remoteAddress, '127.0.0.1')
    assert.ok(performance.now() - startMs < 900)
    socket.destroy()
  }
})

test('when every address refuses, the connection is refused', async () => {
  const nowhere = { host: 'many.test', port: 1 }
  await assert.rejects(connect(open.guard, nowhere, context()), { code: 'REFUSED' })
})

test('a name that moves to a forbidden address between two lookups is judged again', async () => {
  const some = { ...open.guard, allow: parseAllowList(['127.0.0.0/24']) }
  ;(await connect(some, to('rebind.test'), context())).destroy()
  await assert.rejects(connect(some, to('rebind.test'), context()), { code: 'NOT_ALLOWED' })
})

test('one forbidden address spoils the name', async () => {
  const some = { ...open.guard, allow: parseAllowList(['127.0.0.0/24']) }
  await assert.rejects(connect(some, to('mixed.test'), context()), { code: 'NOT_ALLOWED' })
  ;(await connect(some, to('inside.test'), context())).destroy()
})

test('a deadline that has passed opens nothing', async () => {
  const before = connections
  const late = { signal: AbortSignal.abort(), trace: { timings: {}, sent: false } }
  await assert.rejects(connect(open.guard, to('127.0.0.1'), late), { code: 'TIMEOUT' })
  assert.equal(connections, before)
})

test('of a certificate the trace holds text, never the native object', async () => {
  const authority = createAuthority('Acme Trust')
  const identity = authority.issue('shop.example')
  authority.remove()
  const server = await listen(createTlsServer(identity))
  const names: (string | undefined)[] = []
  for (const withIssuer of [true, false]) {
    const { signal } = context()
    const trace: ConnectionTrace = { timings: {}, sent: false }
    const tls = { trust: 'DATES' as const, withIssuer }
    const socket = await connect(
      open.guard,
      { host: '127.0.0.1', port: server.port, tls },
      { signal, trace },
    )
    socket.destroy()
    const { timings, resolvedIp, certExpiresAt, issuer, ...rest } = trace
    assert.deepEqual(Object.keys(timings), ['dnsMs', 'connectMs', 'tlsMs'])
    assert.equal(resolvedIp, '127.0.0.1')
    assert.ok(certExpiresAt instanceof Date && certExpiresAt > new Date())
    assert.deepEqual(rest, { sent: false })
    names.push(issuer)
  }
  assert.deepEqual(names, ['Acme Trust', undefined])
  await server.close()
})
