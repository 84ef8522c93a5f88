import type { Weekday } from '../../../src/domain/maintenance/maintenance.ts'
import type { ItemOf, ResponseOf } from '../api/contract.ts'
import { recurrenceText as TEXT } from '../messages/publishing/maintenance.ts'
import { formatClock, formatDay } from '../time/format.ts'

export type WindowView = ItemOf<'GET /maintenance-windows'>
export type WindowEntry = ResponseOf<'GET /overview/calendar'>['data'][number]
export const dayLabel = (day: Weekday): string => day.charAt(0) + day.slice(1).toLowerCase()

/** `Every 2 weeks on Monday, Friday`. */
export function recurrenceLabel(recurrence: WindowView['recurrence']): string {
  if (recurrence === null) return TEXT.once
  const { frequency, interval, daysOfWeek, dayOfMonth } = recurrence
  const pace = TEXT.pace(frequency, interval)
  if (frequency === 'WEEKLY' && daysOfWeek !== null && daysOfWeek.length > 0)
    return TEXT.onDays(pace, daysOfWeek.map(dayLabel).join(', '))
  if (frequency === 'MONTHLY' && dayOfMonth !== null)
    return dayOfMonth === -1 ? TEXT.onLastDay(pace) : TEXT.onDay(pace, dayOfMonth)
  return pace
}

type Span = { startsAt: string; endsAt: string }

const DAY_MS = 24 * 3_600_000

function nearDay(at: string, now: number, zone: string): string {
  const day = formatDay(at, now, zone)
  if (day === formatDay(now, now, zone)) return TEXT.today
  return day === formatDay(now + DAY_MS, now, zone) ? TEXT.tomorrow : day
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `Mon 16 Nov, 03:00 – 04:00`, `Today, 23:00 – tomorrow, 00:45`: local time in the zone. */
export function spanLabel({ startsAt, endsAt }: Span, now: number, zone: string): string {
  const from = nearDay(startsAt, now, zone)
  const to = nearDay(endsAt, now, zone)
  const end = formatClock(endsAt, zone)
  return `${capital(from)}, ${formatClock(startsAt, zone)} – ${from === to ? end : `${to}, ${end}`}`
}

/** The occurrence to show: the active one, else the next, else the last. */
export function spanOf(window: WindowView): Span {
  return window.currentOccurrence ?? window.nextOccurrence ?? window
}

/** Active windows first, then the next to start. */
export const bySoonest = (one: WindowView, other: WindowView): number =>
  Date.parse(spanOf(one).startsAt) - Date.parse(spanOf(other).startsAt)

export const lengthMs = ({ startsAt, endsAt }: Span): number =>
  Date.parse(endsAt) - Date.parse(startsAt)
