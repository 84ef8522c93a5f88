// Formats instants and durations for people. Pure: the current time and the zone are arguments.
import { timeText } from '../../../src/domain/values/time-text.ts'
import { VIEWER_LOCALE } from '../messages/language.ts'
import { VIEWER_ZONE } from './viewer.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Instant = string | number | Date

const textOf = (zone: string) => timeText(VIEWER_LOCALE, zone)

/** `14:27`, with seconds `14:27:10`. */
export const formatClock = (at: Instant, zone = VIEWER_ZONE, withSeconds = false): string =>
  withSeconds ? textOf(zone).exactClock(at) : textOf(zone).clock(at)

/** `Sat, Nov 14`, in another year `Nov 14, 2025`. */
export function formatDay(at: Instant, now: Instant, zone = VIEWER_ZONE): string {
  const text = textOf(zone)
  return text.isSameYear(at, now) ? text.day(at) : text.date(at)
}

/** `14:27` today, otherwise `Sat, Nov 14, 14:27`. The zone is named once per view, in the top bar. */
export function formatMoment(at: Instant, now: Instant, zone = VIEWER_ZONE): string {
  const clock = formatClock(at, zone)
  return textOf(zone).isSameDay(at, now) ? clock : `${formatDay(at, now, zone)}, ${clock}`
}

/** `Sat, Nov 14, 14:00 – 15:00`, with a second day if it ends on another one. */
export function formatRange(from: Instant, to: Instant, now: Instant, zone = VIEWER_ZONE): string {
  const [first, last] = [formatDay(from, now, zone), formatDay(to, now, zone)]
  const end = formatClock(to, zone)
  return `${first}, ${formatClock(from, zone)} – ${first === last ? end : `${last}, ${end}`}`
}

/** `Sat, Nov 14, 14:27 CET`, where nothing else names the zone. */
export const formatMomentInZone = (at: Instant, zone = VIEWER_ZONE): string =>
  textOf(zone).momentInZone(at)

/** The full date and time, for a title: `Sat, Nov 14, 2026, 14:27:10 CET`. */
export const formatFull = (at: Instant, zone = VIEWER_ZONE): string =>
  textOf(zone).momentInZone(at, { year: true, seconds: true })

/** `November 2026` of `2026-11`. */
export const formatMonth = (month: string): string => textOf('UTC').month(`${month}-01T00:00Z`)

/** `Nov 14` of `2026-11-14`. */
export const formatShortDate = (date: string): string => textOf('UTC').shortDate(`${date}T00:00Z`)

/** `Sat, Nov 14, 2026` of `2026-11-14`. */
export const formatDate = (date: string): string => textOf('UTC').dayOfYear(`${date}T00:00Z`)

/** `CET`, or `GMT+3` if the zone has no common abbreviation. */
export const zoneName = (at: Instant = Date.now(), zone = VIEWER_ZONE): string =>
  textOf(zone).zone(at)

/** The two largest units: `12 s`, `4 min 12 s`, `1 h 12 min`, `3 days 4 h`. */
export function formatDuration(ms: number): string {
  const units: [string, number][] = [
    [ms >= 2 * DAY ? 'days' : 'day', DAY],
    ['h', HOUR],
    ['min', MINUTE],
    ['s', SECOND],
  ]
  const first = units.findIndex(([, size]) => ms >= size)
  if (first === -1) return '0 s'
  let rest = ms
  const words = units.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return words.join(' ')
}

/** One unit, for lists: `4 min`, `12 days`. */
export function formatSpan(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} days`
}

/** One unit, in minute steps, for what needs no seconds: `1 min` up to a minute, `4 min`. */
export function formatMinutes(ms: number): string {
  return formatSpan(Math.max(ms, MINUTE))
}

/** `just now`, `4 min ago`: a list of these changes once a minute at most. */
export function formatMinutesAgo(at: Instant, now: Instant): string {
  const ms = new Date(now).getTime() - new Date(at).getTime()
  return ms < MINUTE ? 'just now' : `${formatSpan(ms)} ago`
}

/** `3 s ago`, `in 57 s`. */
export function formatAgo(at: Instant, now: Instant): string {
  const ms = new Date(now).getTime() - new Date(at).getTime()
  return ms >= 0 ? `${formatSpan(ms)} ago` : `in ${formatSpan(-ms)}`
}
