// Validates a window as a whole. The contract checks single fields; these rules span several, and skip fields that are
// not given.
import type { Problem } from '../values/problem.ts'
import { isTimezone } from '../values/timezone.ts'
import { overlapsItself, type Recurrence, type Schedule } from './maintenance.ts'
import type { MaintenanceWindow, WindowSettings } from './window.ts'
import type { WindowChange } from './window-change.ts'

const MAX_LENGTH_MS = 30 * 24 * 3_600_000
const EARLIEST = new Date('2000-01-01T00:00:00Z')
const LATEST = new Date('9999-12-31T23:59:59.999Z')

export function scheduleProblems(given: Partial<Schedule>): Problem[] {
  const { timezone, recurrence } = given
  const problems = [
    ...spanProblems(given),
    ...(recurrence ? recurrenceProblems(recurrence, given.startsAt) : []),
  ]
  if (timezone !== undefined && !isTimezone(timezone))
    problems.push({ path: 'timezone', message: 'must be an IANA time zone, such as Europe/Berlin' })
  if (problems.length > 0 || !isWhole(given) || !overlapsItself(given)) return problems
  return [{ path: 'endsAt', message: 'must come before the next occurrence begins' }]
}

function isWhole(given: Partial<Schedule>): given is Schedule {
  const { startsAt, endsAt, timezone, recurrence } = given
  return startsAt !== undefined && endsAt !== undefined && timezone !== undefined && !!recurrence
}

function spanProblems({ startsAt, endsAt }: Partial<Schedule>): Problem[] {
  const problems: Problem[] = []
  if (startsAt !== undefined && startsAt < EARLIEST)
    problems.push({ path: 'startsAt', message: 'must not lie before the year 2000' })
  if (endsAt !== undefined && endsAt > LATEST)
    problems.push({ path: 'endsAt', message: 'must not lie after the year 9999' })
  if (startsAt === undefined || endsAt === undefined) return problems
  const lengthMs = endsAt.getTime() - startsAt.getTime()
  if (lengthMs <= 0) problems.push({ path: 'endsAt', message: 'must be after startsAt' })
  if (lengthMs > MAX_LENGTH_MS)
    problems.push({ path: 'endsAt', message: 'must be at most 30 days after startsAt' })
  return problems
}

function recurrenceProblems(rule: Recurrence, startsAt: Date | undefined): Problem[] {
  const { endsAt } = rule
  const message = dayOfWeekProblem(rule)
  const problems = message === undefined ? [] : [{ path: 'recurrence.daysOfWeek', message }]
  const wrongDay = dayOfMonthProblem(rule)
  if (wrongDay !== undefined) problems.push({ path: 'recurrence.dayOfMonth', message: wrongDay })
  if (endsAt !== null && endsAt > LATEST)
    problems.push({ path: 'recurrence.endsAt', message: 'must not lie after the year 9999' })
  if (endsAt !== null && startsAt !== undefined && endsAt <= startsAt)
    problems.push({ path: 'recurrence.endsAt', message: 'must be after startsAt' })
  return problems
}

function dayOfWeekProblem({ frequency, daysOfWeek }: Recurrence): string | undefined {
  if (daysOfWeek === null) return undefined
  if (frequency !== 'WEEKLY') return 'is for WEEKLY windows only'
  return new Set(daysOfWeek).size < daysOfWeek.length ? 'must not name a day twice' : undefined
}

function dayOfMonthProblem({ frequency, dayOfMonth }: Recurrence): string | undefined {
  if (dayOfMonth === null) return undefined
  if (frequency !== 'MONTHLY') return 'is for MONTHLY windows only'
  return dayOfMonth === 0 ? 'must be 1 to 31, or -1 for the last day' : undefined
}

export function coverageProblems(allMonitors: boolean, monitors: readonly string[]): Problem[] {
  if (allMonitors || monitors.length > 0) return []
  return [{ path: 'monitorIds', message: 'must name a monitor unless allMonitors is true' }]
}

/** A window that has not begun cannot be moved into the past. One that has begun may be ended. */
export function pastProblems(endsAt: Date, now: Date, before?: MaintenanceWindow): Problem[] {
  const hasBegun = before !== undefined && before.startsAt <= now
  if (endsAt > now || hasBegun) return []
  return [{ path: 'endsAt', message: 'must be in the future' }]
}

/** Validates only what a change touched: the rest was valid before. */
export function changeProblems(
  before: MaintenanceWindow,
  { window, changedFields }: Pick<WindowChange, 'window' | 'changedFields'>,
  now: Date,
): Problem[] {
  const changed = (...fields: (keyof WindowSettings)[]) =>
    fields.some((field) => changedFields.includes(field))
  const { startsAt, endsAt, timezone, recurrence } = window
  const moved = changed('startsAt', 'endsAt', 'timezone', 'recurrence')
  return [
    ...(moved ? scheduleProblems({ startsAt, endsAt, timezone, recurrence }) : []),
    ...(moved ? pastProblems(endsAt, now, before) : []),
    ...(changed('allMonitors', 'monitorUuids')
      ? coverageProblems(window.allMonitors, window.monitorUuids)
      : []),
  ]
}
