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
      'Dec 30, 2026: no data',
      'Dec 31, 2026: no downtime',
      'Fri, Jan 1: 12 min down',
      'Sat, Jan 2: 1 min down, 3 min degraded',
      'Sun, Jan 3: maintenance',
    ],
  )
})
