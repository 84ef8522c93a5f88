import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { readOpenapi } from '../make/schema.ts'
import {
  type HeaderSource,
  type RawBody,
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhooks.ts'

// The contract's test vector.
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const NOW = new Date(1_794_695_940_000)
const ID = 'evt_01hzy3v9k2m4n6p8q0r2s4t6v8'
const BODY = `{"id":"${ID}","type":"webhook.test","timestamp":"2026-11-14T22:39:00.000Z","apiVersion":"v1","organizationId":"org_x","data":{"message":"Test event","endpointId":"whe_x"}}`
const SIGNATURE = 'v1,7b+xEnXcNt4SwR+b5LQwkjKoP84SkXYE/dR8tH4L3e0='
const HEADERS: WebhookHeaders = {
  'webhook-id': ID,
  'webhook-timestamp': '1794695940',
  'webhook-signature': SIGNATURE,
}
const GOOD = { secret: SECRET, headers: HEADERS, body: BODY, now: NOW }
const secondsLater = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

async function reasonOf(options: VerifyWebhookOptions): Promise<WebhookVerificationReason> {
  try {
    await verifyWebhook(options)
  } catch (error) {
    assert.ok(error instanceof WebhookVerificationError, String(error))
    assert.equal(error.name, 'WebhookVerificationError')
    return error.reason
  }
  return assert.fail('it was accepted')
}

test("the contract's test vector: signed and verified", async () => {
  assert.deepEqual(await signWebhook({ secret: SECRET, id: ID, body: BODY, now: NOW }), HEADERS)
  assert.deepEqual(await verifyWebhook(GOOD), JSON.parse(BODY))
})

const bytes = new TextEncoder().encode(BODY)
const otherRealm = runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes] }) as Uint8Array
const inside = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')])
const bodies: [form: string, body: RawBody][] = [
  ['text', BODY],
  ['Uint8Array', bytes],
  ['Buffer', Buffer.from(BODY)],
  ['ArrayBuffer', bytes.buffer],
  ['a part of a larger buffer', inside.subarray(6, 6 + bytes.length)],
  ['bytes of another realm', otherRealm],
]
for (const [form, body] of bodies)
  test(`the body as ${form}`, async () => {
    assert.equal((await verifyWebhook({ ...GOOD, body })).id, ID)
  })

const headerForms: [form: string, headers: HeaderSource][] = [
  ['Headers', new Headers(HEADERS)],
  [
    "Node's request.headers",
    { host: 'x', 'set-cookie': ['a', 'b'], absent: undefined, ...HEADERS },
  ],
  ['an object in capitals', upperCased(HEADERS)],
  ['lists of values', { ...HEADERS, 'webhook-signature': ['v1,AAAA', SIGNATURE] }],
  ['an object without prototype', Object.assign(Object.create(null), HEADERS) as HeaderSource],
]
for (const [form, headers] of headerForms)
  test(`headers as ${form}`, async () => {
    assert.equal((await verifyWebhook({ ...GOOD, headers })).id, ID)
  })

