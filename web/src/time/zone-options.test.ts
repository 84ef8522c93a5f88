import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimezone } from '../../../src/domain/values/timezone.ts'
import { currentZoneName } from './zone-names.ts'
import { zoneOptions } from './zone-options.ts'

/** What a select finds for what is typed. */
const found = (typed: string) =>
  zoneOptions(null).find(({ label }) => label.toLowerCase().startsWith(typed.toLowerCase()))?.value

test('zoneOptions: a city is found by its current name', () => {
  assert.equal(found('Kolkata'), 'Asia/Kolkata')
  assert.equal(found('Kyiv'), 'Europe/Kyiv')
  assert.equal(found('New York'), 'America/New_York')
  assert.equal(found('UTC'), 'UTC')
})

test('zoneOptions: no old name is left, and the service takes every one', () => {
  const values = zoneOptions(null).map(({ value }) => value)
  assert.equal(new Set(values).size, values.length)
  assert.ok(!values.includes('Asia/Calcutta') && !values.includes('Europe/Kiev'))
  for (const value of values) assert.ok(isTimezone(value), value)
  // Both names of a zone have the same clock.
  const clock = (timeZone: string) =>
    new Date('2026-07-01T12:00:00Z').toLocaleString('en', { timeZone })
  for (const old of Intl.supportedValuesOf('timeZone'))
    assert.equal(clock(currentZoneName(old)), clock(old), old)
})

test('zoneOptions: a zone that was saved by its old name comes first, once', () => {
  const options = zoneOptions('Asia/Calcutta')
  assert.deepEqual(options[0], { value: 'Asia/Calcutta', label: 'Kolkata (Asia)' })
  assert.equal(options.filter(({ label }) => label.startsWith('Kolkata')).length, 1)
})
