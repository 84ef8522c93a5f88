import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAgo, formatMs, formatSeconds, formatTime, parseDuration } from './format.ts'

// biome-ignore format: a table is read by its columns
const durations: [seconds: number, text: string][] = [
  [-5,      '0 s'],
  [0,       '0 s'],
  [59.9,    '59 s'],
  [60,      '1 min'],
  [95,      '1 min 35 s'],
  [3600,    '1 h'],
  [7500,    '2 h 5 min'],
  [86_399,  '23 h 59 min'],
  [86_400,  '1 d'],
  [183_600, '2 d 3 h'],
]
for (const [seconds, text] of durations)
  test(`${seconds} s is ${text}`, () => assert.equal(formatSeconds(seconds), text))

// biome-ignore format: a table is read by its columns
const given: [text: string, seconds: number | undefined][] = [
  ['45s',      45],
  ['30m',      1800],
  ['12h',      43_200],
  ['7d',       604_800],
  ['0s',       0],
  ['',         undefined],
  ['5',        undefined],
  ['5 m',      undefined],
  ['-5m',      undefined],
  ['1.5h',     undefined],
  ['1234567s', undefined],
]
for (const [text, seconds] of given)
  test(`"${text}" is ${seconds} seconds`, () => assert.equal(parseDuration(text), seconds))

test('times, ages and response times', () => {
  const now = new Date('2026-11-16T12:00:00Z')
  assert.equal(formatAgo('2026-11-16T11:55:00Z', now), '5 min ago')
  assert.equal(formatAgo(null, now), '-')
  assert.match(formatTime('2026-11-16T11:55:00Z'), /^2026-11-1\d \d\d:\d\d$/)
  assert.equal(formatTime('soon'), '-')
  assert.equal(formatMs(12), '12 ms')
  assert.equal(formatMs(null), '-')
})
