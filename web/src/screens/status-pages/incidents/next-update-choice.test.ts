import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOverdue, type NextUpdateChoice, nextUpdateTime } from './next-update-choice.ts'

const NOW = new Date('2026-11-16T12:00:10Z')
const OWN = '2026-11-16T15:00:00.000Z'

// biome-ignore format: a table is read by its columns
const TIMES: [NextUpdateChoice, string | undefined][] = [
  ['NONE', undefined],
  ['30',   '2026-11-16T12:31:00.000Z'],
  ['60',   '2026-11-16T13:01:00.000Z'],
  ['120',  '2026-11-16T14:01:00.000Z'],
  ['OWN',  OWN],
]

test('nextUpdateTime: whole minutes, never earlier than chosen', () => {
  for (const [choice, expected] of TIMES)
    assert.equal(nextUpdateTime({ choice, at: OWN }, NOW), expected, choice)
})

test('isOverdue: from the promised moment on', () => {
  assert.equal(isOverdue('2026-11-16T12:00:11Z', NOW.getTime()), false)
  assert.equal(isOverdue('2026-11-16T12:00:10Z', NOW.getTime()), true)
})
