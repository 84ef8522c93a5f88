// When a maintenance window is open. Occurrences repeat a wall-clock start in the window's zone:
// "Sundays at two" stays at two when the clocks change, and the length stays what it is.

export type Weekday =
  | 'MONDAY'
  | 'TUESDAY'
  | 'WEDNESDAY'
  | 'THURSDAY'
  | 'FRIDAY'
  | 'SATURDAY'
  | 'SUNDAY'

export type Recurrence = {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY'
  interval: number
  /** WEEKLY; null or empty: the day of `startsAt`. */
  daysOfWeek: readonly Weekday[] | null
  /** MONTHLY; -1: the last day; null: the day of `startsAt`. A month without that day is skipped. */
  dayOfMonth: number | null
  /** No occurrence starts at or after it. */
  endsAt: Date | null
}

/** `startsAt` and `endsAt` are the first occurrence. */
export type Schedule = {
  startsAt: Date
  endsAt: Date
  timezone: string
  recurrence: Recurrence | null
}

export type Occurrence = { startsAt: Date; endsAt: Date }
export type WindowStatus = 'SCHEDULED' | 'ACTIVE' | 'COMPLETED'

const WEEKDAYS: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
]
const SHOWN_OCCURRENCES = 5
// The 31st of every 12th month from April on never comes: give up instead of walking for ever.
const MAX_EMPTY_PERIODS = 100
// Enough to meet both clock changes of a year and the shortest month of a leap year.
const GAPS_LOOKED_AT = 400

export function currentOccurrence(schedule: Schedule, now: Date): Occurrence | undefined {
  const [first] = occurrencesEndingAfter(schedule, now)
  return first !== undefined && first.startsAt <= now ? first : undefined
}

/** Those that have not begun, soonest first. */
export function upcomingOccurrences(
  schedule: Schedule,
  now: Date,
  limit = SHOWN_OCCURRENCES,
): Occurrence[] {
  return occurrencesEndingAfter(schedule, now)
    .filter(({ startsAt }) => startsAt > now)
    .take(limit)
    .toArray()
}

export function statusOf(schedule: Schedule, now: Date): WindowStatus {
  const [first] = occurrencesEndingAfter(schedule, now)
  if (first === undefined) return 'COMPLETED'
  return first.startsAt <= now ? 'ACTIVE' : 'SCHEDULED'
}

/** Does an instant lie inside an occurrence, [start, end)? */
export function covers(schedule: Schedule, instant: Date): boolean {
  return currentOccurrence(schedule, instant) !== undefined
}

/** A window must be over before it begins again. */
export function overlapsItself(schedule: Schedule): boolean {
  const all = occurrencesEndingAfter(schedule, schedule.startsAt).take(GAPS_LOOKED_AT)
  let previous: Occurrence | undefined
  for (const occurrence of all) {
    if (previous !== undefined && previous.endsAt >= occurrence.startsAt) return true
    previous = occurrence
  }
  return false
}

/** Occurrences whose end lies after `after`, in order; an endless rule gives them without end. */
export function* occurrencesEndingAfter(schedule: Schedule, after: Date): Generator<Occurrence> {
  const { startsAt, endsAt, recurrence } = schedule
  if (endsAt > after) yield { startsAt, endsAt }
  if (recurrence === null) return

  const lengthMs = endsAt.getTime() - startsAt.getTime()
  for (const start of repeatedStarts(schedule, recurrence, new Date(after.getTime() - lengthMs)))
    yield { startsAt: start, endsAt: new Date(start.getTime() + lengthMs) }
}

// The starts after the first one and after `after`.
function* repeatedStarts(schedule: Schedule, rule: Recurrence, after: Date): Generator<Date> {
  const first = toLocal(schedule.startsAt, schedule.timezone)
  const anchor = first.toPlainDate()
  let emptyPeriods = 0
  for (let n = firstPeriod(rule, anchor, toLocal(after, schedule.timezone)); ; n++) {
    const days = daysOfPeriod(rule, anchor, n)
    emptyPeriods = days.length === 0 ? emptyPeriods + 1 : 0
    if (emptyPeriods > MAX_EMPTY_PERIODS) return
    for (const day of days) {
      const start = toInstant(day.toPlainDateTime(first.toPlainTime()), schedule.timezone)
      if (rule.endsAt !== null && start >= rule.endsAt) return
      if (start > schedule.startsAt && start > after) yield start
    }
  }
}

// Periods are counted from the one `startsAt` lies in: its day, its week (from Monday), its month.
function daysOfPeriod(
  rule: Recurrence,
  anchor: Temporal.PlainDate,
  n: number,
): Temporal.PlainDate[] {
  const step = n * rule.interval
  if (rule.frequency === 'DAILY') return [anchor.add({ days: step })]
  if (rule.frequency === 'MONTHLY') return dayOfMonth(rule, anchor, step)
  const monday = anchor.subtract({ days: anchor.dayOfWeek - 1 }).add({ weeks: step })
  return weekdayOffsets(rule, anchor).map((days) => monday.add({ days }))
}

function weekdayOffsets({ daysOfWeek }: Recurrence, anchor: Temporal.PlainDate): number[] {
  if (daysOfWeek === null || daysOfWeek.length === 0) return [anchor.dayOfWeek - 1]
  return WEEKDAYS.flatMap((day, offset) => (daysOfWeek.includes(day) ? [offset] : []))
}

function dayOfMonth(rule: Recurrence, anchor: Temporal.PlainDate, months: number) {
  const month = anchor.toPlainYearMonth().add({ months })
  const wanted = rule.dayOfMonth ?? anchor.day
  const day = wanted === -1 ? month.daysInMonth : wanted
  return day > month.daysInMonth ? [] : [month.toPlainDate({ day })]
}

// A window may be years old: begin with the period `after` lies in instead of the first one.
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

// 'compatible' is our promise: a start inside a clock change's gap moves forward by the gap, one that
// comes twice is the first.
function toInstant(local: Temporal.PlainDateTime, timezone: string): Date {
  const zoned = local.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  return new Date(zoned.epochMilliseconds)
}
