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

test('one that was never judged is taken back alone', () => {
  const throttle = new GuessThrottle()
  for (let i = 0; i < 10; i++) throttle.countWrong('page', '192.0.2.1', i)
  throttle.takeBack('page', '192.0.2.1')
  assert.ok(throttle.admits('page', '192.0.2.1', 11))
  throttle.countWrong('page', '192.0.2.1', 12)
  assert.ok(!throttle.admits('page', '192.0.2.1', 13))
})

test('a right one takes back what was counted for its address', () => {
  const throttle = new GuessThrottle()
  for (let i = 0; i < 9; i++) throttle.countWrong('page', '192.0.2.1', i)
  throttle.countWrong('page', '192.0.2.1', 10)
  throttle.forgive('page', '192.0.2.1')
  assert.ok(throttle.admits('page', '192.0.2.1', 11))
})

test('an IPv6 network is one address: it does not use up what everybody has', () => {
  const throttle = new GuessThrottle()
  let admitted = 0
  for (let i = 0; i < 400; i++) {
    const address = `2001:db8:0:7:${i.toString(16)}::1`
    if (!throttle.admits('page', address, i)) continue
    throttle.countWrong('page', address, i)
    admitted += 1
  }
  assert.equal(admitted, 10)
  assert.ok(throttle.admits('page', '2001:db8:0:8::1', 401))
})

test('guesses from everywhere together are bounded as well', () => {
  const throttle = new GuessThrottle()
  for (let i = 0; i < 300; i++) throttle.countWrong('page', `2001:db8:${i}::1`, i)
  assert.ok(!throttle.admits('page', '192.0.2.1', 301))
  assert.ok(throttle.admits('page', '192.0.2.1', 15 * MINUTE_MS))
})
