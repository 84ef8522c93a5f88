import type { Weekday } from '../../../src/domain/maintenance/maintenance.ts'
import type { ItemOf, ResponseOf } from '../api/contract.ts'
import { recurrenceText as TEXT } from '../messages/publishing/maintenance.ts'
import { formatClock, formatDay, formatRange } from '../time/format.ts'
import { VIEWER_ZONE } from '../time/viewer.ts'
import { zoneLabel } from '../time/zone-names.ts'

export type WindowView = ItemOf<'GET /maintenance-windows'>
export type WindowEntry = ResponseOf<'GET /overview/calendar'>['data'][number]
export const dayLabel = (day: Weekday): string => day.charAt(0) + day.slice(1).toLowerCase()

type Recurring = Pick<WindowView, 'recurrence' | 'startsAt' | 'timezone'>

/** `Every 2 weeks on Mon, Fri in Berlin (Europe)`; without the zone where its clocks are the viewer's. */
export function recurrenceLabel(window: Recurring, viewerZone = VIEWER_ZONE): string {
  const { recurrence, startsAt, timezone } = window
  if (recurrence === null) return TEXT.once
  const label = scheduleLabel(recurrence)
  const isElsewhere = ownMomentLabel(startsAt, timezone, viewerZone) !== undefined
  return isElsewhere ? TEXT.inZone({ time: label, zone: zoneLabel(timezone) }) : label
}

function scheduleLabel(recurrence: NonNullable<WindowView['recurrence']>): string {
  const { frequency, interval, daysOfWeek, dayOfMonth } = recurrence
  const pace = TEXT.paces[frequency]({ interval })
  if (frequency === 'WEEKLY' && daysOfWeek !== null && daysOfWeek.length > 0)
    return TEXT.onDays({ pace, days: daysOfWeek.map(dayLabel).join(', ') })
  if (frequency === 'MONTHLY' && dayOfMonth !== null)
    return dayOfMonth === -1 ? TEXT.onLastDay({ pace }) : TEXT.onDay({ pace, day: dayOfMonth })
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

/** `Mon, Nov 16, 03:00 – 04:00`, `Today, 23:00 – tomorrow, 00:45`: local time of the viewer, or in the zone. */
export function spanLabel({ startsAt, endsAt }: Span, now: number, zone = VIEWER_ZONE): string {
  const from = nearDay(startsAt, now, zone)
  const to = nearDay(endsAt, now, zone)
  const end = formatClock(endsAt, zone)
  return `${capital(from)}, ${formatClock(startsAt, zone)} – ${from === to ? end : `${to}, ${end}`}`
}

/**
 * `23:00 – Tue, Nov 17, 00:45 in Berlin (Europe)`, if the clocks of the window's zone differ from the viewer's; with the
 * day on which it starts there only if that is another one.
 */
export function ownSpanLabel(
  span: Span,
  now: number,
  zone: string,
  viewerZone = VIEWER_ZONE,
): string | undefined {
  // A day that differs is a date: "today" there may be another day than here.
  const written = (of: string) => formatRange(span.startsAt, span.endsAt, now, of)
  const own = written(zone)
  if (own === written(viewerZone)) return undefined
  const day = formatDay(span.startsAt, now, zone)
  const isSameDay = day === formatDay(span.startsAt, now, viewerZone)
  const time = isSameDay ? own.slice(`${day}, `.length) : own
  return TEXT.inZone({ time, zone: zoneLabel(zone) })
}

/** `03:00 in Berlin (Europe)`, with the day if the viewer is on another; undefined if the clocks are the same. */
export function ownMomentLabel(
  at: string,
  zone: string,
  viewerZone = VIEWER_ZONE,
): string | undefined {
  const [clock, day] = [formatClock(at, zone), formatDay(at, at, zone)]
  const isSameDay = day === formatDay(at, at, viewerZone)
  if (isSameDay && clock === formatClock(at, viewerZone)) return undefined
  return TEXT.inZone({ time: isSameDay ? clock : `${day}, ${clock}`, zone: zoneLabel(zone) })
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
