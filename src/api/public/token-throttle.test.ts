import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenThrottle } from './token-throttle.ts'

test('30 calls and beyond them 10 changes a minute, for each token by itself', () => {
  const throttle = new TokenThrottle()
  const admitted = (token: string, nowMs: number) =>
    Array.from({ length: 40 }, () => throttle.admits(token, nowMs)).filter(Boolean).length
  const changed = (token: string) =>
    Array.from({ length: 15 }, () => throttle.mayChange(token)).filter(Boolean).length
  assert.deepEqual([admitted('a', 0), admitted('b', 500)], [30, 30])
  assert.deepEqual([changed('a'), changed('b')], [10, 10])
  assert.equal(throttle.admits('a', 59_999), false)
  assert.equal(throttle.endsMs('b', 600), 60_500)
  assert.deepEqual([admitted('a', 60_000), changed('a')], [30, 10], 'the next minute')
})
