// Maintenance windows: once, or by the wall clock of a time zone.
import type { ItemDraft } from './draft.ts'
import { dateIn, toInstant } from './zoned-time.ts'

export const WEEK = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
] as const
type DayName = (typeof WEEK)[number]

type LocalDay = { date: string; weekday: DayName; dayOfMonth: number; isLastOfMonth: boolean }

export type Repeating = {
  zone: string
  /** `HH:mm` by the clock of the zone. */
  from: string
  minutes: number
  recurrence: Readonly<Record<string, unknown>>
  /** Whether it can happen on a day. */
  fits(day: LocalDay): boolean
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const MAX_LENGTH_MS = 30 * DAY_MS
const MAX_DAYS_AHEAD = 800
const DAY_MINUTES = 1440

export function setOnce(draft: ItemDraft, startsAt: Date, endsAt: Date, now: Date): void {
  const lengthMs = endsAt.getTime() - startsAt.getTime()
  if (!(lengthMs > 0)) return draft.refuse('It does not end after its start.')
  if (endsAt <= now) return draft.refuse('It is over.')
  if (lengthMs > MAX_LENGTH_MS) return draft.refuse('It is longer than 30 days.')
  draft.set('startsAt', startsAt.toISOString())
  draft.set('endsAt', endsAt.toISOString())
}

/** Starts at least a day from now, so that there is time to apply the file. */
export function setRepeating(draft: ItemDraft, rule: Repeating, now: Date): void {
  const { zone, from, minutes, recurrence, fits } = rule
  if (!(minutes > 0)) return draft.refuse('It has no length.')
  if (minutes >= DAY_MINUTES)
    return draft.refuse('It never ends: it is as long as a day or longer.')
  for (let n = 1; n <= MAX_DAYS_AHEAD; n += 1) {
    const day = toLocalDay(dateIn(new Date(now.getTime() + n * DAY_MS), zone))
    if (!fits(day)) continue
    const startsAt = toInstant(day.date, from, zone)
    if (startsAt === undefined) return draft.refuse('Its time of day cannot be read.')
    if (startsAt.getTime() < now.getTime() + DAY_MS) continue
    draft.set('startsAt', startsAt.toISOString())
    draft.set('endsAt', new Date(startsAt.getTime() + minutes * MINUTE_MS).toISOString())
    draft.set('timezone', zone)
    draft.set('recurrence', recurrence)
    return
  }
  draft.refuse('It never happens.')
}

function toLocalDay(date: string): LocalDay {
  const at = new Date(`${date}T00:00:00Z`)
  const next = new Date(at.getTime() + DAY_MS)
  return {
    date,
    weekday: WEEK[(at.getUTCDay() + 6) % 7] ?? 'MONDAY',
    dayOfMonth: at.getUTCDate(),
    isLastOfMonth: next.getUTCDate() === 1,
  }
}

/** Windows cover at least one monitor. */
export function setMonitors(draft: ItemDraft, keys: readonly string[], all: boolean): void {
  const MAX_MONITORS = 500
  if (all) return draft.set('allMonitors', true)
  if (keys.length === 0) return draft.refuse('None of its monitors was taken.')
  if (keys.length > MAX_MONITORS)
    return draft.refuse(`It covers more than ${MAX_MONITORS} monitors.`)
  draft.set('monitors', [...new Set(keys)])
}
