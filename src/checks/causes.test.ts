// Every cause in the contract (except heartbeats), produced by a real server.
import assert from 'node:assert/strict'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { after, test } from 'node:test'
import {
  type AttemptFixture,
  httpTarget,
  openAttemptFixture,
} from '../../test/kit/targets/attempt-fixture.ts'
import { createAuthority, type Identity } from '../../test/kit/targets/certificates.ts'
import type { Script } from '../../test/kit/targets/dns-server.ts'
import * as hostile from '../../test/kit/targets/hostile.ts'
import { type Listening, listen } from '../../test/kit/targets/listen.ts'
import { rdapRecord, startRegistry } from '../../test/kit/targets/registry.ts'
import type { CheckCauseCode } from './check.ts'
import type { CheckTarget } from './registry.ts'
import type { SslTarget } from './ssl.ts'

const DAY_MS = 86_400_000
// The days of the certificates, also if midnight passes before they are compared.
const startMs = Date.now()
const day = (offset: number) => new Date(startMs + offset * DAY_MS)
const isoDay = (offset: number) => day(offset).toISOString().slice(0, 10)

const authority = createAuthority()
after(() => authority.remove())
const closers: (() => Promise<void>)[] = []
after(() => Promise.all(closers.map((close) => close())))
const opened = async (listening: Promise<Listening>): Promise<number> => {
  const { port, close } = await listening
  closers.push(close)
  return port
}

const pages: RequestListener = (request, response) => {
  const path = request.url ?? '/'
  if (path === '/loop') response.writeHead(302, { Location: '/loop' }).end()
  else if (path === '/private') response.writeHead(302, { Location: 'http://127.9.9.9/' }).end()
  else if (path === '/ftp') response.writeHead(302, { Location: 'ftp://127.0.0.1/' }).end()
  else if (path === '/503') response.writeHead(503).end('overloaded')
  else response.end('all is well')
}
const site = `http://127.0.0.1:${await opened(listen(createHttpServer(pages)))}`
const secureSite = async (identity: Identity) => opened(listen(createHttpsServer(identity, pages)))

const loopback = 'IP:127.0.0.1'
const ports = {
  good: await secureSite(
    authority.issue('good.test', { san: `DNS:good.test,${loopback}`, notAfter: day(365) }),
  ),
  expired: await secureSite(
    authority.issue('expired.test', { san: loopback, notBefore: day(-9), notAfter: day(-2) }),
  ),
  future: await secureSite(authority.issue('future.test', { san: loopback, notBefore: day(2) })),
  other: await secureSite(authority.issue('other.test')),
  self: await secureSite(authority.issue('self.test', { san: loopback, by: 'itself' })),
  bare: await secureSite(authority.issue('bare.test', { san: loopback, bare: true })),
  stale: await secureSite(
    authority.issue('stale.test', { san: loopback, by: 'expired-intermediate' }),
  ),
  mute: await opened(hostile.startHostile(hostile.mute)),
  reset: await opened(hostile.startHostile(hostile.resetAtOnce)),
  garbage: await opened(hostile.startHostile(hostile.garbage)),
}
const dns: Script = ({ name, type }) => {
  if (name === 'good.test' && type === 'A') return { answers: [{ type, name, data: '127.0.0.1' }] }
  if (name === 'mixed.test' && type === 'A')
    return { answers: ['127.0.0.1', '127.9.9.9'].map((data) => ({ type, name, data })) }
  if (name === 'broken.test') return 'SERVFAIL'
  return name === 'empty.test' || name === '.' ? undefined : 'NXDOMAIN'
}
const registry = await startRegistry({
  suffixes: ['com'],
  rdap: { 'lapsed.com': rdapRecord(day(-3).toISOString()) },
  whois: {},
})
closers.push(registry.close)
const fixture: AttemptFixture = await openAttemptFixture({
  dns,
  registry,
  extraCas: [authority.root],
  allowCidrs: ['127.0.0.0/24', '255.255.255.255/32'],
})
closers.push(fixture.close)

const timeoutSeconds = 30
const ssl = (url: string, verifySsl = true): SslTarget => ({
  type: 'SSL',
  url,
  verifySsl,
  timeoutSeconds,
})
const port = (number: number, host = '127.0.0.1'): CheckTarget => ({
  type: 'PORT',
  host,
  port: number,
  timeoutSeconds,
})
const keyword = (word: string, keywordMatch: 'EXISTS' | 'NOT_EXISTS'): CheckTarget => ({
  ...httpTarget(site),
  type: 'KEYWORD',
  keyword: word,
  keywordMatch,
})
const record = (url: string, dnsExpected: string | null = null): CheckTarget => ({
  type: 'DNS',
  url,
  dnsRecordType: 'A',
  dnsExpected,
  timeoutSeconds,
})