type Change = Partial<Omit<VerifyWebhookOptions, 'secret'>> & Record<string, unknown>
const sentWith = (changes: Partial<WebhookHeaders>) => ({ headers: { ...HEADERS, ...changes } })
const parsed = JSON.parse(BODY) as RawBody
// biome-ignore format: a table is read by its columns
const refusals: [why: string, change: Change, reason: WebhookVerificationReason][] = [
  ['no id',                      { headers: without('webhook-id') },                       'missing_header'],
  ['no timestamp',               { headers: without('webhook-timestamp') },                'missing_header'],
  ['no signature',               { headers: without('webhook-signature') },                'missing_header'],
  ['no headers at all',          { headers: new Headers() },                               'missing_header'],
  ['a timestamp in words',       sentWith({ 'webhook-timestamp': 'now' }),                    'bad_timestamp'],
  ['a timestamp with a sign',    sentWith({ 'webhook-timestamp': '-1794695940' }),            'bad_timestamp'],
  ['a timestamp in hexadecimal', sentWith({ 'webhook-timestamp': '0x6af8e844' }),             'bad_timestamp'],
  ['five minutes and a second',  { now: secondsLater(301) },                               'too_old'],
  ['a tighter tolerance',        { now: secondsLater(11), toleranceSeconds: 10 },          'too_old'],
  ['a tolerance that is no number', { toleranceSeconds: Number.NaN },                      'too_old'],
  ['a clock that is no time',    { now: new Date(Number.NaN) },                            'too_old'],
  ['from the future',            { now: secondsLater(-301) },                              'too_new'],
  ['another timestamp',          sentWith({ 'webhook-timestamp': '1794695941' }),             'no_matching_signature'],
  ['another id',                 sentWith({ 'webhook-id': 'evt_other' }),                     'no_matching_signature'],
  ['another body',               { body: `${BODY} ` },                                     'no_matching_signature'],
  ['another secret',             { secret: OTHER },                                        'no_matching_signature'],
  ['another version',            sentWith({ 'webhook-signature': SIGNATURE.replace('v1', 'v2') }), 'no_matching_signature'],
  ['a cut signature',            sentWith({ 'webhook-signature': SIGNATURE.slice(0, 30) }),   'no_matching_signature'],
  ['a signature without version', sentWith({ 'webhook-signature': SIGNATURE.slice(3) }),      'no_matching_signature'],
  ['the same bytes in another spelling', sentWith({ 'webhook-signature': SIGNATURE.replace('0=', '1=') }), 'no_matching_signature'],
  ['ours behind a crowd',        sentWith({ 'webhook-signature': `${'v1,x '.repeat(16)}${SIGNATURE}` }), 'no_matching_signature'],
  ['two ids',                    { headers: { ...HEADERS, 'Webhook-Id': 'evt_other' } },   'no_matching_signature'],
  ['a parsed body',              { body: parsed },                                         'malformed_body'],
  ['a secret without prefix',    { secret: SECRET.slice(6) },                              'malformed_secret'],
  ['a secret in quotes',         { secret: `"${SECRET}"` },                                'malformed_secret'],
  ['a secret with a new line',   { secret: `${SECRET}\n` },                                'malformed_secret'],
  ['a cut secret',               { secret: SECRET.slice(0, -1) },                          'malformed_secret'],
  ['a short secret',             { secret: 'whsec_AAAA' },                                 'malformed_secret'],
  ['no secret',                  { secret: undefined },                                    'malformed_secret'],
  ['an empty list of secrets',   { secrets: [] },                                          'malformed_secret'],
  ['one bad secret of two',      { secrets: [SECRET, 'whsec_'] },                          'malformed_secret'],
]
for (const [why, change, reason] of refusals)
  test(`${reason}: ${why}`, async () => {
    assert.equal(await reasonOf({ ...GOOD, ...change }), reason)
  })

for (const body of ['', 'hello', '[]', 'null', '{"id":"evt_x"}', Uint8Array.of(0xff, 0xfe)])
  test(`malformed_body: signed, but ${JSON.stringify(body)} is no event`, async () => {
    const headers = await signWebhook({ secret: SECRET, id: ID, body, now: NOW })
    assert.equal(await reasonOf({ ...GOOD, headers, body }), 'malformed_body')
  })

test('within five minutes either way it is accepted', async () => {
  for (const seconds of [-300, -1, 1, 300])
    assert.equal((await verifyWebhook({ ...GOOD, now: secondsLater(seconds) })).id, ID)
})

test('without now the clock of the machine counts', async () => {
  const headers = await signWebhook({ secret: SECRET, id: ID, body: BODY })
  assert.equal((await verifyWebhook({ secret: SECRET, headers, body: BODY })).id, ID)
  assert.equal(await reasonOf({ secret: SECRET, headers: HEADERS, body: BODY }), ageOfVector())
})

test('rotation: either secret verifies, and so does a receiver that holds both', async () => {
  const headers = await signWebhook({ secrets: [OTHER, SECRET], id: ID, body: BODY, now: NOW })
  assert.match(headers['webhook-signature'], /^v1,\S+ v1,\S+$/)
  for (const secrets of [[SECRET], [OTHER], [SECRET, OTHER], [OTHER, SECRET]])
    assert.equal((await verifyWebhook({ secrets, headers, body: BODY, now: NOW })).id, ID)
  assert.equal((await verifyWebhook({ ...GOOD, secrets: [OTHER, SECRET] })).id, ID)
})

test('a type younger than the SDK comes through', async () => {
  const body = BODY.replace('webhook.test', 'monitor.sang')
  const headers = await signWebhook({ secret: SECRET, id: ID, body, now: NOW })
  const { type }: { type: string } = await verifyWebhook({ ...GOOD, headers, body })
  assert.equal(type, 'monitor.sang')
})

