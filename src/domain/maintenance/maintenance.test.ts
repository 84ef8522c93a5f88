import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  outlook,
  overlapsItself,
  type Recurrence,
  type Schedule,
  statusOf,
  type Weekday,
  type WindowStatus,
} from './maintenance.ts'

const RUNS = Number(env['RUNS'] ?? 1_000)
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
]

const every = (frequency: Recurrence['frequency'], rest: Partial<Recurrence> = {}): Recurrence => ({
  frequency,
  interval: 1,
  daysOfWeek: null,
  dayOfMonth: null,
  endsAt: null,
  ...rest,
})

function schedule(
  startsAt: string,
  hours: number,
  timezone = 'UTC',
  recurrence: Recurrence | null = null,
): Schedule {
  const start = new Date(startsAt)
  return {
    startsAt: start,
    endsAt: new Date(start.getTime() + hours * HOUR_MS),
    timezone,
    recurrence,
  }
}

// biome-ignore format: a table is read by its columns
const statuses: [why: string, recurrence: Recurrence | null, now: string, status: WindowStatus][] = [
  ['before a one-off',             null,           '2026-11-14T01:59:59.999Z', 'SCHEDULED'],
  ['at its start',                 null,           '2026-11-14T02:00:00.000Z', 'ACTIVE'],
  ['just before its end',          null,           '2026-11-14T03:59:59.999Z', 'ACTIVE'],
  ['at its end',                   null,           '2026-11-14T04:00:00.000Z', 'COMPLETED'],
  ['between two days',             every('DAILY'), '2026-11-14T04:00:00.000Z', 'SCHEDULED'],
  ['years later, inside',          every('DAILY'), '2030-11-14T03:00:00.000Z', 'ACTIVE'],
  ['before the end of the rule',   every('DAILY', { endsAt: new Date('2026-11-16T02:00:00Z') }), '2026-11-15T03:00:00Z', 'ACTIVE'],
  ['the rule ends with a start',   every('DAILY', { endsAt: new Date('2026-11-16T02:00:00Z') }), '2026-11-15T04:00:00Z', 'COMPLETED'],
]
for (const [why, recurrence, now, status] of statuses) {
  test(`status: ${why} is ${status}`, () => {
    const window = schedule('2026-11-14T02:00:00Z', 2, 'UTC', recurrence)
    assert.equal(statusOf(window, new Date(now)), status)
    const seen = outlook(window, new Date(now))
    assert.deepEqual([seen.status, seen.current !== null], [status, status === 'ACTIVE'])
  })
}

