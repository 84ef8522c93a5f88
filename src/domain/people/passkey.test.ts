import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCopied, passkeySiteOf, toUserHandle } from './passkey.ts'
import {
  CHALLENGE_SECONDS,
  type ChallengeUse,
  challengeIn,
  checkChallenge,
  makeChallenge,
} from './passkey-challenge.ts'
import { hasSecondFactor, secondFactorsOf } from './second-factor.ts'

// biome-ignore format: a table is read by its columns
const SITES: readonly [baseUrl: string, id: string | undefined][] = [
  ['https://up.example.com',       'up.example.com'],
  ['https://up.example.com:8443/', 'up.example.com'],
  ['http://localhost:8080',        'localhost'],
  ['http://up.localhost:8080',     'up.localhost'],
  ['http://up.example.com',        undefined],
  ['https://192.0.2.7',            undefined],
  ['https://[2001:db8::1]',        undefined],
  ['http://127.0.0.1:8080',        undefined],
]

for (const [baseUrl, id] of SITES)
  test(`passkeySiteOf: ${baseUrl} -> ${id ?? 'none'}`, () => {
    const expected = id === undefined ? undefined : { id, origin: new URL(baseUrl).origin }
    assert.deepEqual(passkeySiteOf(baseUrl), expected)
  })

// biome-ignore format: a table is read by its columns
const COUNTS: readonly [stored: number, reported: number, copied: boolean][] = [
  [0, 0, false],
  [0, 1, false],
  [5, 6, false],
  [5, 900, false],
  [5, 5, true],
  [5, 4, true],
  [5, 0, true],
]

for (const [stored, reported, copied] of COUNTS)
  test(`isCopied: ${stored}, then ${reported} -> ${copied}`, () =>
    assert.equal(isCopied(stored, reported), copied))

test('toUserHandle: sixteen bytes', () => {
  assert.equal(toUserHandle('01940000-0000-7000-8000-0000000000ff'), 'AZQAAAAAcACAAAAAAAAA_w')
})

test('secondFactorsOf: an authenticator that is confirmed, and passkeys', () => {
  const at = new Date()
  const kinds = (totpConfirmedAt: Date | null, passkeyCount: number) =>
    secondFactorsOf({ totpConfirmedAt, passkeyCount })
  assert.deepEqual(kinds(null, 0), [])
  assert.deepEqual(kinds(at, 0), ['AUTHENTICATOR'])
  assert.deepEqual(kinds(null, 1), ['PASSKEY'])
  assert.deepEqual(kinds(at, 2), ['AUTHENTICATOR', 'PASSKEY'])
  assert.equal(hasSecondFactor({ totpConfirmedAt: null, passkeyCount: 0 }), false)
  assert.equal(hasSecondFactor({ totpConfirmedAt: null, passkeyCount: 1 }), true)
})

const KEY = Buffer.alloc(32, 1)
const USE: ChallengeUse = { purpose: 'SIGN_IN', browser: 'this one' }
const NOW = new Date('2026-11-16T10:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const make = () => makeChallenge(KEY, USE, { random: Buffer.alloc(16, 2), now: NOW })

test('checkChallenge: good for five minutes', () => {
  const challenge = make()
  const endsAt = later(CHALLENGE_SECONDS)
  assert.deepEqual(checkChallenge(KEY, USE, { challenge, now: NOW }), endsAt)
  assert.deepEqual(checkChallenge(KEY, USE, { challenge, now: later(299.999) }), endsAt)
  assert.equal(checkChallenge(KEY, USE, { challenge, now: endsAt }), undefined)
})

test('checkChallenge: for one key, purpose and browser', () => {
  const [challenge, now] = [make(), NOW]
  const check = (key: Buffer, use: ChallengeUse) => checkChallenge(key, use, { challenge, now })
  assert.equal(check(Buffer.alloc(32, 3), USE), undefined)
  assert.equal(check(KEY, { ...USE, purpose: 'ADD' }), undefined)
  assert.equal(check(KEY, { ...USE, browser: 'another' }), undefined)
})

test('checkChallenge: no byte of it can be changed, and no other spelling counts', () => {
  const bytes = Buffer.from(make(), 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed[i] ?? 0) ^ 1, i)
    const challenge = changed.toString('base64url')
    assert.equal(checkChallenge(KEY, USE, { challenge, now: NOW }), undefined, `byte ${i}`)
  }
  const others = ['', 'x', `${make()}AA`, `${make()}=`, make().slice(1), bytes.toString('base64')]
  for (const challenge of others)
    if (challenge !== make())
      assert.equal(checkChallenge(KEY, USE, { challenge, now: NOW }), undefined, challenge)
})

test('challengeIn: what a browser reports, and nothing else', () => {
  const report = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url')
  assert.equal(challengeIn(report({ challenge: 'abc' })), 'abc')
  for (const text of ['', 'x', report(null), report([]), report({}), report({ challenge: 7 })])
    assert.equal(challengeIn(text), undefined, text)
})
