import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDRESS, queryOf, spanOfDay } from './filters.ts'

const NOW = Date.parse('2026-11-16T10:20:30.000Z')

test('an address without filters asks for everything', () => {
  assert.deepEqual(queryOf(ADDRESS, NOW), {})
})

test('each filter of the address is asked for, and what means nothing is left out', () => {
  const address = {
    ...ADDRESS,
    state: 'unacknowledged',
    q: ' shop ',
    cause: 'TIMEOUT',
    monitor: 'mon_1',
  }
  assert.deepEqual(queryOf(address, NOW), {
    acknowledged: false,
    q: 'shop',
    causeCode: ['TIMEOUT'],
    monitorId: 'mon_1',
  })
  assert.deepEqual(queryOf({ ...ADDRESS, q: '  ', cause: 'BAD_LUCK', day: 'yesterday' }, NOW), {})
})

test('a day is from its midnight to the next one', () => {
  const span = spanOfDay('2026-11-14')
  assert.deepEqual(span, {
    from: new Date(2026, 10, 14).toISOString(),
    to: new Date(2026, 10, 15).toISOString(),
  })
  assert.equal(spanOfDay('14.11.2026'), undefined)
})

test('a period is asked for from a full hour on, unless one day is asked for', () => {
  const address = { ...ADDRESS, period: '7' }
  assert.deepEqual(queryOf(address, NOW), { from: '2026-11-09T10:00:00.000Z' })
  assert.deepEqual(queryOf({ ...address, day: '2026-11-14' }, NOW), spanOfDay('2026-11-14'))
  assert.deepEqual(queryOf({ ...ADDRESS, period: '8' }, NOW), {})
})
