import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PushSubscription, subscriptionProblems, toApiPushDevice } from './push-device.ts'

const GOOD: PushSubscription = {
  endpoint: 'https://push.example.com/send/abc',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const OUTSIDE = { isPublic: (address: string) => address === '203.0.113.7', isAllowed: () => false }
const POLICY = { ...OUTSIDE, allowHttp: true }
const offCurve = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url')

// biome-ignore format: a table is read by its columns
const CASES: readonly [what: string, change: Partial<PushSubscription>, paths: readonly string[]][] = [
  ['a subscription',            {},                                              []],
  ['a public address',          { endpoint: 'https://203.0.113.7/x' },           []],
  ['http',                      { endpoint: 'http://push.example.com/x' },       ['endpoint']],
  ['http to a public address',  { endpoint: 'http://203.0.113.7/x' },            ['endpoint']],
  ['loopback',                  { endpoint: 'https://127.0.0.1/x' },             ['endpoint']],
  ['loopback, IPv6',            { endpoint: 'https://[::1]/x' },                 ['endpoint']],
  ['a local name',              { endpoint: 'https://localhost/x' },             ['endpoint']],
  ['an internal name',          { endpoint: 'https://push.internal/x' },         ['endpoint']],
  ['the metadata service',      { endpoint: 'https://169.254.169.254/x' },       ['endpoint']],
  ['a password',                { endpoint: 'https://a:b@push.example.com/x' },  ['endpoint']],
  ['another scheme',            { endpoint: 'file:///etc/passwd' },              ['endpoint']],
  ['no URL',                    { endpoint: 'x' },                               ['endpoint']],
  ['a short key',               { p256dh: GOOD.p256dh.slice(0, 80) },            ['keys.p256dh']],
  ['a point off the curve',     { p256dh: offCurve },                            ['keys.p256dh']],
  ['no base64url',              { p256dh: `${GOOD.p256dh.slice(0, 86)}/` },      ['keys.p256dh']],
  ['a short secret',            { auth: 'BTBZMqHH6r4Tts7J' },                    ['keys.auth']],
  ['a long secret',             { auth: `${GOOD.auth}${GOOD.auth}` },            ['keys.auth']],
  ['nothing right',             { endpoint: '', p256dh: '', auth: '' },          ['endpoint', 'keys.p256dh', 'keys.auth']],
]

for (const [what, change, paths] of CASES)
  test(`a device is ${paths.length === 0 ? 'accepted' : 'refused'}: ${what}`, () => {
    const found = subscriptionProblems({ ...GOOD, ...change }, POLICY, (key) => key === GOOD.p256dh)
    assert.deepEqual(
      found.map(({ path }) => path),
      paths,
    )
  })

test('the error of a device is shown until it accepts something', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 16, 9, minute))
  const device = {
    uuid: '01a1dde6-483f-73d3-8001-df43e965a64e',
    name: 'Firefox on Linux',
    endpointHash: Buffer.alloc(32, 1),
    createdAt: at(0),
    lastError: 'HTTP 503',
  }
  const shown = (lastSuccessAt: Date | null, lastFailureAt: Date | null) =>
    toApiPushDevice({ ...device, lastSuccessAt, lastFailureAt })
  assert.equal(shown(null, at(1)).error, 'HTTP 503')
  assert.equal(shown(at(2), at(1)).error, null)
  assert.equal(shown(at(1), at(2)).error, 'HTTP 503')
  assert.equal(shown(null, null).error, null)
  assert.equal(shown(null, null).fingerprint, '01'.repeat(32))
})
