import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../api-error.ts'
import { MinuteLimit, Refusals } from './minute-limit.ts'

const isRefusal = (retryAfter: string) => (error: unknown) =>
  error instanceof ApiError &&
  error.code === 'rate_limited' &&
  error.headers['Retry-After'] === retryAfter

test('a key has its requests of a minute, and is told how long the minute lasts', () => {
  const limit = new MinuteLimit(3)
  for (const ms of [0, 10, 20_000]) limit.count('a', ms)
  assert.throws(() => limit.count('a', 30_000), isRefusal('30'))
  assert.throws(() => limit.count('a', 59_999), isRefusal('1'))
  limit.count('b', 59_999)
  limit.count('a', 60_000)
})

test('0 turns it off', () => {
  const limit = new MinuteLimit(0)
  for (let n = 0; n < 10_000; n++) limit.count('a', 0)
})

test('keys that somebody makes up do not fill the memory', () => {
  const limit = new MinuteLimit(1)
  for (let n = 0; n <= 100_000; n++) limit.count(`k${n}`, 0)
  // All windows were dropped once, so the first key starts again at zero.
  limit.count('k0', 1)
})

test('what was refused is refused again until then, without work; others are not', () => {
  const limit = new MinuteLimit(1)
  const refusals = new Refusals()
  const count = (nowMs: number) => refusals.remember('a', nowMs, () => limit.count('x', nowMs))
  count(0)
  refusals.repeat('a', 1)
  assert.throws(() => count(10_000), isRefusal('50'))
  assert.throws(() => refusals.repeat('a', 20_000), isRefusal('40'))
  refusals.repeat('b', 20_000)
  refusals.repeat('a', 60_000)
  count(60_000)
})
