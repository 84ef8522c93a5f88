import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayTitles, outageDays } from './day-titles.ts'

test('each day has its date and what happened, also over the end of a year', () => {
  const bad = [
    { index: 2, downSeconds: 720, degradedSeconds: 0 },
    { index: 3, downSeconds: 60, degradedSeconds: 180 },
    { index: 4, downSeconds: 0, degradedSeconds: 0 },
  ]
  assert.deepEqual(
    dayTitles({ timezone: 'Europe/Vienna', firstDate: '2026-12-30', codes: '-uxxm', bad }, 'HTTP'),
    [
      'Dec 30, 2026: no data',
      'Dec 31, 2026: no downtime',
      'Fri, Jan 1: 12 min down',
      'Sat, Jan 2: 1 min down, 3 min degraded',
      'Sun, Jan 3: maintenance',
    ],
  )
})

test('a certificate is expiring on its amber days, not degraded', () => {
  const bad = [{ index: 0, downSeconds: 0, degradedSeconds: 180 }]
  const days = { timezone: 'UTC', firstDate: '2026-11-14', codes: 'd', bad }
  assert.deepEqual(dayTitles(days, 'SSL'), ['Sat, Nov 14: 3 min expiring'])
  assert.deepEqual(dayTitles(days, 'HTTP'), ['Sat, Nov 14: 3 min degraded'])
})

test('only days with an outage lead to their incidents, by their date in the time zone of the bars', () => {
  const bad = [
    { index: 1, downSeconds: 720, degradedSeconds: 0 },
    { index: 2, downSeconds: 0, degradedSeconds: 180 },
  ]
  const days = { timezone: 'America/New_York', firstDate: '2026-12-30', codes: '-xd', bad }
  assert.deepEqual(outageDays(days), [undefined, '2026-12-31', undefined])
})
