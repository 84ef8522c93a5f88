import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, ConnectionError, TimeoutError, type UpvaneError } from './errors.ts'
import { readRetryAfter, retryWait } from './retry.ts'

const FACTS = { operation: 'createMonitor', attempts: 1, idempotencyKey: 'k' }
const LIMITS = { maxRetries: 2, maxRetryWaitMs: 65_000, timeoutMs: 30_000 }
const START = { retries: 0, runningMs: 0 }
const api = (status: number, code: string, retryAfterMs: number | null = null) =>
  new ApiError('A reason.', FACTS, { code, status, requestId: null, details: [], retryAfterMs })

// biome-ignore format: a table is read by its columns
const codes: [status: number, code: string, isRetried: boolean][] = [
  [400, 'validation_error',        false],
  [400, 'invalid_idempotency_key', false],
  [401, 'unauthorized',            false],
  [403, 'forbidden',               false],
  [404, 'not_found',               false],
  [405, 'method_not_allowed',      false],
  [409, 'conflict',                false],
  [409, 'idempotency_conflict',    false],
  [409, 'idempotency_in_progress', true],
  [422, 'plan_limit',              false],
  [422, 'subscription_required',   false],
  [429, 'rate_limited',            true],
  [500, 'internal_error',          true],
  [302, 'unexpected_answer',       false],
  [404, 'unexpected_answer',       false],
  [501, 'unexpected_answer',       false],
  [502, 'unexpected_answer',       true],
  [503, 'unexpected_answer',       true],
  [504, 'unexpected_answer',       true],
]
for (const [status, code, isRetried] of codes)
  test(`${status} ${code} is ${isRetried ? '' : 'never '}repeated`, () => {
    assert.equal(retryWait(api(status, code), START, LIMITS, 0) !== undefined, isRetried)
  })

const lost: UpvaneError[] = [new ConnectionError('lost', FACTS), new TimeoutError('late', FACTS)]
for (const error of lost)
  test(`${error.name} is repeated as often as allowed, with growing waits`, () => {
    const waits = [0, 1, 2, 3].map((retries) =>
      retryWait(error, { retries, runningMs: 0 }, { ...LIMITS, maxRetries: 3 }, 0),
    )
    assert.deepEqual(waits, [500, 1000, 2000, undefined])
  })

test('waits grow to eight seconds, and chance takes away up to a quarter', () => {
  const error = api(500, 'internal_error')
  const limits = { ...LIMITS, maxRetries: 100 }
  assert.equal(retryWait(error, { retries: 50, runningMs: 0 }, limits, 0), 8000)
  assert.equal(retryWait(error, { retries: 50, runningMs: 0 }, limits, 1), 6000)
})

test('Retry-After decides, and one beyond maxRetryWaitMs is not waited for', () => {
  assert.equal(retryWait(api(429, 'rate_limited', 41_000), START, LIMITS, 1), 41_000)
  assert.equal(retryWait(api(429, 'rate_limited', 65_001), START, LIMITS, 0), undefined)
})

test('an attempt that still runs is waited for as long as a call may take, outside the count', () => {
  const error = api(409, 'idempotency_in_progress', 1000)
  const used = { ...START, retries: 2 }
  assert.equal(retryWait(error, used, LIMITS, 0), 1000)
  assert.equal(retryWait(error, { ...used, runningMs: 10_000 }, LIMITS, 0), 5000)
  assert.equal(retryWait(error, { ...used, runningMs: 29_999 }, LIMITS, 0), 8000)
  assert.equal(retryWait(error, { ...used, runningMs: 30_000 }, LIMITS, 0), undefined)
  assert.equal(retryWait(error, START, { ...LIMITS, maxRetries: 0 }, 0), undefined)
})

const NOW = Date.parse('2026-11-14T22:39:00.000Z')
const headers: [value: string | null, waitMs: number | null][] = [
  [null, null],
  ['', null],
  ['soon', null],
  ['0', 0],
  ['7', 7000],
  ['Sat, 14 Nov 2026 22:39:30 GMT', 30_000],
  ['Sat, 14 Nov 2026 22:38:00 GMT', 0],
]
for (const [value, waitMs] of headers)
  test(`Retry-After: ${value} is ${waitMs} ms`, () => {
    assert.equal(readRetryAfter(value, NOW), waitMs)
  })