type Row = [why: string, start: string, zone: string, rule: Recurrence, next: string[]]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['every day', '2026-11-14T02:00Z', 'UTC', every('DAILY'),
    ['2026-11-15T02:00', '2026-11-16T02:00', '2026-11-17T02:00', '2026-11-18T02:00', '2026-11-19T02:00']],
  ['every third day', '2026-11-14T02:00Z', 'UTC', every('DAILY', { interval: 3 }),
    ['2026-11-17T02:00', '2026-11-20T02:00', '2026-11-23T02:00', '2026-11-26T02:00', '2026-11-29T02:00']],
  ['weekly, the day of the start', '2026-11-14T02:00Z', 'UTC', every('WEEKLY'),
    ['2026-11-21T02:00', '2026-11-28T02:00', '2026-12-05T02:00', '2026-12-12T02:00', '2026-12-19T02:00']],
  ['every second week from the week of the start', '2026-11-11T02:00Z', 'UTC', every('WEEKLY', { interval: 2, daysOfWeek: ['FRIDAY', 'MONDAY', 'WEDNESDAY'] }),
    ['2026-11-13T02:00', '2026-11-23T02:00', '2026-11-25T02:00', '2026-11-27T02:00', '2026-12-07T02:00']],
  ['monthly, the day of the start', '2026-11-14T02:00Z', 'UTC', every('MONTHLY'),
    ['2026-12-14T02:00', '2027-01-14T02:00', '2027-02-14T02:00', '2027-03-14T02:00', '2027-04-14T02:00']],
  ['months without a 31st are skipped', '2026-10-31T02:00Z', 'UTC', every('MONTHLY'),
    ['2026-12-31T02:00', '2027-01-31T02:00', '2027-03-31T02:00', '2027-05-31T02:00', '2027-07-31T02:00']],
  ['the last day of every month', '2026-11-14T02:00Z', 'UTC', every('MONTHLY', { dayOfMonth: -1 }),
    ['2026-11-30T02:00', '2026-12-31T02:00', '2027-01-31T02:00', '2027-02-28T02:00', '2027-03-31T02:00']],
  ['29 February', '2024-02-29T02:00Z', 'UTC', every('MONTHLY', { interval: 12 }),
    ['2028-02-29T02:00', '2032-02-29T02:00', '2036-02-29T02:00', '2040-02-29T02:00', '2044-02-29T02:00']],
  ['31 April never comes', '2026-04-14T02:00Z', 'UTC', every('MONTHLY', { interval: 12, dayOfMonth: 31 }), []],
  ['the day is that of the zone, not of UTC', '2026-11-14T16:00Z', 'Asia/Tokyo', every('WEEKLY'), // Sunday, 01:00
    ['2026-11-21T16:00', '2026-11-28T16:00', '2026-12-05T16:00', '2026-12-12T16:00', '2026-12-19T16:00']],
  ['02:30 in Berlin, the gap moves it forward', '2026-03-27T01:30Z', 'Europe/Berlin', every('DAILY'),
    ['2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30', '2026-03-31T00:30', '2026-04-01T00:30']],
  ['02:30 in Berlin, the first of two', '2026-10-23T00:30Z', 'Europe/Berlin', every('DAILY'),
    ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30', '2026-10-28T01:30']],
  ['a gap of half an hour', '2026-10-02T15:45Z', 'Australia/Lord_Howe', every('DAILY'), // 02:15
    ['2026-10-03T15:45', '2026-10-04T15:15', '2026-10-05T15:15', '2026-10-06T15:15', '2026-10-07T15:15']],
]
for (const [why, start, zone, rule, next] of rows) {
  test(`occurrences: ${why}`, () => {
    const window = schedule(start, 1, zone, rule)
    const starts = outlook(window, window.startsAt).upcoming.map(({ startsAt }) => startsAt)
    assert.deepEqual(
      starts,
      next.map((time) => new Date(`${time}Z`)),
    )
  })
}

test('a start in the second of two equal hours stays there; the next ones follow the wall clock', () => {
  const window = schedule('2026-10-25T01:30Z', 1, 'Europe/Berlin', every('DAILY'))
  assert.equal(statusOf(window, new Date('2026-10-25T02:00Z')), 'ACTIVE')
  assert.equal(statusOf(window, new Date('2026-10-25T01:00Z')), 'SCHEDULED')
})

test('an occurrence keeps its length over a clock change', () => {
  const window = schedule('2026-10-24T00:00Z', 5, 'Europe/Berlin', every('DAILY'))
  const [night] = outlook(window, window.startsAt).upcoming
  assert.deepEqual(night, {
    startsAt: new Date('2026-10-25T00:00Z'),
    endsAt: new Date('2026-10-25T05:00Z'),
  })
})

