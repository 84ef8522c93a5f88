import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSeed, publicKeyOf } from './nats-jwt.ts'
import {
  decodeToken,
  encodeToken,
  joinRequestName,
  MAX_TOKEN_CHARACTERS,
  readJoinRequest,
  readProbeFile,
} from './probe-token.ts'

const FIELDS = { url: 'tls://a:4222', ca: '', id: 'i', secret: 's', jwt: 'j', seed: 'k' }
const TOKEN = { format: 2, ...FIELDS } as const
const KEY = publicKeyOf(newSeed('user'))
const wrapped = (value: unknown) =>
  `upvane-probe-2.${Buffer.from(JSON.stringify(value)).toString('base64url')}`

test('a token is one line that comes back as it was, also with a line break after it', () => {
  const line = encodeToken(TOKEN)
  assert.ok(!/\s/.test(line))
  assert.deepEqual(decodeToken(`${line}\n`), TOKEN)
})

// biome-ignore format: a table is read by its columns
const NOT_TOKENS: [why: string, text: string][] = [
  ['nothing',                 ''],
  ['a word',                  'hello'],
  ['another version',         encodeToken(TOKEN).replace('-2.', '-3.')],
  ['not base64',              'upvane-probe-2.%%%'],
  ['an array',                wrapped([])],
  ['null',                    wrapped(null)],
  ['a field is missing',      wrapped({ ...FIELDS, seed: undefined })],
  ['a field is no text',      wrapped({ ...FIELDS, url: { a: 1 } })],
  ['too long',                wrapped({ ...FIELDS, ca: 'x'.repeat(MAX_TOKEN_CHARACTERS) })],
]
for (const [why, text] of NOT_TOKENS)
  test(`not a token: ${why}`, () => assert.equal(decodeToken(text), undefined))

test('a token of the format before asks under the name that it may use', () => {
  const before = decodeToken(encodeToken({ ...TOKEN, format: 1 }))
  assert.deepEqual(before, { ...TOKEN, format: 1 })
  assert.equal(joinRequestName({ format: 1, id: 'i' }), 'join')
  assert.equal(joinRequestName(TOKEN), 'join.i')
})

test('a token carries nothing that we do not know', () => {
  assert.deepEqual(decodeToken(wrapped({ ...FIELDS, more: 'x' })), TOKEN)
  assert.equal(readProbeFile('{"url":1}'), undefined)
})

const WRONG_END = `${KEY.slice(0, -2)}${KEY.endsWith('AA') ? 'BB' : 'AA'}`

// biome-ignore format: a table is read by its columns
const NOT_REQUESTS: [why: string, body: unknown][] = [
  ['nothing',                 undefined],
  ['null',                    null],
  ['text',                    'join'],
  ['no key',                  { id: 'i', secret: 's' }],
  ['a key of an account',     { id: 'i', secret: 's', publicKey: publicKeyOf(newSeed('account')) }],
  ['a key with a wrong end',  { id: 'i', secret: 's', publicKey: WRONG_END }],
  ['a secret of 1 MB',        { id: 'i', secret: 's'.repeat(1_000_000), publicKey: KEY }],
  ['an id that is a list',    { id: ['i'], secret: 's', publicKey: KEY }],
  ['an empty secret',         { id: 'i', secret: '', publicKey: KEY }],
]
for (const [why, body] of NOT_REQUESTS)
  test(`not a request to join: ${why}`, () => assert.equal(readJoinRequest(body), undefined))

test('a request to join is read without what does not belong to it', () => {
  const request = { id: 'i', secret: 's', publicKey: KEY }
  assert.deepEqual(readJoinRequest({ ...request, region: 'eu' }), request)
})
