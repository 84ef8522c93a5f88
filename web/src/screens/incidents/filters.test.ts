import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDRESS, dayOf, queryOf, spanOfDay } from './filters.ts'

test('an address without filters asks for everything', () => {
  assert.deepEqual(queryOf(ADDRESS), {})
})

test('each filter of the address is asked for, and what means nothing is left out', () => {
  const address = {
    ...ADDRESS,
    state: 'unacknowledged',
    q: ' shop ',
    cause: 'TIMEOUT',
    monitor: 'mon_1',
  }
  assert.deepEqual(queryOf(address), {
    acknowledged: false,
    q: 'shop',
    causeCode: ['TIMEOUT'],
    monitorId: 'mon_1',
  })
  assert.deepEqual(queryOf({ ...ADDRESS, q: '  ', cause: 'BAD_LUCK', day: 'yesterday' }), {})
})

test('a day is from its midnight to the next one', () => {
  const span = spanOfDay('2026-11-14')
  assert.ok(span)
  assert.equal(dayOf(span.from), '2026-11-14')
  assert.equal(dayOf(span.to), '2026-11-15')
  assert.equal(spanOfDay('14.11.2026'), undefined)
})
