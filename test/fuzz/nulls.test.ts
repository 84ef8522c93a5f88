// The places where the fuzzer puts null: none may be lost unnoticed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOperations } from '../db-kit/openapi-document.ts'
import { nullLocations, withNullAt } from './nulls.ts'

const locationsOf = (operationId: string) =>
  nullLocations(readOperations().find(({ id }) => id === operationId)?.body?.schema).map((place) =>
    place.join('.'),
  )

test('every place of a body is found: fields, items, map entries, and behind references', () => {
  const monitor = locationsOf('createMonitor')
  for (const place of [
    'name',
    'type',
    'expectedStatus',
    'expectedStatus.0',
    'requestHeaders.X-Null',
  ])
    assert.ok(monitor.includes(place), place)
  const page = locationsOf('createStatusPage')
  assert.ok(page.includes('sections.0.components.0.monitorId'))
  const window = locationsOf('updateMaintenanceWindow')
  for (const place of ['recurrence', 'recurrence.frequency', 'recurrence.daysOfWeek.0'])
    assert.ok(window.includes(place), place)
})

test('null is put in its place, and what leads there is made', () => {
  assert.deepEqual(withNullAt({ a: 1 }, ['a']), { a: null })
  assert.deepEqual(withNullAt({}, ['a', '0', 'b']), { a: [{ b: null }] })
  assert.deepEqual(withNullAt({ a: [{ b: 1, c: 2 }, 3] }, ['a', '0', 'b']), {
    a: [{ b: null, c: 2 }, 3],
  })
})
