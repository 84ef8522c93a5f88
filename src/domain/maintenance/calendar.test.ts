import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { steadyCpuMs } from '../../../test/kit/cpu-time.ts'
import { soonestOccurrences, upcomingWithin } from './calendar.ts'
import { occurrencesWithin, type Recurrence, type Schedule } from './maintenance.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const FROM = new Date('2026-11-01T00:00:00Z')
const STRETCH = { from: FROM, to: new Date(FROM.getTime() + 100 * DAY_MS) }
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC', 'Australia/Lord_Howe']
// In total. Occurrences are computed on demand; computing all of them took up to 580 ms.
const MAX_MS = 100

const rule = (fields: Partial<Recurrence> = {}): Recurrence => ({
  frequency: 'DAILY',
  interval: 1,
  daysOfWeek: null,
  dayOfMonth: null,
  endsAt: null,
  ...fields,
})

function scheduleOf(startsAt: Date, recurrence: Recurrence | null, zone = 0): Schedule {
  const endsAt = new Date(startsAt.getTime() + 30 * MINUTE_MS)
  return { startsAt, endsAt, timezone: ZONES[zone % ZONES.length] ?? 'UTC', recurrence }
}

const rules = fc.oneof(
  fc.constant(null),
  fc.record({ interval: fc.integer({ min: 1, max: 5 }) }).map(rule),
  fc
    .record({
      interval: fc.integer({ min: 1, max: 14 }),
      dayOfMonth: fc.constantFrom(1, 29, 31, -1),
    })
    .map((fields) => rule({ frequency: 'MONTHLY', ...fields })),
)
const schedules = fc
  .record({ minutes: fc.integer({ min: -400_000, max: 200_000 }), rule: rules, zone: fc.nat(4) })
  .map((one) => scheduleOf(new Date(FROM.getTime() + one.minutes * MINUTE_MS), one.rule, one.zone))

const soonest = (windows: readonly Schedule[], most: number) => [
  ...soonestOccurrences([...upcomingWithin(windows, STRETCH)], most),
]

test('a window is looked at when it is taken, so that the work can be divided', () => {
  const looked: number[] = []
  const windows = Array.from({ length: 3 }, (_, n) => {
    const window = scheduleOf(FROM, rule(), 0)
    return {
      ...window,
      get startsAt() {
        looked.push(n)
        return window.startsAt
      },
    }
  })
  const upcoming = upcomingWithin(windows, STRETCH)
  upcoming.next()
  assert.deepEqual([...new Set(looked)], [0])
  upcoming.next()
  assert.deepEqual([...new Set(looked)], [0, 1])
})

test('the soonest of many windows are what sorting all of them gives', () => {
  const holds = fc.property(fc.array(schedules, { maxLength: 8 }), fc.nat(60), (windows, most) => {
    const all = windows
      .flatMap((window) => [...occurrencesWithin(window, STRETCH)].map((o) => ({ window, o })))
      .sort((a, b) => a.o.startsAt.getTime() - b.o.startsAt.getTime())
      .slice(0, most)
    const found = soonest(windows, most)
    assert.deepEqual(
      found.map(({ window, occurrence }) => [windows.indexOf(window), occurrence]),
      all.map(({ window, o }) => [windows.indexOf(window), o]),
    )
  })
  fc.assert(holds, { numRuns: 200 })
})

const HOSTILE: Record<string, Recurrence> = {
  'every day': rule(),
  'every week on every day': rule({
    frequency: 'WEEKLY',
    daysOfWeek: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
  }),
  'on a 31st that never comes': rule({ frequency: 'MONTHLY', interval: 12, dayOfMonth: 31 }),
}

for (const [name, recurrence] of Object.entries(HOSTILE))
  test(`400 windows ${name} take less than ${MAX_MS} ms`, () => {
    const windows = Array.from({ length: 400 }, (_, n) =>
      scheduleOf(new Date(Date.UTC(2026, 3, 1, n % 24, n % 60)), recurrence, n),
    )
    const took = steadyCpuMs(() => soonest(windows, 1_001), MAX_MS)
    assert.ok(took < MAX_MS, `took ${took} ms`)
  })
