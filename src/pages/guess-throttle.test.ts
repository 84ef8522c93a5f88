import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GuessThrottle } from './guess-throttle.ts'

const MINUTE_MS = 60_000

test('an address has ten wrong guesses a quarter of an hour, for each page', () => {
  const throttle = new GuessThrottle()
  for (let i = 0; i < 10; i++) {
    assert.ok(throttle.admits('page', '192.0.2.1', i))
    throttle.countWrong('page', '192.0.2.1', i)
  }
  assert.ok(!throttle.admits('page', '192.0.2.1', 10))
  assert.ok(throttle.admits('page', '192.0.2.2', 10))
  assert.ok(throttle.admits('other', '192.0.2.1', 10))
  assert.ok(throttle.admits('page', '192.0.2.1', 15 * MINUTE_MS))
})

test('a right one takes back what was counted for its address', () => {
  const throttle = new GuessThrottle()
  for (let i = 0; i < 9; i++) throttle.countWrong('page', '192.0.2.1', i)
  throttle.countWrong('page', '192.0.2.1', 10)
  throttle.forgive('page', '192.0.2.1')
  assert.ok(throttle.admits('page', '192.0.2.1', 11))
})

test('guesses from everywhere together are bounded as well', () => {
  const throttle = new GuessThrottle()
  for (let i = 0; i < 300; i++) throttle.countWrong('page', `2001:db8::${i}`, i)
  assert.ok(!throttle.admits('page', '192.0.2.1', 301))
  assert.ok(throttle.admits('page', '192.0.2.1', 15 * MINUTE_MS))
})
