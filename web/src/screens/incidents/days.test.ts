import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daySummary } from './days.ts'

test('a day says how many incidents it had, and how long they were down on it', () => {
  const day = { date: '2026-11-14', incidents: 2, ongoing: false, downSeconds: 7200 }
  assert.equal(daySummary(day), '2 incidents, 2 h')
  assert.equal(daySummary({ ...day, incidents: 1, ongoing: true }), '1 incident, ongoing')
})
