import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JobsInFlight } from './jobs-in-flight.ts'

test('InFlight: a result counts once, and only if its job is in flight', () => {
  const inFlight = new JobsInFlight<string>()
  const first = inFlight.add('monitor 1')
  const second = inFlight.add('monitor 2')
  const results = [{ id: 'forged' }, { id: first }, { id: first }, { id: '__proto__' }]

  assert.deepEqual(inFlight.match(results), [{ result: { id: first }, about: 'monitor 1' }])
  assert.deepEqual(inFlight.match(results), [])
  assert.equal(inFlight.size, 1)
  assert.equal(inFlight.find(second), 'monitor 2')
  assert.equal(inFlight.take(second), 'monitor 2')
  assert.equal(inFlight.take(second), undefined)
})

test('InFlight: ids carry 128 random bits', () => {
  const inFlight = new JobsInFlight<number>()
  const ids = Array.from({ length: 1000 }, (_, index) => inFlight.add(index))
  assert.equal(new Set(ids).size, 1000)
  for (const id of ids) assert.equal(Buffer.from(id, 'base64url').length, 16)
})
