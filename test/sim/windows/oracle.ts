// When a window is open, computed the slow way: every day of the zone's calendar is tested against the rule.
import { instantOf, offsetAt, type Reading, UNTIL_MS, zoneClock } from './zone-clock.ts'

const DAY_MS = 86_400_000
const WEEK = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']

/** The product's rule, with times in milliseconds. */
export type Rule = {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY'
  interval: number
  daysOfWeek: readonly string[] | null
  dayOfMonth: number | null
  untilMs: number | null
}
export type Plan = { startMs: number; endMs: number; zone: string; rule: Rule | null }
export type Stretch = { fromMs: number; toMs: number; how: Reading['how'] }

/** Every occurrence that starts before the horizon, in order. */
export function occurrencesOf(plan: Plan, horizonMs = UNTIL_MS - 3 * DAY_MS): Stretch[] {
  const { startMs, endMs, rule, zone } = plan
  const lengthMs = endMs - startMs
  const stretch = (fromMs: number, how: Reading['how']) => ({
    fromMs,
    toMs: fromMs + lengthMs,
    how,
  })
  const found = [stretch(startMs, 'ONCE')]
  if (rule === null) return found
  const clock = zoneClock(zone)
  const wallMs = startMs + offsetAt(clock, startMs)
  const timeMs = ((wallMs % DAY_MS) + DAY_MS) % DAY_MS
  const firstDay = (wallMs - timeMs) / DAY_MS
  for (let day = firstDay; ; day++) {
    if (!means(rule, firstDay, day)) {
      if (day * DAY_MS > horizonMs) return found
      continue
    }
    if (day * DAY_MS > horizonMs) return found
    const { ms, how } = instantOf(clock, day * DAY_MS + timeMs)
    if (rule.untilMs !== null && ms >= rule.untilMs) return found
    if (ms > startMs) found.push(stretch(ms, how))
  }
}

/** Days are counted from 1 January 1970, a Thursday. */
function means(rule: Rule, firstDay: number, day: number): boolean {
  const { frequency, interval } = rule
  if (frequency === 'DAILY') return (day - firstDay) % interval === 0
  if (frequency === 'WEEKLY') {
    const weeks = mondayOf(day) - mondayOf(firstDay)
    const wanted = rule.daysOfWeek ?? [nameOf(firstDay)]
    return weeks % interval === 0 && wanted.includes(nameOf(day))
  }
  const [first, date] = [new Date(firstDay * DAY_MS), new Date(day * DAY_MS)]
  if ((monthOf(date) - monthOf(first)) % interval !== 0) return false
  const wanted = rule.dayOfMonth ?? first.getUTCDate()
  if (wanted === -1) return new Date((day + 1) * DAY_MS).getUTCDate() === 1
  return date.getUTCDate() === wanted
}

const nameOf = (day: number) => WEEK[(day + 4) % 7] ?? ''
/** Number of the week, which starts on Monday. */
const mondayOf = (day: number) => Math.floor((day + 3) / 7)
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
