import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Alert, bounded } from '../../domain/alerts/alert.ts'
import { NO_RESPONSE } from '../../domain/events/delivery-outcome.ts'
import { MAX_PUSH_TEXT_BYTES } from '../../platform/crypto/push-encryption.ts'
import { type PushNotification, pushHeaders, toPushText } from './notification.ts'
import { type DeviceOutcome, judgeDevices, NO_DEVICE } from './outcome.ts'

const DOWN: Alert = {
  kind: 'DOWN',
  thread: '01a1dde6-483f-73d3-8001-df43e965a64e',
  organization: 'Acme',
  title: 'Checkout is down',
  summary: 'HTTP 503 since Sat, Nov 14, 14:27 CET',
  facts: [{ label: 'Cause', value: 'HTTP 503, expected 200' }],
  links: { open: 'https://up.example/incidents/inc_01', acknowledge: null },
  at: '2026-11-14T13:27:10.000Z',
}
const read = (alert: Alert) => JSON.parse(toPushText(alert).toString()) as PushNotification

test('a notification says what is down, and opens the incident', () => {
  assert.deepEqual(read(DOWN), {
    title: '✕ Checkout is down',
    body: 'HTTP 503 since Sat, Nov 14, 14:27 CET\nCause: HTTP 503, expected 200',
    url: 'https://up.example/incidents/inc_01',
    tag: DOWN.thread,
    at: DOWN.at,
  })
  assert.equal(read({ ...DOWN, kind: 'RECOVERED' }).tag, DOWN.thread, 'it replaces the outage')
})

for (const sign of ['a', 'é', '字', '👩‍👩‍👧', '\u0000', '"', '\\', '\ud800'])
  test(`the longest alert of ${JSON.stringify(sign)} fits into one message`, () => {
    const wild = bounded({
      ...DOWN,
      title: sign.repeat(3000),
      summary: sign.repeat(3000),
      facts: Array.from({ length: 60 }, () => ({
        label: sign.repeat(99),
        value: sign.repeat(999),
      })),
      links: { open: `https://up.example/${'x'.repeat(3000)}`, acknowledge: null },
    })
    const text = toPushText(wild)
    assert.ok(text.length <= MAX_PUSH_TEXT_BYTES, `${text.length} bytes`)
    assert.ok(read(wild).body.length >= 20)
  })

// biome-ignore format: a table is read by its columns
const HEADERS: readonly [kind: Alert['kind'], ttl: string, urgency: string][] = [
  ['DOWN',             '86400', 'high'],
  ['REMINDER',         '86400', 'high'],
  ['PARTLY_RECOVERED', '86400', 'high'],
  ['DEGRADED',         '86400', 'normal'],
  ['RECOVERED',        '86400', 'normal'],
  ['EXPIRING',         '86400', 'normal'],
  ['TEST',             '300',   'high'],
]

for (const [kind, ttl, urgency] of HEADERS)
  test(`headers of ${kind}: ${ttl} s, ${urgency}, one topic for each thread`, () => {
    const topic = DOWN.thread.replaceAll('-', '')
    assert.equal(topic.length, 32)
    assert.deepEqual(pushHeaders({ ...DOWN, kind }), { ttl, urgency, topic })
  })

const outcome = (name: string, fields: Partial<DeviceOutcome>): DeviceOutcome => ({
  ...NO_RESPONSE,
  deviceUuid: name,
  name,
  isAccepted: false,
  isGone: false,
  isReceiverFault: true,
  ...fields,
})
const OK = outcome('ok', { isAccepted: true, responseStatus: 201 })
const BUSY = outcome('busy', { responseStatus: 429, retryAfter: '7', error: 'HTTP 429' })
const BROKEN = outcome('broken', { responseStatus: 503, error: 'HTTP 503' })
const WRONG = outcome('wrong', { responseStatus: 403, error: 'HTTP 403', next: 'OVER' })
const LARGE = outcome('large', { responseStatus: 413, error: 'HTTP 413', next: 'OVER' })
const GONE = outcome('gone', { responseStatus: 410, error: 'HTTP 410', next: 'GONE', isGone: true })

type Row = [
  devices: DeviceOutcome[],
  before: boolean,
  outcome: string,
  next: string,
  fault: boolean,
]
// biome-ignore format: a table is read by its columns
const TOGETHER: readonly Row[] = [
  [[OK],           false, 'SUCCEEDED', 'RETRY', false],
  [[OK, OK],       false, 'SUCCEEDED', 'RETRY', false],
  [[OK, GONE],     false, 'SUCCEEDED', 'RETRY', false],
  [[OK, WRONG],    false, 'SUCCEEDED', 'RETRY', false],
  [[OK, BUSY],     false, 'FAILED',    'RETRY', false],
  [[BUSY],         false, 'FAILED',    'RETRY', true],
  [[BUSY],         true,  'FAILED',    'RETRY', false],
  [[GONE, BROKEN], false, 'FAILED',    'RETRY', true],
  [[WRONG],        false, 'FAILED',    'OVER',  true],
  [[LARGE],        false, 'FAILED',    'OVER',  true],
  [[WRONG],        true,  'SUCCEEDED', 'RETRY', false],
  [[GONE],         false, 'FAILED',    'OVER',  true],
  [[GONE],         true,  'SUCCEEDED', 'RETRY', false],
  [[],             true,  'SUCCEEDED', 'RETRY', false],
  [[],             false, 'FAILED',    'OVER',  true],
]

for (const [devices, before, expected, next, fault] of TOGETHER) {
  const names = devices.map(({ name }) => name).join(', ') || 'none'
  test(`devices ${names}${before ? ', another one reached before' : ''}: ${expected}, ${next}`, () => {
    const { outcome: found, ...result } = judgeDevices(devices, before)
    assert.equal(found, expected)
    if (expected === 'FAILED') assert.equal(result.next, next)
    assert.equal(result.isReceiverFault, fault)
  })
}

test('the error names the device, and Retry-After is passed on', () => {
  const { error, retryAfter, responseStatus } = judgeDevices([OK, BUSY], false)
  assert.deepEqual([error, retryAfter, responseStatus], ['busy: HTTP 429', '7', 429])
  assert.equal(judgeDevices([GONE], false).error, NO_DEVICE)
})
