import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daySummary, daysOf, lastDays } from './days.ts'

const NOW = new Date(2026, 10, 14, 14, 30).getTime()
const at = (date: number, hour: number) => new Date(2026, 10, date, hour).toISOString()

test('the last days are midnights, today last', () => {
  const days = lastDays(NOW, 3)
  assert.deepEqual(
    days.map((day) => [day.getDate(), day.getHours()]),
    [
      [12, 0],
      [13, 0],
      [14, 0],
    ],
  )
})

test('an outage counts on every day it touches, with the part that lies in it', () => {
  const outages = [
    { startedAt: at(12, 22), resolvedAt: at(13, 1) },
    { startedAt: at(13, 10), resolvedAt: at(13, 11) },
    { startedAt: at(14, 14), resolvedAt: null },
  ]
  const days = daysOf(lastDays(NOW, 4), outages, NOW)
  assert.deepEqual(
    days.map(({ incidents }) => incidents),
    [0, 1, 2, 1],
  )
  assert.deepEqual(days.slice(1).map(daySummary), [
    '1 incident, 2 h',
    '2 incidents, 2 h',
    '1 incident, ongoing',
  ])
})
