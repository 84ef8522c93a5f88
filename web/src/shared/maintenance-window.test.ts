import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneOptions } from '../time/zone-options.ts'
import {
  ownMomentLabel,
  ownSpanLabel,
  recurrenceLabel,
  spanLabel,
  type WindowView,
} from './maintenance-window.ts'

const NOW = Date.parse('2026-11-15T14:00:00Z')

// biome-ignore format: a table is read by its columns
const rows: [startsAt: string, endsAt: string, word: string][] = [
  ['2026-11-15T13:52:00Z', '2026-11-15T15:22:00Z', 'Today, 14:52 – 16:22'],
  ['2026-11-15T22:00:00Z', '2026-11-15T23:45:00Z', 'Today, 23:00 – tomorrow, 00:45'],
  ['2026-11-16T03:00:00Z', '2026-11-16T04:00:00Z', 'Tomorrow, 04:00 – 05:00'],
  ['2026-11-26T22:00:00Z', '2026-11-26T23:45:00Z', 'Thu, Nov 26, 23:00 – Fri, Nov 27, 00:45'],
  ['2026-11-14T22:00:00Z', '2026-11-15T23:45:00Z', 'Sat, Nov 14, 23:00 – tomorrow, 00:45'],
]

for (const [startsAt, endsAt, word] of rows)
  test(`spanWord: ${word}`, () => {
    assert.equal(spanLabel({ startsAt, endsAt }, NOW, 'Europe/Berlin'), word)
  })

const NIGHT = { startsAt: '2026-11-21T03:00:00Z', endsAt: '2026-11-21T04:30:00Z' }

// biome-ignore format: a table is read by its columns
const viewers: [zone: string, viewers: string, own: string | undefined, start: string | undefined][] = [
  ['America/New_York', 'Fri, Nov 20, 22:00 – 23:30', 'Sat, Nov 21, 04:00 – 05:30 in Berlin (Europe)', 'Sat, Nov 21, 04:00 in Berlin (Europe)'],
  ['Europe/London',    'Sat, Nov 21, 03:00 – 04:30', '04:00 – 05:30 in Berlin (Europe)',              '04:00 in Berlin (Europe)'],
  ['Europe/Berlin',    'Sat, Nov 21, 04:00 – 05:30', undefined,                                       undefined],
  ['Europe/Paris',     'Sat, Nov 21, 04:00 – 05:30', undefined,                                       undefined],
]

test('the own time of a window over midnight has the day that differs', () => {
  const midnight = { startsAt: '2026-11-20T22:00:00Z', endsAt: '2026-11-20T23:45:00Z' }
  assert.equal(spanLabel(midnight, NOW, 'America/New_York'), 'Fri, Nov 20, 17:00 – 18:45')
  assert.equal(
    ownSpanLabel(midnight, NOW, 'Europe/Berlin', 'America/New_York'),
    '23:00 – Sat, Nov 21, 00:45 in Berlin (Europe)',
  )
})

test('the own time of a window that is active has a date, because its today may be our tomorrow', () => {
  const now = Date.parse(NIGHT.startsAt)
  assert.equal(
    ownSpanLabel(NIGHT, now, 'Europe/Berlin', 'America/New_York'),
    'Sat, Nov 21, 04:00 – 05:30 in Berlin (Europe)',
  )
})

for (const [zone, word, own, start] of viewers)
  test(`a window of Berlin, seen in ${zone}: the viewer's time first, then its own`, () => {
    assert.equal(spanLabel(NIGHT, NOW, zone), word)
    assert.equal(ownSpanLabel(NIGHT, NOW, 'Europe/Berlin', zone), own)
    assert.equal(ownMomentLabel(NIGHT.startsAt, 'Europe/Berlin', zone), start)
  })

test('lists name the zone of a window as the form does in which it is chosen', () => {
  const zone = 'America/New_York'
  const chosen = zoneOptions(zone)[0]?.label
  const weekly = { recurrence: WEEKLY, startsAt: NIGHT.startsAt, timezone: zone }
  assert.equal(
    ownSpanLabel(NIGHT, NOW, zone, 'Asia/Tokyo'),
    `Fri, Nov 20, 22:00 – 23:30 in ${chosen}`,
  )
  assert.equal(recurrenceLabel(weekly, 'Asia/Tokyo'), `Every week on Tuesday in ${chosen}`)
})

const WEEKLY: WindowView['recurrence'] = {
  frequency: 'WEEKLY',
  interval: 1,
  daysOfWeek: ['TUESDAY'],
  dayOfMonth: null,
  endsAt: null,
}
const weekly = { recurrence: WEEKLY, startsAt: NIGHT.startsAt, timezone: 'Europe/Berlin' }

test('a window that repeats says in which zone its day is, where it can be another day', () => {
  const label = (viewer: string) => recurrenceLabel(weekly, viewer)
  assert.equal(label('America/New_York'), 'Every week on Tuesday in Berlin (Europe)')
  assert.equal(label('Europe/Paris'), 'Every week on Tuesday')
  assert.equal(recurrenceLabel({ ...weekly, recurrence: null }, 'America/New_York'), 'Once')
})
