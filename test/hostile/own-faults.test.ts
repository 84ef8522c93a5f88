import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outcomes, ownFaultsIn } from './own-faults.ts'

test('Own faults: every 5xx of any attack, and nothing else', () => {
  const tally = { 'write 200': 9, 'write 500': 1, 'answered 502': 1, 'stream 503': 2, 'key 429': 3 }
  assert.deepEqual(ownFaultsIn(tally), ['write 500', 'answered 502', 'stream 503'])
  assert.deepEqual(ownFaultsIn({ 'whole 400': 500, 'whole 0': 5, mails: 503 }), [])
})

test('Own faults: a 503 is promised only for a page that was not served yet, and with Retry-After', () => {
  const path = '/status/acme/history?from=2026'
  const unavailable = { path, status: 503, retryAfter: '5' }
  const nameOf = (answer: object, outcomes = new Outcomes()) =>
    ownFaultsIn({ [`page ${outcomes.nameOf({ ...unavailable, ...answer })}`]: 1 })

  assert.deepEqual(nameOf({}), [])
  assert.deepEqual(nameOf({ retryAfter: undefined }), ['page 503'])
  assert.deepEqual(nameOf({ status: 500 }), ['page 500'])
  for (const other of ['/', '/hb/some-token', '/api/v1/monitors', '/app/api/session'])
    assert.deepEqual(nameOf({ path: other }), ['page 503'], other)

  const outcomes = new Outcomes()
  assert.deepEqual(nameOf({}, outcomes), [])
  outcomes.nameOf({ path: '/status/acme', status: 200, retryAfter: undefined })
  assert.deepEqual(nameOf({}, outcomes), ['page 503'])
  assert.deepEqual(nameOf({ path: '/status/other' }, outcomes), [])
})
