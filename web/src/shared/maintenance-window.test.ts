import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanLabel } from './maintenance-window.ts'

const NOW = Date.parse('2026-11-15T14:00:00Z')

// biome-ignore format: a table is read by its columns
const rows: [startsAt: string, endsAt: string, word: string][] = [
  ['2026-11-15T13:52:00Z', '2026-11-15T15:22:00Z', 'Today, 14:52 – 16:22'],
  ['2026-11-15T22:00:00Z', '2026-11-15T23:45:00Z', 'Today, 23:00 – tomorrow, 00:45'],
  ['2026-11-16T03:00:00Z', '2026-11-16T04:00:00Z', 'Tomorrow, 04:00 – 05:00'],
  ['2026-11-26T22:00:00Z', '2026-11-26T23:45:00Z', 'Thu 26 Nov, 23:00 – Fri 27 Nov, 00:45'],
  ['2026-11-14T22:00:00Z', '2026-11-15T23:45:00Z', 'Sat 14 Nov, 23:00 – tomorrow, 00:45'],
]

for (const [startsAt, endsAt, word] of rows)
  test(`spanWord: ${word}`, () => {
    assert.equal(spanLabel({ startsAt, endsAt }, NOW, 'Europe/Berlin'), word)
  })
