import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isSigned,
  liveSecrets,
  mayRotate,
  previousSecretExpiresAt,
  type Secret,
  type SignedHeaders,
  signedHeaders,
} from './signature.ts'

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const NOW = new Date(1_794_695_940_000)
const MESSAGE = {
  id: 'evt_01hzy3v9k2m4n6p8q0r2s4t6v8',
  sentAt: NOW,
  body: '{"id":"evt_01hzy3v9k2m4n6p8q0r2s4t6v8","type":"webhook.test","timestamp":"2026-11-14T22:39:00.000Z","apiVersion":"v1","organizationId":"org_x","data":{"message":"Test event","endpointId":"whe_x"}}',
}
const current = (secret: string): Secret => ({ secret, rotatedAt: null })
const rotated = (secret: string, hoursAgo: number): Secret => ({
  secret,
  rotatedAt: new Date(NOW.getTime() - hoursAgo * 3_600_000),
})
const secondsLater = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

test('the published test vector', () => {
  assert.deepEqual(signedHeaders(MESSAGE, [current(SECRET)]), {
    'webhook-id': MESSAGE.id,
    'webhook-timestamp': '1794695940',
    'webhook-signature': 'v1,7b+xEnXcNt4SwR+b5LQwkjKoP84SkXYE/dR8tH4L3e0=',
  })
})

test('signs as the Standard Webhooks reference library does', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  }
  assert.equal(
    signedHeaders(message, [current('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')])[
      'webhook-signature'
    ],
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

test('a retry keeps id and body, and gets a new timestamp and signature', () => {
  const first = signedHeaders(MESSAGE, [current(SECRET)])
  const retry = signedHeaders({ ...MESSAGE, sentAt: secondsLater(5) }, [current(SECRET)])
  assert.equal(retry['webhook-id'], first['webhook-id'])
  assert.equal(retry['webhook-timestamp'], '1794695945')
  assert.notEqual(retry['webhook-signature'], first['webhook-signature'])
})

// biome-ignore format: a table is read by its columns
const live: [why: string, secrets: Secret[], names: string[]][] = [
  ['the current one',                    [current('new')],                                       ['new']],
  ['newest first',                       [rotated('old', 5), current('new'), rotated('mid', 1)], ['new', 'mid', 'old']],
  ['old for less than a day',            [current('new'), rotated('old', 23.99)],                ['new', 'old']],
  ['old for a day',                      [current('new'), rotated('old', 24)],                   ['new']],
]
for (const [why, secrets, names] of live) {
  test(`secrets that sign: ${why}`, () => {
    const found = liveSecrets(secrets, NOW).map(({ secret }) => secret)
    assert.deepEqual(found, names)
  })
}

test('during a rotation both the new and the old secret verify, the new one first', () => {
  const headers = signedHeaders(MESSAGE, [rotated(OTHER, 1), current(SECRET)])
  assert.match(headers['webhook-signature'], /^v1,7b\+xEn\S+ v1,\S+$/)
  assert.ok(isSigned(headers, MESSAGE.body, SECRET, NOW))
  assert.ok(isSigned(headers, MESSAGE.body, OTHER, NOW))
})

test('five live secrets, then no rotation until one has grown old', () => {
  const four = [current('a'), rotated('b', 1), rotated('c', 2), rotated('d', 3)]
  assert.ok(mayRotate(four, NOW))
  assert.ok(!mayRotate([...four, rotated('e', 4)], NOW))
  assert.ok(mayRotate([...four, rotated('e', 24)], NOW))
})

test('the end of the overlap is that of the secret replaced last', () => {
  assert.equal(previousSecretExpiresAt([current('a')], NOW), null)
  assert.equal(previousSecretExpiresAt([current('a'), rotated('b', 25)], NOW), null)
  const end = previousSecretExpiresAt([current('a'), rotated('b', 1), rotated('c', 9)], NOW)
  assert.deepEqual(end, secondsLater(23 * 3600))
})

const GOOD = signedHeaders(MESSAGE, [current(SECRET)])
// biome-ignore format: a table is read by its columns
const receipts: [why: string, headers: Partial<SignedHeaders>, body: string, secondsLater: number, signed: boolean][] = [
  ['as sent',                    {},                                     MESSAGE.body,       0,    true],
  ['five minutes later',         {},                                     MESSAGE.body,       300,  true],
  ['later than that',            {},                                     MESSAGE.body,       301,  false],
  ['a receiver whose clock lags', {},                                    MESSAGE.body,       -300, true],
  ['sent from the future',       {},                                     MESSAGE.body,       -301, false],
  ['another body',               {},                                     `${MESSAGE.body} `, 0,    false],
  ['another id',                 { 'webhook-id': 'evt_other' },          MESSAGE.body,       0,    false],
  ['another timestamp',          { 'webhook-timestamp': '1794695941' },  MESSAGE.body,       0,    false],
  ['no number as timestamp',     { 'webhook-timestamp': 'now' },         MESSAGE.body,       0,    false],
  ['no signature',               { 'webhook-signature': '' },            MESSAGE.body,       0,    false],
  ['another version',            { 'webhook-signature': GOOD['webhook-signature'].replace('v1', 'v2') }, MESSAGE.body, 0, false],
  ['a cut signature',            { 'webhook-signature': 'v1,7b+xEnXc' }, MESSAGE.body,       0,    false],
  ['a foreign one before ours',  { 'webhook-signature': `v1a,xyz ${GOOD['webhook-signature']}` }, MESSAGE.body, 0, true],
]
for (const [why, headers, body, seconds, signed] of receipts) {
  test(`a message ${why} is ${signed ? 'ours' : 'refused'}`, () => {
    assert.equal(isSigned({ ...GOOD, ...headers }, body, SECRET, secondsLater(seconds)), signed)
  })
}

test('another secret never verifies', () => {
  const keys = fc.uint8Array({ minLength: 24, maxLength: 48 })
  fc.assert(
    fc.property(keys, fc.string({ unit: 'binary' }), (key, body) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`
      const headers = signedHeaders({ ...MESSAGE, body }, [current(secret)])
      assert.ok(isSigned(headers, body, secret, NOW))
      assert.ok(!isSigned(headers, body, SECRET, NOW))
    }),
  )
})
