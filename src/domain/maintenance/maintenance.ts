// When a maintenance window is open. Occurrences repeat a wall-clock start in the window's time zone: "Sundays at two"
// stays at two when the clocks change, and the duration stays the same.
import { instantOf } from '../values/zone-offset.ts'

export const WEEKDAYS = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

export type Recurrence = {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY'
  interval: number
  /** WEEKLY only. Null or empty means the weekday of `startsAt`. */
  daysOfWeek: readonly Weekday[] | null
  /** MONTHLY only. -1 means the last day, null the day of `startsAt`. A month without that day is skipped. */
  dayOfMonth: number | null
  /** No occurrence starts at or after this time. */
  endsAt: Date | null
}

/** `startsAt` and `endsAt` define the first occurrence. */
export type Schedule = {
  startsAt: Date
  endsAt: Date
  timezone: string
  recurrence: Recurrence | null
}

export type Occurrence = { startsAt: Date; endsAt: Date }
export type WindowStatus = 'SCHEDULED' | 'ACTIVE' | 'COMPLETED'

/** The state of a window at a given time. */
type Outlook = {
  status: WindowStatus
  current: Occurrence | null
  /** Occurrences that have not begun, soonest first. */
  upcoming: Occurrence[]
}

const SHOWN_OCCURRENCES = 5
// The 31st of every 12th month from April on never comes: stop instead of searching forever.
const MAX_EMPTY_PERIODS = 100
// Enough to cover both clock changes of a year and February of a leap year.
const GAPS_CHECKED = 400
// Our timestamp format cannot express later times.
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export function outlook(schedule: Schedule, now: Date): Outlook {
  const found = occurrencesEndingAfter(schedule, now)
    .take(SHOWN_OCCURRENCES + 1)
    .toArray()
  const current = found.find(({ startsAt }) => startsAt <= now) ?? null
  const upcoming = found.filter(({ startsAt }) => startsAt > now).slice(0, SHOWN_OCCURRENCES)
  if (current !== null) return { status: 'ACTIVE', current, upcoming }
  return { status: upcoming.length > 0 ? 'SCHEDULED' : 'COMPLETED', current, upcoming }
}

/** The first occurrence that ends after `after`: the current one, or else the next. */
export function nextOccurrence(schedule: Schedule, after: Date): Occurrence | null {
  const [first] = occurrencesEndingAfter(schedule, after)
  return first ?? null
}

/** The rule with its defaults filled in, so that clients need not derive the weekday of `startsAt`. */
export function spelledOut({ startsAt, timezone, recurrence }: Schedule): Recurrence | null {
  if (recurrence === null) return null
  const first = toLocal(startsAt, timezone).toPlainDate()
  const { frequency, daysOfWeek, dayOfMonth: wanted } = recurrence
  const weekdays = weekdayOffsets(recurrence, first).flatMap((offset) => WEEKDAYS[offset] ?? [])
  return {
    ...recurrence,
    daysOfWeek: frequency === 'WEEKLY' ? (daysOfWeek ?? weekdays) : null,
    dayOfMonth: frequency === 'MONTHLY' ? (wanted ?? first.day) : null,
  }
}

/** ACTIVE inside an occurrence, [start, end). */
export function statusOf(schedule: Schedule, now: Date): WindowStatus {
  const next = nextOccurrence(schedule, now)
  if (next === null) return 'COMPLETED'
  return next.startsAt <= now ? 'ACTIVE' : 'SCHEDULED'
}

/** Occurrences that overlap the range, soonest first, computed on demand. */
export function* occurrencesWithin(
  schedule: Schedule,
  { from, to }: { from: Date; to: Date },
): Generator<Occurrence> {
  for (const occurrence of occurrencesEndingAfter(schedule, from, to)) {
    if (occurrence.startsAt >= to) return
    yield occurrence
  }
}

/** An occurrence must end before the next one begins. */
export function overlapsItself(schedule: Schedule): boolean {
  const all = occurrencesEndingAfter(schedule, schedule.startsAt).take(GAPS_CHECKED)
  let previous: Occurrence | undefined
  for (const occurrence of all) {
    if (previous !== undefined && previous.endsAt >= occurrence.startsAt) return true
    previous = occurrence
  }
  return false
}

