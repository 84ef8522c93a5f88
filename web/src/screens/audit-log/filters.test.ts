import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDRESS, queryOf } from './filters.ts'

const NOW = Date.parse('2026-11-16T10:20:30.000Z')

test('an address without filters asks for everything', () => {
  assert.deepEqual(queryOf(ADDRESS, NOW), {})
})

test('each filter is asked for; a period begins on a full hour', () => {
  const address = { ...ADDRESS, q: ' API ', actor: 'Ana', action: 'createKey', period: '7' }
  const from = '2026-11-09T10:00:00.000Z'
  assert.deepEqual(queryOf(address, NOW), { q: 'API', actor: 'Ana', action: 'createKey', from })
})

test('a text asks for the fields whose label has it', () => {
  const fieldsOf = (q: string) => queryOf({ ...ADDRESS, q }, NOW).fields
  assert.deepEqual(fieldsOf(' Status codes'), ['expectedStatus'])
  assert.deepEqual(fieldsOf('warn before'), ['sslExpiryThresholdDays'])
  assert.deepEqual(fieldsOf('slow limit'), [
    'degradedThresholdMs',
    'degradedThresholdMode',
    'degradedSamples',
  ])
  assert.equal(fieldsOf('Checkout'), undefined)
})

test('a period that is not offered is none', () => {
  assert.deepEqual(queryOf({ ...ADDRESS, period: '99999999' }, NOW), {})
  assert.deepEqual(queryOf({ ...ADDRESS, period: 'x' }, NOW), {})
})
