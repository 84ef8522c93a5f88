// Formats times and durations for the reader's locale. Includes the year, because an email may be read much later.
import { betterZoneNames, toDateTag } from './time-zone.ts'

export type Clock = { locale: string; timezone: string }

export function formatTime(iso: string, clock: Clock): string {
  const at = new Date(iso)
  return write(formatOf(clock).formatToParts(at), clock, at)
}

export function formatRange(fromIso: string, toIso: string, clock: Clock): string {
  const from = new Date(fromIso)
  return write(formatOf(clock).formatRangeToParts(from, new Date(toIso)), clock, from)
}

function formatOf({ locale, timezone }: Clock): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(toDateTag(locale), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timezone,
    timeZoneName: 'short',
  })
}

type Part = { type: string; value: string }

function write(parts: readonly Part[], { timezone }: Clock, at: Date): string {
  const better = betterZoneNames(timezone)
  return parts
    .map(({ type, value }) => (type === 'timeZoneName' ? better(value, at) : value))
    .join('')
}

const MINUTE_MS = 60_000
const MINUTES_PER_HOUR = 60
const HOURS_PER_DAY = 24

/** In whole minutes, rounded up: whatever was worth an email lasted at least one. */
export function formatDuration(fromIso: string, toIso: string, { locale }: Clock): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(toIso) - Date.parse(fromIso)) / MINUTE_MS))
  const hours = Math.floor(minutes / MINUTES_PER_HOUR)
  return new Intl.DurationFormat(locale, { style: 'short' }).format({
    days: Math.floor(hours / HOURS_PER_DAY),
    hours: hours % HOURS_PER_DAY,
    minutes: minutes % MINUTES_PER_HOUR,
  })
}
