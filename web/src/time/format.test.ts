import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCount, formatMs, formatShare, formatUptime, plural } from './figures.ts'
import {
  formatAgo,
  formatClock,
  formatDuration,
  formatFull,
  formatMinutes,
  formatMinutesAgo,
  formatMoment,
  formatSpan,
  zoneName,
} from './format.ts'

// Units follow a non-breaking space; the tests compare plain ones.
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')
const NOW = '2026-11-14T13:31:00.000Z'
const VIENNA = 'Europe/Vienna'

test('a moment names its day only when that is not today, and its year only when it is another', () => {
  assert.equal(formatMoment('2026-11-14T13:27:10.000Z', NOW, VIENNA), '14:27')
  assert.equal(formatMoment('2026-11-13T13:27:10.000Z', NOW, VIENNA), 'Fri, Nov 13, 14:27')
  assert.equal(formatMoment('2025-11-13T13:27:10.000Z', NOW, VIENNA), 'Nov 13, 2025, 14:27')
  // Still the 13th in Vienna, already the 14th in Tokyo.
  assert.equal(formatMoment('2026-11-13T22:00:00.000Z', NOW, VIENNA), 'Fri, Nov 13, 23:00')
  assert.equal(formatMoment('2026-11-13T22:00:00.000Z', NOW, 'Asia/Tokyo'), '07:00')
})

test('clocks run from 00:00 to 23:59, and the zone has the name of that day', () => {
  assert.equal(formatClock('2026-11-13T23:05:09.000Z', VIENNA), '00:05')
  assert.equal(formatClock('2026-11-13T23:05:09.000Z', VIENNA, true), '00:05:09')
  assert.equal(zoneName('2026-11-14T00:00:00Z', VIENNA), 'CET')
  assert.equal(zoneName('2026-07-14T00:00:00Z', VIENNA), 'CEST')
  assert.equal(formatFull('2026-11-14T13:27:10.000Z', VIENNA), 'Sat, Nov 14, 2026, 14:27:10 CET')
})

const durations: [seconds: number, text: string, span: string][] = [
  [0, '0 s', '0 s'],
  [12, '12 s', '12 s'],
  [252, '4 min 12 s', '4 min'],
  [3600, '1 h', '1 h'],
  [4320, '1 h 12 min', '1 h'],
  [90_000, '1 day 1 h', '25 h'],
  [273_600, '3 days 4 h', '3 days'],
]
for (const [seconds, text, span] of durations)
  test(`${seconds} s is ${text}, in a list ${span}`, () => {
    assert.equal(formatDuration(seconds * 1000), text)
    assert.equal(formatSpan(seconds * 1000), span)
  })

test('what was is ago, what comes is in', () => {
  assert.equal(formatAgo('2026-11-14T13:30:57.000Z', NOW), '3 s ago')
  assert.equal(formatAgo('2026-11-14T13:31:57.000Z', NOW), 'in 57 s')
})

// biome-ignore format: a table is read by its columns
const steps: [seconds: number, ago: string, span: string][] = [
  [-30,    'just now',   '1 min'], // our clock is behind
  [0,      'just now',   '1 min'],
  [59,     'just now',   '1 min'],
  [60,     '1 min ago',  '1 min'],
  [119,    '1 min ago',  '1 min'],
  [3600,   '1 h ago',    '1 h'],
  [259200, '3 days ago', '3 days'],
]
for (const [seconds, ago, span] of steps)
  test(`a list that does not tick shows ${seconds} s as "${ago}" and "${span}"`, () => {
    assert.equal(formatMinutesAgo(Date.parse(NOW) - seconds * 1000, NOW), ago)
    assert.equal(formatMinutes(seconds * 1000), span)
  })

test('uptime is 100% only when nothing was lost', () => {
  assert.equal(plain(formatUptime(1)), '100%')
  assert.equal(plain(formatUptime(0.999999)), '99.99%')
  assert.equal(plain(formatUptime(0.9998)), '99.98%')
  assert.equal(plain(formatUptime(1 - 1e-15)), '99.99%')
  assert.equal(plain(formatUptime(0)), '0.00%')
  assert.equal(plain(formatShare(15 / 16, 1)), '93.7%')
  assert.equal(plain(formatShare(0.993, 1)), '99.3%')
  assert.equal(plain(formatShare(9_999_999 / 1e7, 1)), '99.9%')
  assert.equal(plain(formatUptime(null)), '–')
})

test('figures have groups and their unit', () => {
  assert.equal(plain(formatCount(1440)), '1,440')
  assert.equal(plain(formatCount(1234567)), '1,234,567')
  assert.equal(plain(formatMs(812.4)), '812 ms')
  assert.equal(plain(formatMs(29_961)), '30.0 s')
  assert.equal(plain(plural(1, 'monitor')), '1 monitor')
  assert.equal(plain(plural(0, 'monitor')), '0 monitors')
})
