// Formats times and durations for the reader's locale. Includes the year, because an email may be read much later.
import { timeText } from '../domain/values/time-text.ts'

export type Clock = { locale: string; timezone: string }

export const formatTime = (iso: string, { locale, timezone }: Clock): string =>
  timeText(locale, timezone).momentInZone(iso, { year: true })

export const formatRange = (fromIso: string, toIso: string, { locale, timezone }: Clock): string =>
  timeText(locale, timezone).span(fromIso, toIso, { year: true })

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
