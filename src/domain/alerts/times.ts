// Formats times and durations for alerts. In English, like the dashboard.
import { durationParts } from '../values/duration.ts'

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

/** `Sat 14 Nov, 14:27 CET` */
export function formatAt(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  })
    .format(at)
    .replace(/^(\w+),/, '$1')
}

/** `Tue 24 Nov 2026` */
export function formatDay(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric', timeZone: 'UTC' })
    .format(at)
    .replace(/^(\w+),/, '$1')
}

/** `14:27` */
export function formatTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(at)
}

const CLOCK: Intl.DateTimeFormatOptions = { timeStyle: 'medium', hourCycle: 'h23' }

/** `Sat 14 Nov, 14:27:10 – 14:34:50 CET`, with a second date if the end is on another day. */
export function formatStretch(from: Date, to: Date, timeZone: string): string {
  const day = (at: Date) =>
    new Intl.DateTimeFormat('en-GB', { ...DAY, timeZone }).format(at).replace(/^(\w+),/, '$1')
  const clock = (at: Date) => new Intl.DateTimeFormat('en-GB', { ...CLOCK, timeZone }).format(at)
  const zone = formatAt(to, timeZone).replace(/^.* /, '')
  const end = day(from) === day(to) ? clock(to) : `${day(to)}, ${clock(to)}`
  return `${day(from)}, ${clock(from)} – ${end} ${zone}`
}

const SECOND_MS = 1_000

/** `7 min 40 s` */
export function formatLasted(from: Date, to: Date): string {
  const seconds = Math.max(1, Math.round((to.getTime() - from.getTime()) / SECOND_MS))
  return durationParts(seconds)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
