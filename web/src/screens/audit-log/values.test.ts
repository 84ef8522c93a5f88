import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldLabel, valueLabel } from './values.ts'

// biome-ignore format: one field per line
const FIELDS: [field: string, label: string][] = [
  ['name', 'Name'],
  ['intervalSeconds', 'Interval'],
  ['delayMinutes', 'Delay'],
  ['followRedirects', 'Follow redirects'],
  ['passwordProtected', 'Password protected'],
  ['url', 'URL'],
  ['expectedPeriodSec', 'Expect a ping every'],
]

for (const [field, label] of FIELDS)
  test(`fieldLabel: ${field}`, () => {
    assert.equal(fieldLabel(field), label)
  })

// biome-ignore format: one value per line
const VALUES: [field: string, value: Parameters<typeof valueLabel>[1], label: string][] = [
  ['name', 'API', 'API'],
  ['timezone', 'America/New_York', 'New York (America)'],
  ['name', '', 'none'],
  ['degradedThresholdMs', null, 'none'],
  ['degradedThresholdMs', 500, '500\u00a0ms'],
  ['intervalSeconds', 30, '30 s'],
  ['enabled', false, 'off'],
  ['enabled', true, 'on'],
  ['sslExpiryThresholdDays', 1, '1 day'],
  ['sslExpiryThresholdDays', 14, '14 days'],
  ['port', 443, '443'],
]

for (const [field, value, label] of VALUES)
  test(`valueLabel: ${field} ${value}`, () => {
    assert.equal(valueLabel(field, value), label)
  })

test('valueLabel: a time in the time zone of the viewer, with the zone', () => {
  assert.match(valueLabel('startsAt', '2026-11-14T22:39:00.000Z'), /Nov 1[45], 2026/)
})