test("every example of the contract's events verifies and keeps its shape", async () => {
  const webhooks = Object.values(readOpenapi().webhooks)
  assert.equal(webhooks.length, 22)
  for (const { post } of webhooks) {
    const { example } = post.requestBody.content['application/json']
    const body = JSON.stringify(example)
    const headers = await signWebhook({ secret: SECRET, id: ID, body, now: NOW })
    assert.deepEqual(await verifyWebhook({ ...GOOD, headers, body }), example)
  }
})

test('the type of an event determines the shape of its data', async () => {
  const event = await verifyWebhook(GOOD)
  // Type-checked by check:types: this is what a receiver writes.
  if (event.type === 'monitor.down') assert.fail(event.data.previousState)
  assert.ok(event.type === 'webhook.test')
  assert.equal(event.data.message, 'Test event')
})

const anyKey = fc.uint8Array({ minLength: 24, maxLength: 64 })
const anyBody = fc.record({ text: fc.string({ unit: 'binary' }), number: fc.double() })
const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`
const eventWith = (data: unknown) => JSON.stringify({ ...JSON.parse(BODY), data })

test('agrees with the independent library on any secret and any body, both ways', async () => {
  const property = fc.asyncProperty(anyKey, anyBody, async (key, data) => {
    const [secret, body, now] = [secretOf(key), eventWith(data), new Date()]
    const ours = await signWebhook({ secret, id: ID, body, now })
    assert.deepEqual(new Webhook(secret).verify(body, ours), JSON.parse(body))
    const theirs = new Webhook(secret).sign(ID, now, body)
    const headers = { ...ours, 'webhook-signature': theirs }
    assert.deepEqual(await verifyWebhook({ secret, headers, body, now }), JSON.parse(body))
  })
  await fc.assert(property)
})

test('any flipped bit of id, timestamp, signature or body is refused', async () => {
  const parts = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'body')
  const property = fc.asyncProperty(anyKey, parts, fc.nat(), fc.nat(7), async (...drawn) => {
    const [key, part, position, bit] = drawn
    const secret = secretOf(key)
    const headers = await signWebhook({ secret, id: ID, body: BODY, now: NOW })
    const flipped = flip({ ...headers, body: BODY }[part], position, bit)
    const change =
      part === 'body' ? { body: flipped } : { headers: { ...headers, [part]: latin1(flipped) } }
    await reasonOf({ headers, body: BODY, secret, now: NOW, ...change })
  })
  await fc.assert(property, { numRuns: 500 })
})

test('any flipped bit of the secret is refused', async () => {
  const property = fc.asyncProperty(anyKey, fc.nat(), fc.nat(7), async (key, position, bit) => {
    const headers = await signWebhook({ secret: secretOf(key), id: ID, body: BODY, now: NOW })
    const wrong = Uint8Array.from(key)
    wrong[position % key.length] = (key[position % key.length] ?? 0) ^ (1 << bit)
    const options = { secret: secretOf(wrong), headers, body: BODY, now: NOW }
    assert.equal(await reasonOf(options), 'no_matching_signature')
  })
  await fc.assert(property)
})

test('whatever arrives, the answer is a reason and never another error', async () => {
  const anything = fc.option(fc.string({ unit: 'binary' }), { nil: undefined })
  const headers = fc.record({
    'webhook-id': anything,
    'webhook-timestamp': fc.oneof(anything, fc.constant('1794695940')),
    'webhook-signature': fc.oneof(
      anything,
      fc.base64String().map((text) => `v1,${text}`),
    ),
  })
  const property = fc.asyncProperty(headers, fc.uint8Array(), async (given, body) => {
    await reasonOf({ secret: SECRET, headers: given, body, now: NOW })
  })
  await fc.assert(property)
})

function without(name: keyof WebhookHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(HEADERS).filter(([each]) => each !== name))
}

function upperCased(headers: WebhookHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
}

// Depending on the clock, the vector is in the past or in the future.
function ageOfVector(): WebhookVerificationReason {
  return Date.now() > NOW.getTime() ? 'too_old' : 'too_new'
}

function flip(text: string, position: number, bit: number): Uint8Array {
  const flipped = new TextEncoder().encode(text)
  const at = position % flipped.length
  flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
  return flipped
}

const latin1 = (given: Uint8Array) => Buffer.from(given).toString('latin1')
