// Every type of check against targets that do not respond as they should: none of them passes on silence.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import {
  type AttemptFixture,
  httpTarget,
  openAttemptFixture,
} from '../../test/kit/targets/attempt-fixture.ts'
import * as hostile from '../../test/kit/targets/hostile.ts'
import type { Listening } from '../../test/kit/targets/listen.ts'
import { CHECK_TYPES, type CheckTarget } from './registry.ts'

// Long enough for the second byte of a target that sends one per second.
const BUDGET_MS = 1_300

const FLAGS_AT = 2
const QUESTION_AT = 12
const NO_RECORDS = 0x8180
const TRUNCATED = 0x8380

const behaviors: Record<string, hostile.Hostility> = {
  silent: hostile.mute,
  closing: hostile.halfClose,
  garbage: hostile.garbage,
  slow: hostile.drip('x', 1_000),
  endless: hostile.endless,
}

// PORT passes because the port is open: nothing is sent. DOMAIN never reports a failed lookup as an outage, and the
// kernel answers a PING of this machine, so namespace.slow.test.ts pings one that is silent.
// biome-ignore format: a table is read by its columns
const expected: Record<string, Record<string, string>> = {
  silent:  { HTTP: 'TIMEOUT',          KEYWORD: 'TIMEOUT',          SSL: 'TIMEOUT',          DNS: 'DNS_ERROR', DOMAIN: 'LOOKUP_FAILED', PORT: 'OK', PING: 'OK' },
  closing: { HTTP: 'CONNECTION_RESET', KEYWORD: 'CONNECTION_RESET', SSL: 'CONNECTION_RESET', DNS: 'RESOLVER_UNREACHABLE', DOMAIN: 'LOOKUP_FAILED', PORT: 'OK', PING: 'OK' },
  garbage: { HTTP: 'INVALID_RESPONSE', KEYWORD: 'INVALID_RESPONSE', SSL: 'CONNECTION_RESET', DNS: 'DNS_ERROR', DOMAIN: 'LOOKUP_FAILED', PORT: 'OK', PING: 'OK' },
  slow:    { HTTP: 'INVALID_RESPONSE', KEYWORD: 'INVALID_RESPONSE', SSL: 'TIMEOUT',          DNS: 'DNS_ERROR', DOMAIN: 'LOOKUP_FAILED', PORT: 'OK', PING: 'OK' },
  endless: { HTTP: 'INVALID_RESPONSE', KEYWORD: 'INVALID_RESPONSE', SSL: 'TLS_ERROR',        DNS: 'DNS_ERROR', DOMAIN: 'LOOKUP_FAILED', PORT: 'OK', PING: 'OK' },
}

const closers: (() => Promise<void>)[] = []
after(() => Promise.all(closers.map((close) => close())))

for (const [name, behave] of Object.entries(behaviors))
  test(`${name}: every type ends in time, and none passes that needs a response`, async () => {
    const { port } = await startTarget(behave)
    const address = `127.0.0.1:${port}`
    const fixture = await openFixture(address)
    const startMs = performance.now()
    const findings = await Promise.all(
      targetsAt(address, port).map(async (target) => [
        target.type,
        await verdictOf(fixture, target),
      ]),
    )
    assert.deepEqual(Object.fromEntries(findings), expected[name])
    assert.ok(performance.now() - startMs < 2 * BUDGET_MS)
  })

test('every type is in the table', () => {
  for (const row of Object.values(expected))
    assert.deepEqual(Object.keys(row).toSorted(), CHECK_TYPES.toSorted())
})

/**
 * TCP behaves as told. UDP says that its answer was cut, so that DNS asks again over TCP; only the root, about which a
 * resolver is asked to find out whether it works, has no records.
 */
async function startTarget(behave: hostile.Hostility): Promise<Listening> {
  const target = await hostile.startHostile(behave)
  const udp = createSocket('udp4')
  udp.on('message', (query, { port, address }) => {
    const isRoot = query[QUESTION_AT] === 0
    const response = Buffer.from(query)
    response.writeUInt16BE(isRoot ? NO_RECORDS : TRUNCATED, FLAGS_AT)
    udp.send(response, port, address)
  })
  udp.bind(target.port, '127.0.0.1')
  await once(udp, 'listening')
  closers.push(target.close, async () => void udp.close())
  return target
}

async function openFixture(address: string): Promise<AttemptFixture> {
  const registry = { bootstrapUrl: `http://${address}/`, whoisServer: address }
  const fixture = await openAttemptFixture({ dnsServers: [address], registry })
  closers.push(fixture.close)
  return fixture
}

function targetsAt(address: string, port: number): CheckTarget[] {
  const page = httpTarget(`http://${address}`)
  const timeoutSeconds = 1
  return [
    page,
    { ...page, type: 'KEYWORD', keyword: 'x', keywordMatch: 'EXISTS' },
    { type: 'SSL', url: address, verifySsl: true, timeoutSeconds },
    { type: 'DNS', url: 'a.test', dnsRecordType: 'A', dnsExpected: null, timeoutSeconds },
    { type: 'DOMAIN', url: 'example.com', timeoutSeconds },
    { type: 'PORT', host: '127.0.0.1', port, timeoutSeconds },
    { type: 'PING', host: '127.0.0.1', timeoutSeconds },
  ]
}

async function verdictOf(fixture: AttemptFixture, target: CheckTarget): Promise<string> {
  const attempt = await fixture.attempt(target, BUDGET_MS)
  if (attempt.outcome === 'OK') return 'OK'
  return attempt.outcome === 'FAILED' ? attempt.causeCode : attempt.reason
}
