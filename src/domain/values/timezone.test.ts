import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimezone } from './timezone.ts'

// biome-ignore format: many short values read better side by side
const NAMES = [
  'UTC', 'Europe/Berlin', 'europe/berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata',
  'Asia/Calcutta', 'Etc/GMT+5', 'US/Pacific', 'CET', 'GMT',
]
// biome-ignore format: many short values read better side by side
const OTHERS = [
  '', ' ', 'Berlin', 'Mars/Olympus', 'Europe/Berlin ', 'PST', '+01:00', '-05', 'Z', 'T00:00Z',
  'T0000Z', '2026-01-01T00:00Z[UTC]', 'Europe/Berlin[x]', 'UTC\0', '../etc/passwd',
]

for (const name of NAMES) test(`${name} is a time zone`, () => assert.ok(isTimezone(name)))
for (const name of OTHERS)
  test(`${JSON.stringify(name)} is no time zone`, () => assert.ok(!isTimezone(name)))
