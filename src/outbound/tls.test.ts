import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import {
  checkServerIdentity,
  createSecureContext,
  createServer,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls'
import { createAuthority, type LeafOptions } from '../../test/kit/targets/certificates.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import type { OutboundError } from './outbound-error.ts'
import { assertTrusted, createTlsContexts, expiryOf, handshake, issuerOf } from './tls.ts'

type Issuer = NonNullable<Parameters<typeof issuerOf>[0]['issuer']>

// biome-ignore format: a table is read by its columns
const issuers: [why: string, issuer: Issuer, name: string | undefined][] = [
  ['its organization',          { C: 'US', O: "Let's Encrypt", CN: 'R11' },         "Let's Encrypt"],
  ['its common name',           { CN: 'intermediate' },                             'intermediate'],
  ['an empty organization',     { O: ' ', CN: 'R11' },                              'R11'],
  ['several organizations',     { O: ['Acme Trust', 'Acme'], CN: 'R11' },           'Acme Trust'],
  ['several, the first empty',  { O: ['', 'Acme'] },                                'Acme'],
  ['several common names',      { CN: ['one', 'two'] },                             'one'],
  ['only other names',          { C: 'US', OU: 'Certificates' },                    undefined],
  ['nothing',                   {},                                                 undefined],
]
for (const [why, issuer, name] of issuers)
  test(`issuerOf: ${why}`, () => assert.equal(issuerOf({ issuer }), name))

test('issuerOf: a server may present no certificate', () => assert.equal(issuerOf({}), undefined))

const SANS = [
  'DNS:shop.example',
  'DNS:*.shop.example',
  'DNS:w*.shop.example',
  'DNS:*.example',
  'DNS:127.0.0.1',
  'IP:127.0.0.1',
  'IP:::1',
  'IP:10.0.0.1',
  'email:DNS@shop.example',
  'DNS:xn--bcher-kva.example,DNS:*.xn--bcher-kva.example',
]
const HOSTS = [
  'shop.example',
  'www.shop.example',
  'a.b.shop.example',
  'shop.example.',
  'SHOP.example',
  'cn.example',
  'cn7.example',
  '127.0.0.1',
  '127.0.0.2',
  '::1',
  'fe80::1%eth0',
  'www.xn--bcher-kva.example',
]

test('assertTrusted: a certificate is for the same names as by the rules of Node', () => {
  const authority = createAuthority('Acme Trust')
  const matches: string[] = []
  for (const [i, san] of SANS.entries()) {
    const { cert } = authority.issue(i === 0 ? 'cn.example' : `cn${i}.example`, { san })
    const certificate = new X509Certificate(cert)
    // Safe because nothing else of the socket is read.
    const encrypted = { socket: { authorized: true } as TLSSocket, certificate }
    assert.ok(expiryOf(certificate) > new Date())
    assert.equal(issuerOf(certificate.toLegacyObject()), 'Acme Trust')
    for (const host of HOSTS) {
      const isFor = checkServerIdentity(host, certificate.toLegacyObject()) === undefined
      const check = () => assertTrusted(encrypted, { host, trust: 'FULL', now: new Date() })
      if (isFor) matches.push(`${san} ${host}`)
      if (isFor) check()
      else assert.throws(check, { code: 'CERT_NAME_MISMATCH' }, `${san} ${host}`)
    }
  }
  authority.remove()
  assert.ok(matches.includes('DNS:*.shop.example www.shop.example'))
  assert.ok(matches.includes('IP:::1 ::1'))
  assert.ok(matches.includes('IP:10.0.0.1 cn7.example'))
  assert.ok(!matches.includes('DNS:127.0.0.1 127.0.0.1'))
})

test('expiryOf: invalid dates are a failure of the target', () => {
  assert.throws(() => expiryOf({ validTo: 'Bad time value' }), { code: 'TLS_FAILED' })
})

const HOST = 'shop.example'
const versions = ['TLSv1.2', 'TLSv1.3'] as const
// biome-ignore format: a table is read by its columns
const chains: [why: string, leaf: Partial<LeafOptions>, code: string | undefined][] = [
  ['by an intermediate',          {},                                            undefined],
  ['by the root itself',          { by: 'root' },                                undefined],
  ['self-signed',                 { by: 'itself' },                              'CERT_UNTRUSTED'],
  ['without its intermediate',    { bare: true },                                'CERT_UNTRUSTED'],
  ['by an expired intermediate',  { by: 'expired-intermediate' },                'CERT_EXPIRED'],
  ['expired',                     { notAfter: new Date(Date.now() - 3_600_000) }, 'CERT_EXPIRED'],
  ['for another name',            { san: 'DNS:other.example' },                  'CERT_NAME_MISMATCH'],
]

for (const version of versions)
  test(`handshake: every chain is judged alike with ${version}, and no session is resumed`, async () => {
    const authority = createAuthority('Acme Trust')
    const { verify } = createTlsContexts([authority.root])
    for (const [why, leaf, code] of chains) {
      const identity = authority.issue(HOST, leaf)
      const server = await serve({ ...identity, minVersion: version, maxVersion: version })
      for (const again of ['first', 'second']) {
        const about = `${why}, ${again}`
        const encrypted = await open(server.port, verify)
        const { socket, certificate } = encrypted
        assert.deepEqual([socket.getProtocol(), socket.isSessionReused()], [version, false], about)
        assert.equal(socket.authorized, code === undefined || code === 'CERT_NAME_MISMATCH', about)
        assert.equal(certificate.fingerprint, new X509Certificate(identity.cert).fingerprint)
        // Node's own description is available again, with the chain.
        assert.equal(socket.getPeerCertificate(true).fingerprint, certificate.fingerprint)
        assert.equal(problemOf(encrypted), code, about)
        socket.destroy()
      }
      await server.close()
    }
    authority.remove()
  })

test('handshake: the certificate is the one for the name that was asked for', async () => {
  const authority = createAuthority()
  const { verify } = createTlsContexts([authority.root])
  const [other, wanted] = [authority.issue('other.example'), authority.issue(HOST)]
  const contexts = createSecureContext(wanted)
  const server = await serve({
    ...other,
    SNICallback: (name, answer) => answer(null, name === HOST ? contexts : undefined),
  })
  const encrypted = await open(server.port, verify)
  assert.equal(problemOf(encrypted), undefined)
  encrypted.socket.destroy()
  await server.close()
  authority.remove()
})

function serve(options: TlsOptions) {
  return listen(createServer(options, (socket) => socket.on('error', () => {})))
}

async function open(port: number, context: ReturnType<typeof createTlsContexts>['verify']) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return handshake(socket, { host: HOST, context, alpn: [] }, AbortSignal.timeout(10_000))
}

function problemOf(encrypted: Awaited<ReturnType<typeof open>>): string | undefined {
  try {
    assertTrusted(encrypted, { host: HOST, trust: 'FULL', now: new Date() })
    return undefined
  } catch (error) {
    return (error as OutboundError).code
  }
}
