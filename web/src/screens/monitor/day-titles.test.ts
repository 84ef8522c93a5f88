import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayTitles } from './day-titles.ts'

test('each day has its date and what happened, also over the end of a year', () => {
  const bad = [
    { index: 2, downSeconds: 720, degradedSeconds: 0 },
    { index: 3, downSeconds: 60, degradedSeconds: 180 },
    { index: 4, downSeconds: 0, degradedSeconds: 0 },
  ]
  assert.deepEqual(
    dayTitles({ timezone: 'Europe/Vienna', firstDate: '2026-12-30', codes: '-uxxm', bad }),
    [
      '30 Dec 2026: no data',
      '31 Dec 2026: no downtime',
      'Fri 1 Jan: 12 min down',
      'Sat 2 Jan: 1 min down, 3 min degraded',
      'Sun 3 Jan: maintenance',
    ],
  )
})
