import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dayLimit,
  dayRefusal,
  eventBytes,
  fitsInDay,
  responseBytes,
  secondsLeftOfDay,
} from './day-quota.ts'
import { STORAGE_LIMITS } from './storage-limits.ts'

test('texts are kept in their order while the day has room; one that is too large leaves it to others', () => {
  const fits = (sizes: number[], usedBytes = 0) => fitsInDay(sizes, { usedBytes, limitBytes: 100 })
  assert.deepEqual(fits([40, 60]), [true, true])
  assert.deepEqual(fits([40, 61, 60, 1]), [true, false, true, false])
  assert.deepEqual(fits([1], 99), [true])
  assert.deepEqual(fits([1], 100), [false])
  assert.deepEqual(fits([0, 1], 1_000_000), [true, false], 'no text always fits')
  assert.deepEqual(fits([]), [])
})

test('an event counts with its row and its deliveries, in bytes and not in characters', () => {
  assert.equal(eventBytes([], 0), 0)
  assert.equal(eventBytes(['ab', '𝐀'], 0), 2 * 300 + 2 + 4)
  assert.equal(eventBytes(['ab'], 3), 300 + 2 + 3 * 9_000)
})

test('a short response is a part of its row', () => {
  assert.deepEqual([null, '', 'x'.repeat(256), 'x'.repeat(257)].map(responseBytes), [0, 0, 0, 257])
  assert.equal(responseBytes('𝐀'.repeat(200)), 800)
})

test('the request that reaches the limit of a day is the last, until the next day', () => {
  const limitBytes = 200 * 1024 * 1024
  assert.equal(dayRefusal('NEWS', { usedBytes: limitBytes - 1, limitBytes }), undefined)
  assert.equal(
    dayRefusal('NEWS', { usedBytes: limitBytes, limitBytes }),
    'The 200 MiB a day for published incidents are used up.',
  )
  assert.match(dayRefusal('EVENTS', { usedBytes: limitBytes, limitBytes }) ?? '', /changes/)
  assert.equal(secondsLeftOfDay(new Date('2026-11-19T00:00:00.000Z')), 86_400)
  assert.equal(secondsLeftOfDay(new Date('2026-11-19T23:59:59.900Z')), 1)
})

test('every kind has a limit of its plan', () => {
  for (const limits of Object.values(STORAGE_LIMITS))
    for (const kind of ['EVENTS', 'NEWS', 'PINGS', 'RESPONSES'] as const)
      assert.ok(dayLimit(kind, limits) > 0)
})
