import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RepeatLimit } from './repeat-limit.ts'

test('a storm of one kind is five lines and a count a minute; other kinds are not affected', () => {
  const limit = new RepeatLimit()
  const storm = Array.from({ length: 1000 }, (_, index) => limit.decide('database', index * 10))
  assert.equal(storm.filter((verdict) => verdict === 'WRITE').length, 5)
  assert.equal(limit.decide('bus', 10_000), 'WRITE')
  assert.deepEqual(limit.takeEnded(59_999), [])
  assert.deepEqual(limit.takeEnded(60_000), [{ kind: 'database', count: 995 }])
  assert.deepEqual(limit.takeEnded(120_000), [])
  assert.equal(limit.decide('database', 120_001), 'WRITE')
})

test('a count survives a new window that starts before it was reported', () => {
  const limit = new RepeatLimit()
  for (let line = 0; line < 8; line++) limit.decide('database', 0)
  assert.equal(limit.decide('database', 60_000), 'WRITE')
  assert.deepEqual(limit.takeEnded(120_000), [{ kind: 'database', count: 3 }])
})

test('kinds without number do not cost memory without number: nothing is lost, nothing is remembered', () => {
  const limit = new RepeatLimit()
  for (let kind = 0; kind < 10_000; kind++) assert.equal(limit.decide(`kind ${kind}`, 0), 'WRITE')
  for (let line = 0; line < 20; line++) limit.decide('kind 9999', 1)
  assert.deepEqual(limit.takeEnded(60_000), [])
})
