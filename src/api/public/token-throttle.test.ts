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

test('pings that arrive before the monitor of a token is known leave it no second quota', () => {
  const throttle = new TokenThrottle()
  const count = (allowed: () => boolean) =>
    Array.from({ length: 500 }, allowed).filter(Boolean).length
  assert.equal(
    count(() => throttle.admits('own', 0)),
    30,
  )
  assert.equal(
    count(() => throttle.mayChange('own')),
    10,
  )
  throttle.learn('own', 7, 1)
  assert.equal(
    count(() => throttle.admits('own', 2)),
    0,
  )
  assert.equal(
    count(() => throttle.mayChange('own')),
    0,
  )
  assert.equal(throttle.endsMs('own', 2), 60_000)
})

test('the tokens of a monitor count together, from the second ping of each', () => {
  const throttle = new TokenThrottle()
  const admitted = (token: string, nowMs: number) =>
    Array.from({ length: 40 }, () => throttle.admits(token, nowMs)).filter(Boolean).length
  assert.ok(throttle.admits('own', 0) && throttle.admits('alias', 0) && throttle.admits('other', 0))
  throttle.learn('own', 7, 0)
  throttle.learn('own', 7, 0)
  throttle.learn('alias', 7, 0)
  throttle.learn('other', 8, 0)
  assert.deepEqual([admitted('own', 1), admitted('alias', 2), admitted('other', 3)], [28, 0, 29])
  const changed = ['own', 'alias'].flatMap((token) =>
    Array.from({ length: 8 }, () => throttle.mayChange(token)).filter(Boolean),
  )
  assert.equal(changed.length, 10)
  assert.equal(throttle.keyOf('own'), throttle.keyOf('alias'))
  assert.equal(throttle.endsMs('alias', 500), throttle.endsMs('own', 500))
  assert.deepEqual([admitted('alias', 60_000), admitted('own', 60_000)], [30, 0], 'the next minute')
})