// biome-ignore format: a table is read by its columns
const lengths: [why: string, hours: number, zone: string, rule: Recurrence | null, overlaps: boolean][] = [
  ['one-off of 30 days',                  720,    'UTC', null, false],
  ['daily, almost a day',                 23.99,  'UTC', every('DAILY'), false],
  ['daily, a whole day',                  24,     'UTC', every('DAILY'), true],
  ['daily, but one day has 23 hours',     23.5,   'Europe/Berlin', every('DAILY'), true],
  ['every second day, a day and a half',  36,     'UTC', every('DAILY', { interval: 2 }), false],
  ['two days in a row, a day and a half', 36,     'UTC', every('WEEKLY', { daysOfWeek: ['MONDAY', 'TUESDAY'] }), true],
  ['Sunday and Monday are neighbours',    36,     'UTC', every('WEEKLY', { daysOfWeek: ['SUNDAY', 'MONDAY'] }), true],
  ['weekly, six days',                    144,    'UTC', every('WEEKLY'), false],
  ['weekly, a week',                      168,    'UTC', every('WEEKLY'), true],
  ['monthly, 27 days',                    648,    'UTC', every('MONTHLY'), false],
  ['monthly, 28 days: February',          672,    'UTC', every('MONTHLY'), true],
  ['every second month, 30 days',         720,    'UTC', every('MONTHLY', { interval: 2 }), false],
]
for (const [why, hours, zone, rule, overlaps] of lengths) {
  test(`a window must be shorter than the gap to the next: ${why}`, () => {
    assert.equal(overlapsItself(schedule('2026-11-12T02:00Z', hours, zone, rule)), overlaps)
  })
}

// The oracle does not use Temporal: it reads the wall clock from Intl every quarter of an hour, and walks the calendar
// day by day with a predicate instead of generating days.
const clocks = new Map<string, Intl.DateTimeFormat>()
function wallMs(instantMs: number, timezone: string): number {
  let clock = clocks.get(timezone)
  if (clock === undefined) {
    const digits = '2-digit'
    const date = { year: 'numeric', month: digits, day: digits } as const
    const time = { hour: digits, minute: digits, second: digits, hourCycle: 'h23' } as const
    clock = new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...date, ...time })
    clocks.set(timezone, clock)
  }
  const [month, day, year, hour, minute, second] = clock.format(instantMs).match(/\d+/g) ?? []
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
}

// The first instant that shows this wall-clock time. If none does, the clocks skipped it: the result moves forward by
// as much as they did.
function instantMs(wall: number, timezone: string): number {
  let before: number | undefined
  for (let at = wall - 14 * HOUR_MS; at <= wall + 12 * HOUR_MS; at += HOUR_MS / 4) {
    const shown = wallMs(at, timezone)
    if (shown === wall) return at
    if (shown < wall) before = at
    else if (before !== undefined) return wall - (wallMs(before, timezone) - before)
  }
  throw new Error(`No instant for ${new Date(wall).toISOString()} in ${timezone}`)
}

function isRuleDay(rule: Recurrence, anchorDay: number, day: number): boolean {
  const [anchor, date] = [new Date(anchorDay), new Date(day)]
  const weekday = (date.getUTCDay() + 6) % 7
  if (rule.frequency === 'DAILY') return ((day - anchorDay) / DAY_MS) % rule.interval === 0
  if (rule.frequency === 'WEEKLY') {
    const anchorWeekday = (anchor.getUTCDay() + 6) % 7
    const weeks = (day - weekday * DAY_MS - (anchorDay - anchorWeekday * DAY_MS)) / (7 * DAY_MS)
    const wanted = rule.daysOfWeek?.map((name) => DAYS.indexOf(name)) ?? [anchorWeekday]
    return weeks % rule.interval === 0 && wanted.includes(weekday)
  }
  const yearsApart = date.getUTCFullYear() - anchor.getUTCFullYear()
  const months = yearsApart * 12 + date.getUTCMonth() - anchor.getUTCMonth()
  const isLast = new Date(day + DAY_MS).getUTCDate() === 1
  const wanted = rule.dayOfMonth ?? anchor.getUTCDate()
  return months % rule.interval === 0 && (wanted === -1 ? isLast : date.getUTCDate() === wanted)
}

function oracleStarts(window: Schedule, nowMs: number, untilMs: number): number[] {
  const { recurrence: rule, timezone } = window
  const firstMs = window.startsAt.getTime()
  const starts = firstMs > nowMs ? [firstMs] : []
  if (rule === null) return starts
  const wall = wallMs(firstMs, timezone)
  const anchorDay = wall - (wall % DAY_MS)
  for (let day = anchorDay; day < untilMs && starts.length < 5; day += DAY_MS) {
    if (day < nowMs - 2 * DAY_MS || !isRuleDay(rule, anchorDay, day)) continue
    const start = instantMs(day + (wall % DAY_MS), timezone)
    if (rule.endsAt !== null && start >= rule.endsAt.getTime()) break
    if (start > firstMs && start > nowMs) starts.push(start)
  }
  return starts
}

