// The example of RFC 8292, section 2.4.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVapid } from '../../../test/kit/push-service/vapid.ts'
import { newVapidSecret, toVapidKeys, vapidAuthorization } from './vapid.ts'

const EXAMPLE =
  'vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs'
const CLAIMS = {
  audience: 'https://push.example.net',
  subject: 'mailto:push@example.com',
  expiresAt: new Date(1_453_523_768_000),
}
const BEFORE = new Date(1_453_500_000_000)
const signedPart = (authorization: string) => authorization.split('t=')[1]?.split('.').slice(0, 2)

test('RFC 8292: the example of the standard is verified, and its token is built byte for byte', () => {
  const read = readVapid(EXAMPLE, CLAIMS.audience, BEFORE)
  assert.equal(read.problem, undefined)
  assert.equal(read.subject, CLAIMS.subject)
  const own = vapidAuthorization(toVapidKeys(newVapidSecret()), CLAIMS)
  assert.deepEqual(signedPart(own), signedPart(EXAMPLE))
})

test('a token is verified with the key that browsers subscribed with, and with no other', () => {
  for (let i = 0; i < 20; i++) {
    const [keys, others] = [toVapidKeys(newVapidSecret()), toVapidKeys(newVapidSecret())]
    const own = vapidAuthorization(keys, CLAIMS)
    const { problem, publicKey } = readVapid(own, CLAIMS.audience, BEFORE)
    assert.equal(problem, undefined)
    assert.equal(publicKey, keys.publicKey)
    assert.equal(Buffer.from(publicKey, 'base64url').length, 65)
    const forged = own.replace(keys.publicKey, others.publicKey)
    assert.equal(readVapid(forged, CLAIMS.audience, BEFORE).problem, 'signature')
  }
})

// biome-ignore format: a table is read by its columns
const REFUSED: readonly [what: string, text: string, audience: string, now: Date, problem: string][] = [
  ['another service', EXAMPLE,                     'https://other.example', BEFORE,                      'audience'],
  ['too late',        EXAMPLE,                     CLAIMS.audience,         new Date(1_453_600_000_000), 'expired'],
  ['too long',        EXAMPLE,                     CLAIMS.audience,         new Date(1_453_400_000_000), 'expires in more than a day'],
  ['no token',        'Bearer x',                  CLAIMS.audience,         BEFORE,                      'form'],
]

for (const [what, text, audience, now, problem] of REFUSED)
  test(`the check that other tests use refuses a token: ${what}`, () => {
    assert.equal(readVapid(text, audience, now).problem, problem)
  })
