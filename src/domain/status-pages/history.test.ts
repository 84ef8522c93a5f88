import assert from 'node:assert/strict'
import { test } from 'node:test'
import { historyByDay } from './history.ts'

const NOW = new Date('2026-11-14T13:00:00Z')
const at = (text: string) => ({ startedAt: new Date(text) })
const lines = (starts: string[], timezone = 'UTC', leastDays = 5) =>
  historyByDay(starts.map(at), { timezone, now: NOW, leastDays }).map((entry) =>
    entry.kind === 'DAY'
      ? `${entry.date}: ${entry.incidents.length}`
      : `${entry.from}..${entry.to}`,
  )

test('historyByDay: nothing happened: today, and the quiet days before it in one line', () => {
  assert.deepEqual(lines([]), ['2026-11-14: 0', '2026-11-10..2026-11-13'])
})

test('historyByDay: days with incidents, newest first, quiet ones between them together', () => {
  const starts = ['2026-11-13T23:00:00Z', '2026-11-10T01:00:00Z', '2026-11-10T05:00:00Z']
  assert.deepEqual(lines(starts), [
    '2026-11-14: 0',
    '2026-11-13: 1',
    '2026-11-11..2026-11-12',
    '2026-11-10: 2',
  ])
})

test('historyByDay: the day is the one of the zone', () => {
  assert.deepEqual(lines(['2026-11-13T23:00:00Z'], 'Europe/Berlin', 1), ['2026-11-14: 1'])
})

test('historyByDay: goes back as far as there are incidents', () => {
  assert.deepEqual(lines(['2025-11-14T12:00:00Z'], 'UTC', 7), [
    '2026-11-14: 0',
    '2025-11-15..2026-11-13',
    '2025-11-14: 1',
  ])
})

test('historyByDay: an incident a minute ahead, after midnight, comes first and loses nothing', () => {
  assert.deepEqual(lines(['2026-11-15T00:00:30Z'], 'UTC', 2), [
    '2026-11-15: 1',
    '2026-11-14: 0',
    '2026-11-13..2026-11-13',
  ])
})