const ZONES = Intl.supportedValuesOf('timeZone')
const rules: fc.Arbitrary<Recurrence | null> = fc.option(
  fc.record({
    frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY'),
    interval: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 52 })),
    daysOfWeek: fc.option(fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 1 })),
    dayOfMonth: fc.option(fc.constantFrom(-1, 1, 15, 28, 29, 30, 31)),
    endsAt: fc.option(
      fc.date({ min: new Date('2025-01-01'), max: new Date('2030-12-31'), noInvalidDate: true }),
    ),
  }),
  { freq: 20 },
)

type Case = {
  zone: number
  recurrence: Recurrence | null
  day: number
  wallMinute: number
  lagDays: number
  near: boolean
}
const cases: fc.Arbitrary<Case> = fc.record({
  zone: fc.nat(ZONES.length - 1),
  recurrence: rules,
  day: fc.integer({ min: 0, max: 6 * 365 }),
  wallMinute: fc.oneof(
    fc.integer({ min: 0, max: 4 * 60 }),
    fc.integer({ min: 0, max: 24 * 60 - 1 }),
  ),
  lagDays: fc.integer({ min: -2, max: 500 }),
  near: fc.boolean(),
})

// Most days have no clock change, so half of the cases start in the hour of one and query the day before.
function toWindow(seed: Case): [Schedule, number] {
  const timezone = ZONES[seed.zone] ?? 'UTC'
  const noonMs = Date.UTC(2024, 0, 1, 12) + seed.day * DAY_MS
  const changeMs = seed.near ? nextClockChangeMs(noonMs, timezone) : undefined
  const wall =
    changeMs === undefined
      ? seed.wallMinute * 60_000
      : Math.min(wallMs(changeMs - 1000, timezone) + 1000, wallMs(changeMs, timezone)) +
        (seed.wallMinute % 60) * 60_000
  const nowMs = changeMs === undefined ? noonMs + seed.lagDays * DAY_MS : changeMs - 36 * HOUR_MS
  const dayMs = changeMs === undefined ? noonMs : nowMs - Math.abs(seed.lagDays) * DAY_MS
  const startMs = dayMs - (wallMs(dayMs, timezone) % DAY_MS) + (wall % DAY_MS)
  const [startsAt, endsAt] = [new Date(startMs), new Date(startMs + HOUR_MS)]
  return [{ startsAt, endsAt, timezone, recurrence: seed.recurrence }, nowMs]
}

function nextClockChangeMs(afterMs: number, timezone: string): number | undefined {
  const zoned = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timezone)
  const changeMs = zoned.getTimeZoneTransition('next')?.epochMilliseconds
  return changeMs !== undefined && changeMs < Date.UTC(2030, 11, 1) ? changeMs : undefined
}

test('agrees with a wall clock read by Intl, in every zone, 2024 to 2030', () => {
  const untilMs = Date.UTC(2031, 0, 1)
  const inTime = (start: number) => start < untilMs - 2 * DAY_MS
  let moved = 0
  fc.assert(
    fc.property(cases, (seed) => {
      const [window, nowMs] = toWindow(seed)
      const found = outlook(window, new Date(nowMs)).upcoming.map((o) => o.startsAt.getTime())
      const expected = oracleStarts(window, nowMs, untilMs)
      assert.deepEqual(found.filter(inTime), expected.filter(inTime))
      const [next] = expected
      if (next !== undefined && inTime(next))
        assert.equal(statusOf(window, new Date(next + 1)), 'ACTIVE')
      const wall = wallMs(window.startsAt.getTime(), window.timezone) % DAY_MS
      if (expected.some((start) => wallMs(start, window.timezone) % DAY_MS !== wall)) moved++
    }),
    { numRuns: RUNS },
  )
  assert.ok(moved > 0, 'no case met a gap: the test looks the wrong way')
})
