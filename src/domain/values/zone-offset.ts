// Wall-clock times of a zone, without asking Temporal for each one: between two clock changes, the offset is constant.
// A calendar needs thousands.

/** From one clock change to the next, half-open. */
type Steady = { fromMs: number; toMs: number; offsetMs: number }

// More than there are zones, and more clock changes than a century has.
const MAX_ZONES = 1_000
const MAX_KNOWN = 250
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
// Date.UTC maps years 0 to 99 to 1900 and later. No window lies before 1900.
const FIRST_YEAR = 1900

const zones = new Map<string, Steady[]>()

/**
 * The instant at which clocks show this time. A time in the gap of a clock change moves forward by the gap. Of a time
 * that occurs twice, the first counts.
 */
export function instantOf(local: Temporal.PlainDateTime, timezone: string): Date {
  const { year, month, day, hour, minute, second, millisecond } = local
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
  const { fromMs, toMs, offsetMs } = steadyAt(asUtcMs, timezone)
  const ms = asUtcMs - offsetMs
  // No offset is a day long, so away from any change only this one is possible.
  if (year >= FIRST_YEAR && ms - DAY_MS > fromMs && ms + DAY_MS < toMs) return new Date(ms)
  const zoned = local.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  return new Date(zoned.epochMilliseconds)
}

/** The local time of a zone with its offset: `2026-11-16T03:00:00+01:00`. */
export function wallClock(at: Date, timezone: string): string {
  const { offsetMs } = steadyAt(at.getTime(), timezone)
  const wall = new Date(at.getTime() + offsetMs).toISOString().slice(0, -'.000Z'.length)
  return wall + offsetWord(offsetMs)
}

/** `+05:45`, to the minute, as in timestamps. */
function offsetWord(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / MINUTE_MS)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function steadyAt(ms: number, timezone: string): Steady {
  const known = zones.get(timezone) ?? []
  const found = known.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
  if (found !== undefined) return found
  const steady = findSteady(ms, timezone)
  if (known.length === 0 && zones.size >= MAX_ZONES) zones.clear()
  zones.set(timezone, known.length >= MAX_KNOWN ? [steady] : [...known, steady])
  return steady
}

function findSteady(ms: number, timezone: string): Steady {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)
  // A change at exactly this instant counts as past.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const next = at.getTimeZoneTransition('next')
  return {
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  }
}
