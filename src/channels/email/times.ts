// Formats times and durations for the reader's locale. Includes the year, because an email may be read much later.

export type Clock = { locale: string; timezone: string }

export function formatTime(iso: string, clock: Clock): string {
  const at = new Date(iso)
  return write(formatOf(clock).formatToParts(at), clock, at)
}

export function formatRange(fromIso: string, toIso: string, clock: Clock): string {
  const from = new Date(fromIso)
  return write(formatOf(clock).formatRangeToParts(from, new Date(toIso)), clock, from)
}

// Day before month, as in the rest of the product.
const TAGS = new Map([['en', 'en-GB']])

function formatOf({ locale, timezone }: Clock): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(TAGS.get(locale) ?? locale, {
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

// Each locale has names for its own countries' time zones and offsets for the rest.
const ZONE_TAGS = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-ZA', 'ja']
const NUMBERED_ZONE = /^(?:GMT|UTC)[+\-−]/

type Part = { type: string; value: string }

function write(parts: readonly Part[], { timezone }: Clock, at: Date): string {
  return parts
    .map(({ type, value }) =>
      type === 'timeZoneName' && NUMBERED_ZONE.test(value)
        ? (zoneName(timezone, at) ?? value)
        : value,
    )
    .join('')
}

/** A name such as `CET`, if any locale has one. */
function zoneName(timezone: string, at: Date): string | undefined {
  const names = ZONE_TAGS.map((tag) =>
    new Intl.DateTimeFormat(tag, { timeZone: timezone, timeZoneName: 'short' })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName'),
  )
  return names.find((name) => name !== undefined && !NUMBERED_ZONE.test(name.value))?.value
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
