// Random windows: every zone in turn, half of them aimed at a clock change.
import type { Recurrence, Schedule, Weekday } from '../../../src/domain/maintenance/maintenance.ts'
import type { Rng } from '../rng.ts'
import type { Plan, Rule } from './oracle.ts'
import { offsetAt, zoneClock } from './zone-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FIRST_MS = Date.UTC(2024, 0, 1)
const LAST_MS = Date.UTC(2030, 11, 31)
const DAYS: readonly Weekday[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
]

export function makePlan(rng: Rng, zone: string): Plan {
  const aimed = rng.chance(0.6) ? aimAtChange(rng, zone) : undefined
  return aimed ?? anyPlan(rng, zone)
}

/** A rule that includes the day of a clock change, at or near a local time that is skipped or repeated. */
function aimAtChange(rng: Rng, zone: string): Plan | undefined {
  const clock = zoneClock(zone)
  const changes = clock.changes.filter(({ atMs }) => atMs > FIRST_MS && atMs < LAST_MS)
  if (changes.length === 0) return undefined
  const { atMs, beforeMs, offsetMs } = rng.pick(changes)
  const [low, high] = [atMs + Math.min(beforeMs, offsetMs), atMs + Math.max(beforeMs, offsetMs)]
  const slack = rng.chance(0.3) ? 45 * MINUTE_MS : 0
  const wallMs = low - slack + Math.floor(rng.next() * (high - low + 2 * slack))
  const interval = rng.chance(0.6) ? 1 : rng.int(2, 6)
  const frequency = rng.pick(['DAILY', 'WEEKLY', 'MONTHLY'] as const)
  const back = rng.int(1, 5) * interval
  const rule: Rule = { frequency, interval, daysOfWeek: null, dayOfMonth: null, untilMs: null }
  const startWallMs = frequency === 'MONTHLY' ? monthsBack(wallMs, back) : undefined
  if (frequency === 'MONTHLY' && startWallMs === undefined) return undefined
  const days = frequency === 'DAILY' ? back : 7 * back
  const startMs = unshifted(zone, startWallMs ?? wallMs - days * DAY_MS)
  if (frequency === 'WEEKLY' && rng.chance(0.4)) rule.daysOfWeek = withDayOf(rng, wallMs)
  return { ...withLength(rng, startMs), zone, rule }
}

function monthsBack(wallMs: number, months: number): number | undefined {
  const date = new Date(wallMs)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.getUTCDate() === day ? date.getTime() : undefined
}

function withDayOf(rng: Rng, wallMs: number): Weekday[] {
  const own = DAYS[(new Date(wallMs).getUTCDay() + 6) % 7] ?? 'MONDAY'
  return DAYS.filter((day) => day === own || rng.chance(0.3))
}

/** Approximate: a start inside a gap is as good as any other. */
const unshifted = (zone: string, wallMs: number) => wallMs - offsetAt(zoneClock(zone), wallMs)

function anyPlan(rng: Rng, zone: string): Plan {
  const startMs = FIRST_MS + Math.floor(rng.next() * (LAST_MS - FIRST_MS - 400 * DAY_MS))
  const rounded = startMs - (startMs % (rng.chance(0.8) ? 15 * MINUTE_MS : 1))
  const rule = rng.chance(0.05) ? null : anyRule(rng, rounded)
  return { ...withLength(rng, rounded), zone, rule }
}

function anyRule(rng: Rng, startMs: number): Rule {
  const frequency = rng.pick(['DAILY', 'WEEKLY', 'MONTHLY'] as const)
  const some = DAYS.filter(() => rng.chance(0.4))
  return {
    frequency,
    interval: rng.chance(0.5) ? 1 : rng.int(2, 52),
    daysOfWeek: frequency === 'WEEKLY' && some.length > 0 ? some : null,
    dayOfMonth:
      frequency === 'MONTHLY' && rng.chance(0.7) ? rng.pick([-1, 1, 15, 28, 29, 30, 31]) : null,
    untilMs: rng.chance(0.2) ? startMs + 1 + Math.floor(rng.next() * 900 * DAY_MS) : null,
  }
}

function withLength(rng: Rng, startMs: number): { startMs: number; endMs: number } {
  const lengths = [1, MINUTE_MS, HOUR_MS, 5 * HOUR_MS, 22 * HOUR_MS, 23.5 * HOUR_MS, DAY_MS]
  const lengthMs = rng.chance(0.8) ? rng.pick(lengths) : rng.int(1, 30 * DAY_MS)
  return { startMs, endMs: startMs + lengthMs }
}

export function toSchedule({ startMs, endMs, zone, rule }: Plan): Schedule {
  const recurrence: Recurrence | null = rule && {
    frequency: rule.frequency,
    interval: rule.interval,
    // Safe because plans only use the names above.
    daysOfWeek: rule.daysOfWeek as readonly Weekday[] | null,
    dayOfMonth: rule.dayOfMonth,
    endsAt: rule.untilMs === null ? null : new Date(rule.untilMs),
  }
  return { startsAt: new Date(startMs), endsAt: new Date(endMs), timezone: zone, recurrence }
}
