import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import { isSignedBy, type PublishedKey, readSignedToken } from './signed-token.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' })

const published = (key: KeyObject, more: object = {}): PublishedKey => ({
  ...key.export({ format: 'jwk' }),
  ...more,
})
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function token(key: KeyObject, header: object, claims: object = { sub: 'ana' }): string {
  const text = `${part(header)}.${part(claims)}`
  const how = { key, dsaEncoding: 'ieee-p1363' as const }
  return `${text}.${sign('sha256', Buffer.from(text), how).toString('base64url')}`
}

function accepts(text: string, key: PublishedKey): boolean {
  const read = readSignedToken(text)
  return read !== undefined && isSignedBy(read, key)
}

test('RS256 and ES256 are accepted from the key that made them', () => {
  const made = token(rsa.privateKey, { alg: 'RS256', kid: 'a' }, { sub: 'ana', n: 1 })
  assert.equal(accepts(made, published(rsa.publicKey)), true)
  assert.deepEqual(readSignedToken(made)?.claims, { sub: 'ana', n: 1 })
  assert.equal(readSignedToken(made)?.keyId, 'a')
  assert.equal(accepts(token(ec.privateKey, { alg: 'ES256' }), published(ec.publicKey)), true)
})

test('another key, another kind of key, or one for another purpose made no signature', () => {
  const made = token(rsa.privateKey, { alg: 'RS256' })
  const keys = [
    published(otherRsa.publicKey),
    published(ec.publicKey),
    published(rsa.publicKey, { use: 'enc' }),
    published(rsa.publicKey, { alg: 'RS512' }),
    { kty: 'RSA', n: 'AQAB', e: 'not a number' },
    { kty: 'RSA' },
    {},
  ]
  for (const key of keys) assert.equal(accepts(made, key), false, JSON.stringify(key))
})

test('what was changed afterwards is not signed', () => {
  const made = token(rsa.privateKey, { alg: 'RS256' })
  const [head = '', , signature = ''] = made.split('.')
  const key = published(rsa.publicKey)
  assert.equal(accepts(`${head}.${part({ sub: 'eve' })}.${signature}`, key), false)
  assert.equal(
    accepts(`${part({ alg: 'RS256', x: 1 })}.${made.split('.')[1]}.${signature}`, key),
    false,
  )
})

test('no signature, a secret instead of a key, and other algorithms are refused', () => {
  const claims = part({ sub: 'eve' })
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const key = published(rsa.publicKey)
  for (const alg of [
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
  ]) {
    const text = `${part({ alg })}.${claims}`
    for (const secret of [String(pem), JSON.stringify(key), ''])
      assert.equal(
        accepts(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`, key),
        false,
        `${alg}`,
      )
    assert.equal(accepts(`${text}.`, key), false)
    assert.equal(readSignedToken(`${text}.AAAA`), undefined, `${alg}`)
  }
  // An accepted algorithm's name over an HMAC signature.
  const text = `${part({ alg: 'RS256' })}.${claims}`
  const mac = createHmac('sha256', String(pem)).update(text).digest('base64url')
  assert.equal(accepts(`${text}.${mac}`, key), false)
})

test('short keys and other curves are refused', () => {
  const small = token(smallRsa.privateKey, { alg: 'RS256' })
  assert.equal(accepts(small, published(smallRsa.publicKey)), false)
  const odd = token(otherCurve.privateKey, { alg: 'ES256' })
  assert.equal(accepts(odd, published(otherCurve.publicKey)), false)
})

test('what must be understood and is not, is refused', () => {
  const made = token(rsa.privateKey, { alg: 'RS256', crit: ['exp'] })
  assert.equal(accepts(made, published(rsa.publicKey)), false)
})

test('what is no token is none', () => {
  const good = token(rsa.privateKey, { alg: 'RS256' })
  const odd = [
    '',
    '.',
    '..',
    'a.b',
    'a.b.c',
    `${good}.x`,
    'x'.repeat(70_000),
    `${part([])}.${part([])}.AA`,
  ]
  for (const text of odd) assert.equal(readSignedToken(text), undefined, text.slice(0, 20))
})
