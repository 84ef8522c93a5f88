// A provider that lies, stalls or changes its answers: a loopback server scripted by the test.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  ec,
  FLOW,
  openProvider,
  otherRsa,
  part,
  published,
  REDIRECT,
  rsa,
  signed,
} from '../../../test/kit/targets/scripted-provider.ts'

test('a good token names who it is, with the address where the provider is sure of it', async (t) => {
  const idp = await openProvider(t)
  const { identity } = await idp.identify()
  assert.deepEqual(identity, {
    issuer: idp.issuer,
    subject: 'ana',
    email: 'ana@example.com',
    name: 'Ana',
  })
  const [asked] = idp.exchanges
  assert.equal(asked?.authorization, basicOf('upvane', 's3cret +/&'))
  assert.deepEqual(Object.fromEntries(new URLSearchParams(asked?.body)), {
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: REDIRECT,
    code_verifier: FLOW.verifier,
  })
})

test('the challenge is the hash of the verifier', async (t) => {
  const { provider } = await openProvider(t)
  const address = await provider.begin(FLOW)
  assert.equal(typeof address, 'string')
  const { searchParams } = new URL(String(address))
  const hash = createHash('sha256').update(FLOW.verifier).digest('base64url')
  assert.equal(searchParams.get('code_challenge'), hash)
  assert.equal(searchParams.get('keep'), 'this', 'what the endpoint has already stays')
})

test('ES256, a secret in the body, and no secret at all are accepted', async (t) => {
  const idp = await openProvider(t, { secret: undefined })
  idp.token = () => signed(ec.privateKey, { alg: 'ES256', kid: 'ec' }, idp.claims())
  assert.equal((await idp.identify()).identity?.subject, 'ana')
  assert.equal(idp.exchanges[0]?.authorization, undefined)
  assert.match(idp.exchanges[0]?.body ?? '', /client_id=upvane/)

  const post = await openProvider(t)
  post.discovery = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  assert.equal((await post.identify()).identity?.subject, 'ana')
  assert.equal(post.exchanges[0]?.authorization, undefined)
  assert.match(post.exchanges[0]?.body ?? '', /client_secret=s3cret/)
})

