// A provider that lies, stalls or changes its answers: a loopback server scripted by the test.
import assert from 'node:assert/strict'
import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { listen } from '../../test/kit/targets/listen.ts'
import { createOutbound, publicOnly } from './create-outbound.ts'
import { OidcDirectory } from './oidc-directory.ts'
import { OidcProvider } from './oidc-provider.ts'

const FLOW = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) }
const REDIRECT = 'https://upvane.example/back'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('a good token names who it is, with the address where the provider is sure of it', async (t) => {
  const idp = await open(t)
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
  const { provider } = await open(t)
  const address = await provider.begin(FLOW)
  assert.equal(typeof address, 'string')
  const { searchParams } = new URL(String(address))
  const hash = createHash('sha256').update(FLOW.verifier).digest('base64url')
  assert.equal(searchParams.get('code_challenge'), hash)
  assert.equal(searchParams.get('keep'), 'this', 'what the endpoint has already stays')
})

test('ES256, a secret in the body, and no secret at all are accepted', async (t) => {
  const idp = await open(t, { secret: undefined })
  idp.token = () => signed(ec.privateKey, { alg: 'ES256', kid: 'ec' }, idp.claims())
  assert.equal((await idp.identify()).identity?.subject, 'ana')
  assert.equal(idp.exchanges[0]?.authorization, undefined)
  assert.match(idp.exchanges[0]?.body ?? '', /client_id=upvane/)

  const post = await open(t)
  post.discovery = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  assert.equal((await post.identify()).identity?.subject, 'ana')
  assert.equal(post.exchanges[0]?.authorization, undefined)
  assert.match(post.exchanges[0]?.body ?? '', /client_secret=s3cret/)
})

test('tokens that are not signed by the provider are refused, whatever they say', async (t) => {
  const idp = await open(t)
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
  const idp = await open(t)
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
  const idp = await open(t)
  await idp.identify()
  assert.equal(idp.keyReads, 1)
  idp.keys = [published(otherRsa.publicKey, 'new')]
  idp.token = () => signed(otherRsa.privateKey, { alg: 'RS256', kid: 'new' }, idp.claims())
  assert.match((await idp.identify()).problem ?? '', /signature/, 'too soon')
  idp.nowMs += 61_000
  assert.equal((await idp.identify()).identity?.subject, 'ana')
  assert.equal(idp.keyReads, 2)
  idp.token = () => signed(rsa.privateKey, { alg: 'RS256', kid: 'made-up' }, idp.claims())
  for (let i = 0; i < 5; i++) await idp.identify()
  assert.equal(idp.keyReads, 2)
  idp.nowMs += 3_600_000
  await idp.identify()
  assert.equal(idp.keyReads, 3)
})

test('what is said beside the token counts only about the same person', async (t) => {
  const idp = await open(t)
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
    const idp = await open(t)
    idp.discovery = discovery
    const { problem } = await idp.identify()
    assert.match(problem ?? '', /^The identity provider failed: /, JSON.stringify(discovery))
    assert.equal(idp.exchanges.length, 0)
  }
})

test('what the issuer names elsewhere is reached only at public addresses', async (t) => {
  const idp = await open(t)
  for (const host of ['127.0.0.1:1', '[::1]:1', 'localhost:1']) {
    idp.discovery = { token_endpoint: `https://${host}/token` }
    idp.nowMs += 3_600_000
    assert.match((await idp.identify()).problem ?? '', /NOT_ALLOWED/, host)
  }
})

test('redirects are not followed, and answers have an end', async (t) => {
  const idp = await open(t)
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
  const idp = await open(t)
  idp.answer = (_, response) => void response.writeHead(503).end('{}')
  assert.match((await idp.identify()).problem ?? '', /HTTP 503/)
  idp.answer = undefined
  assert.equal((await idp.identify()).identity?.subject, 'ana')
})

type IdentityProvider = Awaited<ReturnType<typeof open>>

async function open(
  t: TestContext,
  { secret }: { secret?: string | undefined } = { secret: 's3cret +/&' },
) {
  const server = createServer((request, response) => void serve(idp, request, response))
  const { port, close } = await listen(server)
  t.after(close)
  const issuer = `http://127.0.0.1:${port}`
  const everywhere = { allowCidrs: ['0.0.0.0/0', '::/0'], dnsServers: ['127.0.0.1:1'] }
  const outbound = createOutbound({ ...everywhere, userAgent: 'Test' })
  const guards = { own: outbound.guard, others: publicOnly(outbound).guard }
  const directory = new OidcDirectory({ issuer, guards, nowMs: () => idp.nowMs })
  const client = { issuer, clientId: 'upvane', clientSecret: secret, redirectUri: REDIRECT }
  const provider = new OidcProvider({ client, directory, now: () => new Date() })
  const idp = {
    issuer,
    provider,
    nowMs: 1_000_000,
    discovery: {} as Record<string, unknown>,
    change: {} as Record<string, unknown>,
    userInfo: {} as Record<string, unknown>,
    keys: [published(rsa.publicKey, 'rsa'), published(ec.publicKey, 'ec')] as object[],
    keyReads: 0,
    lastBearer: '' as string | undefined,
    exchanges: [] as { authorization: string | undefined; body: string }[],
    answer: undefined as ((request: IncomingMessage, response: ServerResponse) => void) | undefined,
    claims() {
      const now = Math.floor(Date.now() / 1000)
      const said = { email: 'ana@example.com', email_verified: true, name: 'Ana' }
      const base = {
        iss: issuer,
        aud: 'upvane',
        sub: 'ana',
        nonce: FLOW.nonce,
        iat: now,
        exp: now + 60,
      }
      return { ...base, ...said, ...idp.change }
    },
    token: () => signed(rsa.privateKey, { alg: 'RS256', kid: 'rsa' }, idp.claims()),
    async identify() {
      const found = await provider.finish('c', FLOW)
      return 'identity' in found
        ? { identity: found.identity, problem: undefined }
        : { identity: undefined, problem: found.problem }
    },
  }
  return idp
}

async function serve(
  idp: IdentityProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (idp.answer !== undefined) return idp.answer(request, response)
  const { authorization } = request.headers
  const body = await readText(request)
  const json = (value: unknown) => void response.end(JSON.stringify(value))
  switch (request.url) {
    case '/.well-known/openid-configuration':
      return json({
        issuer: idp.issuer,
        authorization_endpoint: `${idp.issuer}/authorize?keep=this`,
        token_endpoint: `${idp.issuer}/token`,
        jwks_uri: `${idp.issuer}/keys`,
        userinfo_endpoint: `${idp.issuer}/me`,
        ...idp.discovery,
      })
    case '/keys':
      idp.keyReads += 1
      return json({ keys: idp.keys })
    case '/token':
      idp.exchanges.push({ authorization, body })
      return json({ id_token: idp.token(), access_token: 'at' })
    case '/me':
      idp.lastBearer = authorization
      return json(idp.userInfo)
    default:
      response.writeHead(404).end('{}')
  }
}

function signed(key: KeyObject, header: object, claims: object): string {
  const text = `${part(header)}.${part(claims)}`
  const how = { key, dsaEncoding: 'ieee-p1363' as const }
  return `${text}.${sign('sha256', Buffer.from(text), how).toString('base64url')}`
}

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function published(key: KeyObject, kid: string): object {
  return { ...key.export({ format: 'jwk' }), kid, use: 'sig' }
}

function basicOf(id: string, secret: string): string {
  const form = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  return `Basic ${Buffer.from(`${form(id)}:${form(secret)}`).toString('base64')}`
}