// biome-ignore format: a table is read by its columns
const rows: [what: string, target: CheckTarget, code: CheckCauseCode, cause: string][] = [
  ['a server that never answers',  httpTarget(`http://127.0.0.1:${ports.mute}`), 'TIMEOUT', 'Timed out after 0.6 s'],
  ['a TLS server that is mute',    ssl(`127.0.0.1:${ports.mute}`), 'TIMEOUT', 'Timed out after 0.6 s'],
  ['a name that does not exist',   httpTarget('http://none.test'), 'DNS_ERROR', 'DNS lookup failed (ENOTFOUND)'],
  ['a name without address',       port(80, 'empty.test'), 'DNS_ERROR', 'DNS lookup failed (ENODATA)'],
  ['a broken zone',                record('broken.test'), 'DNS_ERROR', 'DNS lookup failed (ESERVFAIL)'],
  ['a name under .invalid',        httpTarget('http://a.invalid'), 'DNS_ERROR', 'DNS lookup failed (ENOTFOUND)'],
  ['a closed port, PORT',          port(1), 'CONNECTION_REFUSED', 'Connection refused'],
  ['a closed port, HTTP',          httpTarget('http://127.0.0.1:1'), 'CONNECTION_REFUSED', 'Connection refused'],
  // Connecting to a broadcast address fails in the kernel, without sending anything.
  ['an unreachable network',       port(80, '255.255.255.255'), 'CONNECTION_FAILED', 'Connection failed (ENETUNREACH)'],
  ['a reset',                      httpTarget(`http://127.0.0.1:${ports.reset}`), 'CONNECTION_RESET', 'Connection closed before the answer was complete'],
  ['a TLS server that is none',    ssl(site), 'TLS_ERROR', 'TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER)'],
  ['an expired certificate',       httpTarget(`https://127.0.0.1:${ports.expired}`), 'CERT_EXPIRED', `Certificate expired on ${isoDay(-2)}`],
  ['expired, SSL unverified',      ssl(`127.0.0.1:${ports.expired}`, false), 'CERT_EXPIRED', `Certificate expired on ${isoDay(-2)}`],
  ['an expired intermediate',      ssl(`127.0.0.1:${ports.stale}`), 'CERT_EXPIRED', `Certificate expired on ${isoDay(-2)}`],
  ['a certificate of tomorrow',    ssl(`127.0.0.1:${ports.future}`), 'CERT_NOT_YET_VALID', `Certificate is not valid before ${isoDay(2)}`],
  ['a self-signed certificate',    ssl(`127.0.0.1:${ports.self}`), 'CERT_UNTRUSTED', 'Certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
  ['a chain with a gap',           ssl(`127.0.0.1:${ports.bare}`), 'CERT_UNTRUSTED', 'Certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  ['another host’s certificate',   httpTarget(`https://good.test:${ports.other}`), 'CERT_NAME_MISMATCH', 'Certificate does not cover good.test'],
  ['another address’s',            ssl(`https://127.0.0.1:${ports.other}`), 'CERT_NAME_MISMATCH', 'Certificate does not cover 127.0.0.1'],
  ['a 503',                        httpTarget(`${site}/503`), 'UNEXPECTED_STATUS', 'HTTP 503, expected 200-206, 301, 302, 307, 308'],
  ['redirects without end',        httpTarget(`${site}/loop`), 'TOO_MANY_REDIRECTS', 'More than 10 redirects'],
  ['a keyword that is gone',       keyword('welcome', 'EXISTS'), 'KEYWORD_MISSING', 'Keyword "welcome" not found'],
  ['a keyword that must not be',   keyword('well', 'NOT_EXISTS'), 'KEYWORD_PRESENT', 'Keyword "well" found'],
  ['no record of the type',        record('empty.test'), 'DNS_NO_RECORDS', 'No A records'],
  ['no such name, DNS',            record('none.test'), 'DNS_NO_RECORDS', 'No A records: the name does not exist'],
  ['another record',               record('good.test', '1.2.3.4'), 'DNS_MISMATCH', 'DNS A is 127.0.0.1, expected 1.2.3.4'],
  ['a lapsed registration',        { type: 'DOMAIN', url: 'www.lapsed.com', timeoutSeconds }, 'DOMAIN_EXPIRED', `Domain lapsed.com expired on ${isoDay(-3)}`],
  ['a forbidden address',            httpTarget('http://127.9.9.9'), 'TARGET_NOT_ALLOWED', 'Target address is not allowed'],
  ['a forbidden one, PING',      { type: 'PING', host: '127.9.9.9', timeoutSeconds }, 'TARGET_NOT_ALLOWED', 'Target address is not allowed'],
  ['a name with one of them',  port(80, 'mixed.test'), 'TARGET_NOT_ALLOWED', 'Target address is not allowed'],
  ['a redirect to one of them',  httpTarget(`${site}/private`), 'TARGET_NOT_ALLOWED', 'Target address is not allowed'],
  ['the same by number',           httpTarget('http://2131298569/'), 'TARGET_NOT_ALLOWED', 'Target address is not allowed'],
  ['a redirect to another scheme', httpTarget(`${site}/ftp`), 'INVALID_RESPONSE', 'Invalid response (redirect address)'],
  ['an answer that is no HTTP',    httpTarget(`http://127.0.0.1:${ports.garbage}`), 'INVALID_RESPONSE', 'Invalid response (HPE_INVALID_CONSTANT)'],
]
for (const [what, target, code, cause] of rows) {
  test(`${target.type} and ${what} -> ${code}`, async () => {
    const attempt = await fixture.attempt(target, 600)
    assert.ok(attempt.outcome === 'FAILED', JSON.stringify(attempt))
    assert.deepEqual([attempt.causeCode, attempt.cause], [code, cause])
  })
}

test('the certificate’s end is known also when the check failed on it', async () => {
  const attempt = await fixture.attempt(ssl(`127.0.0.1:${ports.expired}`))
  assert.ok(attempt.outcome === 'FAILED')
  assert.equal(attempt.certExpiresAt?.slice(0, 10), isoDay(-2))
  assert.equal(attempt.issuer, 'intermediate')
})

test('good targets pass, with their evidence', async () => {
  const https = await fixture.attempt(httpTarget(`https://good.test:${ports.good}`))
  assert.ok(https.outcome === 'OK', JSON.stringify(https))
  assert.equal(https.httpStatus, 200)
  assert.equal(https.resolvedIp, '127.0.0.1')
  assert.equal(https.certExpiresAt?.slice(0, 10), isoDay(365))
  assert.deepEqual(Object.keys(https.timings ?? {}), ['dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'])
  assert.deepEqual([https.sent, https.stalled], [true, false])
  assert.ok(!('issuer' in https), 'only for SSL')

  const handshake = await fixture.attempt(ssl(`good.test:${ports.good}`))
  assert.ok(handshake.outcome === 'OK', JSON.stringify(handshake))
  assert.equal(handshake.sent, false)
  assert.equal(handshake.issuer, 'intermediate')
  const connection = await fixture.attempt(port(ports.good))
  assert.ok(connection.outcome === 'OK')
})

test('verifySsl false accepts any certificate that is in date, and HTTP any at all', async () => {
  for (const number of [ports.self, ports.other, ports.bare])
    assert.equal((await fixture.attempt(ssl(`127.0.0.1:${number}`, false))).outcome, 'OK')
  const expired = httpTarget(`https://127.0.0.1:${ports.expired}`, { verifySsl: false })
  assert.equal((await fixture.attempt(expired)).outcome, 'OK')
})

test('silence is told apart from answers: only the former may be our own network', async () => {
  // biome-ignore format: a table is read by its columns
  const table: [what: string, target: CheckTarget, silent: true | undefined][] = [
    ['no answer in time',    httpTarget(`http://127.0.0.1:${ports.mute}`), true],
    ['a broken zone',        httpTarget('http://broken.test'),             true],
    ['a broken zone, DNS',   record('broken.test'),                        true],
    ['an unreachable net',   port(80, '255.255.255.255'),                  true],
    ['no such name',         httpTarget('http://none.test'),               undefined],
    ['no such name, DNS',    record('none.test'),                          undefined],
    ['no address',           port(80, 'empty.test'),                       undefined],
    ['a closed port',        port(1),                                      undefined],
    ['a reset',              httpTarget(`http://127.0.0.1:${ports.reset}`), undefined],
    ['TLS that is none',     ssl(site),                                    undefined],
    ['a 503',                httpTarget(`${site}/503`),                    undefined],
    ['a forbidden address',  httpTarget('http://127.9.9.9'),               undefined],
  ]
  for (const [what, target, silent] of table) {
    const attempt = await fixture.attempt(target, 600)
    assert.ok(attempt.outcome === 'FAILED', JSON.stringify(attempt))
    assert.equal(attempt.silent, silent, what)
  }
})

test('an address that is not allowed is part of the finding, also of a literal and behind a redirect', async () => {
  for (const target of [
    httpTarget('http://127.9.9.9'),
    httpTarget('http://2131298569/'),
    httpTarget(`${site}/private`),
    port(80, 'mixed.test'),
    { type: 'PING', host: '127.9.9.9', timeoutSeconds } as const,
  ]) {
    const attempt = await fixture.attempt(target, 600)
    assert.ok(attempt.outcome === 'FAILED' && attempt.causeCode === 'TARGET_NOT_ALLOWED')
    assert.match(attempt.resolvedIp ?? '', /^127\.9\.9\.9$/, JSON.stringify(target))
  }
})