test('tokens that are not signed by the provider are refused, whatever they say', async (t) => {
  const idp = await openProvider(t)
  const claims = () => idp.claims()
  const unsigned = (alg: string) => `${part({ alg })}.${part(claims())}.`
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const mac = (alg: string, secret: string) => {
    const text = `${part({ alg, kid: 'rsa' })}.${part(claims())}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const forged: [string, () => string][] = [
    ['none', () => unsigned('none')],
    ['None with something behind it', () => `${unsigned('None')}AAAA`],
    ['the client’s secret', () => mac('HS256', 's3cret +/&')],
    ['the public key as a secret', () => mac('HS256', pem)],
    ['RS256 by name alone', () => mac('RS256', pem)],
    [
      'another key under a known name',
      () => signed(otherRsa.privateKey, { alg: 'RS256', kid: 'rsa' }, claims()),
    ],
    [
      'a key of its own choice',
      () =>
        signed(
          otherRsa.privateKey,
          { alg: 'RS256', jwk: otherRsa.publicKey.export({ format: 'jwk' }) },
          claims(),
        ),
    ],
    ['an unknown key', () => signed(otherRsa.privateKey, { alg: 'RS256', kid: 'x' }, claims())],
    ['no token', () => 'x'],
  ]
  for (const [name, token] of forged) {
    idp.token = token
    const { problem, identity } = await idp.identify()
    assert.equal(identity, undefined, name)
    assert.match(problem ?? '', /^The ID token is refused: /, name)
  }
})

test('tokens of the provider that are not for this sign-in are refused', async (t) => {
  const idp = await openProvider(t)
  const now = Math.floor(Date.now() / 1000)
  const wrong = [
    { iss: 'https://evil.example' },
    { aud: 'another' },
    { nonce: 'another' },
    { exp: now - 120 },
    { iat: now + 3600 },
    { sub: '' },
  ]
  for (const change of wrong) {
    idp.change = change
    const { problem } = await idp.identify()
    assert.match(problem ?? '', /^The ID token is refused: it /, JSON.stringify(change))
  }
})

test('new keys are fetched when a token names one, but not for everyone who makes a name up', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const idp = await openProvider(t)
  const pass = (ms: number) => {
    idp.nowMs += ms
    t.mock.timers.tick(ms)
  }
  await idp.identify()
  assert.equal(idp.keyReads, 1)
  idp.keys = [published(otherRsa.publicKey, 'new')]
  idp.token = () => signed(otherRsa.privateKey, { alg: 'RS256', kid: 'new' }, idp.claims())
  assert.match((await idp.identify()).problem ?? '', /signature/, 'too soon')
  pass(61_000)
  assert.equal((await idp.identify()).identity?.subject, 'ana')
  assert.equal(idp.keyReads, 2)
  idp.token = () => signed(rsa.privateKey, { alg: 'RS256', kid: 'made-up' }, idp.claims())
  for (let i = 0; i < 5; i++) await idp.identify()
  assert.equal(idp.keyReads, 2)
  pass(3_600_000)
  await idp.identify()
  assert.equal(idp.keyReads, 3)
})

test('what is said beside the token counts only about the same person', async (t) => {
  const idp = await openProvider(t)
  idp.change = { email: undefined, email_verified: undefined, name: undefined }
  idp.userInfo = { sub: 'ana', email: 'ana@example.org', email_verified: true, name: 'A' }
  assert.equal((await idp.identify()).identity?.email, 'ana@example.org')
  assert.equal(idp.lastBearer, 'Bearer at')
  for (const sub of ['eve', undefined]) {
    idp.userInfo = { sub, email: 'eve@example.org', email_verified: true, name: 'Eve' }
    const { identity } = await idp.identify()
    assert.deepEqual([identity?.email, identity?.name], [null, null])
  }
})

test('a document of another issuer, and endpoints that are not safe, are not believed', async (t) => {
  const odd: Record<string, unknown>[] = [
    { issuer: 'https://evil.example' },
    { issuer: undefined },
    { token_endpoint: 'http://evil.example/token' },
    { jwks_uri: 'file:///etc/passwd' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: 7 },
  ]
  for (const discovery of odd) {
    const idp = await openProvider(t)
    idp.discovery = discovery
    const { problem } = await idp.identify()
    assert.match(problem ?? '', /^The identity provider failed: /, JSON.stringify(discovery))
    assert.equal(idp.exchanges.length, 0)
  }
})

test('what the issuer names elsewhere is reached only at public addresses', async (t) => {
  const idp = await openProvider(t)
  for (const host of ['127.0.0.1:1', '[::1]:1', 'localhost:1']) {
    idp.discovery = { token_endpoint: `https://${host}/token` }
    idp.nowMs += 3_600_000
    assert.match((await idp.identify()).problem ?? '', /NOT_ALLOWED/, host)
  }
})

test('redirects are not followed, and answers have an end', async (t) => {
  const idp = await openProvider(t)
  idp.answer = (_, response) => {
    response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
  }
  assert.match((await idp.identify()).problem ?? '', /failed/)
  idp.answer = (_, response) => {
    response.writeHead(200)
    const pour = () => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', pour)
    pour()
  }
  assert.match((await idp.identify()).problem ?? '', /too long/)
  idp.answer = (_, response) => void response.end('<html>')
  assert.match((await idp.identify()).problem ?? '', /no JSON/)
})

test('a provider that was away is asked again the next time', async (t) => {
  const idp = await openProvider(t)
  idp.answer = (_, response) => void response.writeHead(503).end('{}')
  assert.match((await idp.identify()).problem ?? '', /HTTP 503/)
  idp.answer = undefined
  assert.equal((await idp.identify()).identity?.subject, 'ana')
})

function basicOf(id: string, secret: string): string {
  const form = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  return `Basic ${Buffer.from(`${form(id)}:${form(secret)}`).toString('base64')}`
}
