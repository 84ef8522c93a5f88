// Which ID tokens are accepted: by their claims, their signature, and the response that they come with.
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import {
  ec,
  openProvider,
  otherRsa,
  part,
  published,
  rsa,
  signed,
} from '../../../test/kit/targets/scripted-provider.ts'

const NOW = Date.parse('2026-11-14T12:00:00Z')
const SECONDS = NOW / 1000
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })

// biome-ignore format: a table is read by its columns
const claims: [name: string, change: Record<string, unknown>, problem: string | undefined][] = [
  ['a good one',                       {},                                      undefined],
  ['for us among others, by name',     { aud: ['upvane', 'x'], azp: 'upvane' }, undefined],
  ['for us alone, as a list',          { aud: ['upvane'] },                     undefined],
  ['another issuer',                   { iss: 'https://id.example.evil' },      'it is of another issuer'],
  ['no issuer',                        { iss: undefined },                      'it is of another issuer'],
  ['another client',                   { aud: 'other' },                        'it is for another client'],
  ['a client whose name ours is in',   { aud: 'upvane-2' },                     'it is for another client'],
  ['several, and not said for whom',   { aud: ['upvane', 'x'] },                'it is for another client'],
  ['for us, but made for another',     { aud: ['upvane', 'x'], azp: 'x' },      'it is for another client'],
  ['made for another client',          { azp: 'x' },                            'it is for another client'],
  ['nobody in particular',             { aud: [] },                             'it is for another client'],
  ['another nonce',                    { nonce: 'n2' },                         'it is of another sign-in'],
  ['no nonce',                         { nonce: undefined },                    'it is of another sign-in'],
  ['ended a minute ago and more',      { exp: SECONDS - 61 },                   'it has ended'],
  ['ended within the leeway',          { exp: SECONDS - 59 },                   undefined],
  ['an end that is no number',         { exp: String(SECONDS + 300) },          'it has ended'],
  ['no end',                           { exp: undefined },                      'it has ended'],
  ['from the future',                  { iat: SECONDS + 61 },                   'it is from the future'],
  ['not good yet',                     { nbf: SECONDS + 61 },                   'it is from the future'],
  ['nobody',                           { sub: '' },                             'it names nobody'],
  ['a number for somebody',            { sub: 7 },                              'it names nobody'],
  ['a name of nearly any length',      { sub: 'x'.repeat(256) },                'it names nobody'],
  ['a name with U+0000',               { sub: 'a\0' },                          'it names nobody'],
]
for (const [name, change, problem] of claims)
  test(`an ID token: ${name}`, (t) => judge(t, change, problem))

test('an ID token: the same issuer with a slash', (t) =>
  judge(t, (issuer) => ({ iss: `${issuer}/` }), 'it is of another issuer'))

type Change = Record<string, unknown>
async function judge(
  t: TestContext,
  change: Change | ((issuer: string) => Change),
  problem: string | undefined,
): Promise<void> {
  t.mock.timers.enable({ apis: ['Date'], now: NOW })
  const idp = await openProvider(t)
  idp.change = typeof change === 'function' ? change(idp.issuer) : change
  const found = await idp.identify()
  assert.equal(found.identity?.subject, problem === undefined ? 'ana' : undefined)
  const expected = problem === undefined ? undefined : `The ID token is refused: ${problem}`
  assert.equal(found.problem, expected)
}

type Pair = { privateKey: KeyObject; publicKey: KeyObject }
const ecOf = (namedCurve: string): Pair => generateKeyPairSync('ec', { namedCurve })
const p384 = ecOf('P-384')
const p521 = ecOf('P-521')
const ed25519 = generateKeyPairSync('ed25519')

// biome-ignore format: a table is read by its columns
const algorithms: [alg: string, pair: Pair, other: Pair][] = [
  ['RS256', rsa, otherRsa], ['RS384', rsa, otherRsa], ['RS512', rsa, otherRsa],
  ['PS256', rsa, otherRsa], ['PS384', rsa, otherRsa], ['PS512', rsa, otherRsa],
  ['ES256', ec, ecOf('P-256')], ['ES384', p384, ecOf('P-384')], ['ES512', p521, ecOf('P-521')],
  ['Ed25519', ed25519, generateKeyPairSync('ed25519')],
  ['EdDSA', ed25519, generateKeyPairSync('ed25519')],
]
for (const [alg, { privateKey, publicKey }, other] of algorithms)
  test(`${alg} is accepted from the key that made it, and from no other`, async (t) => {
    const header = { alg, kid: 'a' }
    const claims = { sub: 'eva', name: 'Eva' }
    const made = await identify(t, [published(publicKey, 'a')], (said) =>
      signed(privateKey, header, { ...said, ...claims }),
    )
    assert.deepEqual([made.identity?.subject, made.identity?.name], ['eva', 'Eva'])
    const forged = await identify(t, [published(other.publicKey, 'a')], (said) =>
      signed(privateKey, header, said),
    )
    assertRefused(forged, alg)
  })

test('a token without the name of its key is accepted when there is one key for it', async (t) => {
  const keys = [published(rsa.publicKey, 'a'), published(ec.publicKey, 'b')]
  const made = await identify(t, keys, (said) => signed(rsa.privateKey, { alg: 'RS256' }, said))
  assert.equal(made.identity?.subject, 'ana')
})

test('another key, another kind of key, or one for another purpose made no signature', async (t) => {
  const keys = [
    published(otherRsa.publicKey),
    published(ec.publicKey),
    { ...published(rsa.publicKey), use: 'enc' },
    { ...published(rsa.publicKey), alg: 'RS512' },
    { kty: 'RSA', n: 'AQAB', e: 'not a number' },
    { kty: 'RSA' },
    { kty: 'RSA', key_ops: 7 },
    {},
  ]
  for (const key of keys) {
    const found = await identify(t, [key], (said) => signed(rsa.privateKey, { alg: 'RS256' }, said))
    assertRefused(found, JSON.stringify(key))
  }
})

