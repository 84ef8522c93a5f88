import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeText } from './time-text.ts'

test('formats are created once for a language and a zone: thousands of alerts are written at once', () => {
  const berlin = timeText('en', 'Europe/Berlin')
  assert.equal(timeText('en', 'Europe/Berlin'), berlin)
  assert.notEqual(timeText('de', 'Europe/Berlin'), berlin)
  assert.equal(berlin.momentInZone('2026-11-17T13:31Z'), 'Tue, Nov 17, 14:31 CET')
})

test('spellings that somebody makes up do not fill the memory', () => {
  const first = timeText('en', 'UTC')
  for (let each = 0; each < 500; each++) timeText(`en-x-${each}`, 'UTC')
  assert.notEqual(timeText('en', 'UTC'), first)
})