/** Occurrences that end after `after`, in order; endless if the rule is. The search stops at `until`. */
function* occurrencesEndingAfter(
  schedule: Schedule,
  after: Date,
  until?: Date,
): Generator<Occurrence> {
  const { startsAt, endsAt, recurrence } = schedule
  if (endsAt > after) yield { startsAt, endsAt }
  if (recurrence === null) return

  const lengthMs = endsAt.getTime() - startsAt.getTime()
  const startsAfter = new Date(after.getTime() - lengthMs)
  for (const start of repeatedStarts(schedule, recurrence, { after: startsAfter, until })) {
    const end = new Date(start.getTime() + lengthMs)
    if (end.getTime() > LATEST_MS) return
    yield { startsAt: start, endsAt: end }
  }
}

type Range = { after: Date; until: Date | undefined }

// Starts after both the first one and `after`. Empty months past `until` end the search.
function* repeatedStarts(
  schedule: Schedule,
  rule: Recurrence,
  { after, until }: Range,
): Generator<Date> {
  const first = toLocal(schedule.startsAt, schedule.timezone)
  const anchor = first.toPlainDate()
  const time = first.toPlainTime()
  const lastMonth = until && toLocal(until, schedule.timezone).toPlainDate().toPlainYearMonth()
  let emptyPeriods = 0
  for (let n = firstPeriod(rule, anchor, toLocal(after, schedule.timezone)); ; n++) {
    const days = daysOfPeriod(rule, anchor, n)
    emptyPeriods = days.length === 0 ? emptyPeriods + 1 : 0
    if (emptyPeriods > 0 && isLater(monthOf(rule, anchor, n), lastMonth)) return
    if (emptyPeriods > MAX_EMPTY_PERIODS) return
    for (const day of days) {
      const start = instantOf(day.toPlainDateTime(time), schedule.timezone)
      if (rule.endsAt !== null && start >= rule.endsAt) return
      if (start > schedule.startsAt && start > after) yield start
    }
  }
}

// Periods are counted from the one that contains `startsAt`: its day, its week (from Monday) or its month.
function daysOfPeriod(
  rule: Recurrence,
  anchor: Temporal.PlainDate,
  n: number,
): Temporal.PlainDate[] {
  const step = n * rule.interval
  if (rule.frequency === 'DAILY') return [anchor.add({ days: step })]
  if (rule.frequency === 'MONTHLY') return dayOfMonth(rule, anchor, n)
  const monday = anchor.subtract({ days: anchor.dayOfWeek - 1 }).add({ weeks: step })
  return weekdayOffsets(rule, anchor).map((days) => monday.add({ days }))
}

function weekdayOffsets({ daysOfWeek }: Recurrence, anchor: Temporal.PlainDate): number[] {
  if (daysOfWeek === null || daysOfWeek.length === 0) return [anchor.dayOfWeek - 1]
  return WEEKDAYS.flatMap((day, offset) => (daysOfWeek.includes(day) ? [offset] : []))
}

const monthOf = (rule: Recurrence, anchor: Temporal.PlainDate, n: number) =>
  anchor.toPlainYearMonth().add({ months: n * rule.interval })

type Month = Temporal.PlainYearMonth

const isLater = (month: Month, other: Month | undefined): boolean =>
  other !== undefined && Temporal.PlainYearMonth.compare(month, other) > 0

function dayOfMonth(rule: Recurrence, anchor: Temporal.PlainDate, n: number) {
  const month = monthOf(rule, anchor, n)
  const wanted = rule.dayOfMonth ?? anchor.day
  const day = wanted === -1 ? month.daysInMonth : wanted
  return day > month.daysInMonth ? [] : [month.toPlainDate({ day })]
}

// A window may be years old, so begin with the period that contains `after` instead of the first one.
function firstPeriod(
  rule: Recurrence,
  anchor: Temporal.PlainDate,
  after: Temporal.ZonedDateTime,
): number {
  const unit = rule.frequency === 'MONTHLY' ? 'months' : 'days'
  const passed = anchor.until(after.toPlainDate(), { largestUnit: unit })[unit]
  const perPeriod = rule.frequency === 'WEEKLY' ? 7 * rule.interval : rule.interval
  return Math.max(0, Math.floor(passed / perPeriod))
}

function toLocal(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
}
