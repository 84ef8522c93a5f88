import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '../domain/values/locale.ts'
import { formatOf } from './page-format.ts'

const NOW = new Date('2026-11-14T13:31:05Z')
const en = formatOf('en', 'Europe/Berlin')
const de = formatOf('de', 'Europe/Berlin')

const rows: [what: string, made: string, wanted: string][] = [
  ['time', en.timeInZone(NOW), '14:31 CET'],
  ['summer time', en.timeInZone(new Date('2026-07-01T12:00:00Z')), '14:00 CEST'],
  ['a zone with a name elsewhere', formatOf('de', 'America/New_York').timeInZone(NOW), '08:31 EST'],
  ['a zone without a name', formatOf('en', 'Asia/Riyadh').timeInZone(NOW), '16:31 GMT+3'],
  ['today, short', en.shortTime(NOW, NOW), '14:31'],
  ['midnight, tomorrow', en.shortTime(new Date('2026-11-14T23:00:00Z'), NOW), 'Nov 15, 00:00'],
  ['seconds', en.exactTime(NOW), '14:31:05 CET'],
  ['day and time', en.dayAndTime(NOW, NOW), 'Sat, Nov 14, 14:31 CET'],
  ['German day and time', de.dayAndTime(NOW, NOW), 'Sa., 14. Nov., 14:31 MEZ'],
  [
    'another year',
    en.dayAndTime(new Date('2025-03-01T12:00:00Z'), NOW),
    'Sat, Mar 1, 2025, 13:00 CET',
  ],
  ['a span', en.span(NOW, new Date('2026-11-14T15:00:00Z'), NOW), 'Sat, Nov 14, 14:31 – 16:00 CET'],
  [
    'a span over midnight',
    en.span(NOW, new Date('2026-11-15T05:00:00Z'), NOW),
    'Sat, Nov 14, 14:31 – Sun, Nov 15, 06:00 CET',
  ],
  ['a date', en.date('2026-11-12', NOW), 'Thu, Nov 12'],
  [
    'a date far from Greenwich',
    formatOf('en', 'Pacific/Kiritimati').date('2026-11-12', NOW),
    'Thu, Nov 12',
  ],
  ['one second', en.duration(1000), '1 s'],
  ['minutes and seconds', en.duration(252_000), '4 min 12 s'],
  ['longer, without seconds', en.duration(1_752_000), '29 min'],
  ['hours', en.duration(4_320_000), '1 h 12 min'],
  ['German hours', de.duration(4_320_000), '1 Std. 12 Min.'],
  ['Japanese hours', formatOf('ja', 'Asia/Tokyo').duration(4_320_000), '1時間12分'],
  ['days', en.duration(8.5 * 86_400_000), '8 d 12 h'],
  ['still running, begun just now', en.running(3000), '1 min'],
  ['still running', en.running(252_000), '4 min'],
  ['minutes ago', en.ago(new Date('2026-11-14T13:22:00Z'), NOW), '9 min ago'],
  ['today', en.daysSince(NOW, NOW), 'today'],
  ['yesterday by the calendar', en.daysSince(new Date('2026-11-13T22:59:00Z'), NOW), 'yesterday'],
  ['nothing lost', en.percent(1), '100%'],
  ['almost nothing lost', en.percent(0.999999), '99.99%'],
  ['not rounded up', en.percent(0.99996), '99.99%'],
  ['exactly', en.percent(0.9997), '99.97%'],
  ['German percent', de.percent(0.9997), '99,97 %'],
]

for (const [what, made, wanted] of rows) {
  // Intl puts spaces of several widths between numbers and units.
  test(`format: ${what}`, () => assert.equal(made.replaceAll(/\s/g, ' '), wanted))
}

test('words: every language has every sentence, and none is left in English by accident', () => {
  const { messages } = en
  for (const locale of LOCALES) {
    const other = formatOf(locale, 'UTC').messages
    assert.deepEqual(Object.keys(other), Object.keys(messages))
    const say = (text: unknown) =>
      typeof text === 'function' ? String(text('x', 'y')) : String(text)
    for (const [key, value] of Object.entries(other))
      if (typeof value !== 'object' && key !== 'gap') assert.notEqual(say(value).trim(), '', key)
    if (locale !== 'en') assert.notEqual(other.allOperational, messages.allOperational)
  }
})