test('what was changed afterwards is not signed', async (t) => {
  const key = published(rsa.publicKey)
  const bend = (change: (head: string, body: string, signature: string) => string) =>
    identify(t, [key], (said) => {
      const [head = '', body = '', signature = ''] = sign256(said).split('.')
      return change(head, body, signature)
    })
  const good = await bend((...parts) => parts.join('.'))
  assert.equal(good.identity?.subject, 'ana')
  const eve = await bend((head, body, signature) => {
    const said: object = JSON.parse(Buffer.from(body, 'base64url').toString())
    return `${head}.${part({ ...said, sub: 'eve' })}.${signature}`
  })
  assertRefused(eve, 'claims')
  const otherHead = part({ alg: 'RS256', x: 1 })
  assertRefused(await bend((_, body, signature) => `${otherHead}.${body}.${signature}`), 'header')
  for (const odd of ['', '!!', 'AAAA'])
    assertRefused(await bend((head, body) => `${head}.${body}.${odd}`), `signature ${odd}`)
})

test('no signature, a secret instead of a key, and other algorithms are refused', async (t) => {
  const pem = String(rsa.publicKey.export({ type: 'spki', format: 'pem' }))
  const key = published(rsa.publicKey)
  const secrets = [pem, JSON.stringify(key), '', 's3cret +/&']
  const algs = [
    'none',
    'None',
    'NONE',
    'nOnE',
    '',
    null,
    undefined,
    'HS256',
    'PS256',
    'RS1',
    'RS256',
  ]
  const idp = await openProvider(t)
  // A provider cannot widen the list.
  idp.discovery = { id_token_signing_alg_values_supported: algs }
  idp.keys = [key]
  for (const alg of algs) {
    const text = () => `${part({ alg })}.${part(idp.claims())}`
    const macs = secrets.map((secret) => () => {
      const message = text()
      return `${message}.${createHmac('sha256', secret).update(message).digest('base64url')}`
    })
    for (const token of [...macs, () => `${text()}.`, () => `${text()}.AAAA`]) {
      idp.token = token
      assertRefused(await idp.identify(), `${alg}`)
    }
  }
})

test('short keys and other curves are refused', async (t) => {
  const small = await identify(t, [published(smallRsa.publicKey)], (said) =>
    signed(smallRsa.privateKey, { alg: 'RS256' }, said),
  )
  assertRefused(small, 'RSA of 1024 bits')
  const odd = await identify(t, [published(p384.publicKey)], (said) =>
    signed(p384.privateKey, { alg: 'ES256' }, said),
  )
  assertRefused(odd, 'ES256 on P-384')
})

test('what must be understood and is not, is refused', async (t) => {
  const found = await identify(t, [published(rsa.publicKey)], (said) =>
    signed(rsa.privateKey, { alg: 'RS256', crit: ['exp'] }, said),
  )
  assertRefused(found, 'crit')
})

test('what is no token is none', async (t) => {
  const idp = await openProvider(t)
  const odd = [
    '.',
    '..',
    'a.b',
    'a.b.c',
    `${sign256(idp.claims())}.x`,
    'x'.repeat(70_000),
    `${part([])}.${part([])}.AA`,
    `${part({ alg: 'RS256' })}.${part([])}.AA`,
    'a.b.c.d.e',
  ]
  for (const text of odd) {
    idp.token = () => text
    assertRefused(await idp.identify(), text.slice(0, 20))
  }
  idp.token = () => ''
  assert.match((await idp.identify()).problem ?? '', /^The identity provider failed: .*id_token/)
})

test('a response of another sign-in, of another provider or of another flow is not exchanged', async (t) => {
  const idp = await openProvider(t)
  const state = 's'
  const odd: [query: Record<string, string>, problem: RegExp][] = [
    [{}, /state/],
    [{ state: 'another' }, /state/],
    [{ state, iss: 'https://evil.example' }, /iss/],
    [{ state, error: 'access_denied' }, /error/],
    [{ state, id_token: 'x' }, /implicit/],
  ]
  for (const [query, problem] of odd) {
    idp.query = query
    const found = await idp.identify()
    assert.match(found.problem ?? '', /^The identity provider failed: /)
    assert.match(found.problem ?? '', problem)
  }
  assert.equal(idp.exchanges.length, 0)
  idp.query = { state, iss: idp.issuer }
  assert.equal((await idp.identify()).identity?.subject, 'ana')
})

test('a provider that always names itself is not believed when it does not', async (t) => {
  const idp = await openProvider(t)
  idp.discovery = { authorization_response_iss_parameter_supported: true }
  assert.match((await idp.identify()).problem ?? '', /"iss" \(issuer\) missing/)
  idp.query = { state: 's', iss: idp.issuer }
  assert.equal((await idp.identify()).identity?.subject, 'ana')
})

type Found = Awaited<ReturnType<Awaited<ReturnType<typeof openProvider>>['identify']>>

/** The result of a sign-in at a provider with these keys, whose token is made by the test. */
async function identify(
  t: TestContext,
  keys: object[],
  token: (claims: object) => string,
): Promise<Found> {
  const idp = await openProvider(t)
  idp.keys = keys
  idp.token = () => token(idp.claims())
  return idp.identify()
}

function assertRefused({ identity, problem }: Found, name: string): void {
  assert.equal(identity, undefined, name)
  assert.match(problem ?? '', /^The ID token is refused: /, name)
}

const sign256 = (claims: object): string => signed(rsa.privateKey, { alg: 'RS256' }, claims)
