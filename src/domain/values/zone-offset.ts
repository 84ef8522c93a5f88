// What the clocks of a zone show, without asking Temporal for each instant: between two changes of the clocks an
// offset is a plain number. A calendar asks for thousands.

/** From one change of the clocks to the next; half open. */
type Steady = { fromMs: number; toMs: number; offsetMs: number }

// More than there are zones, and more changes than a century has.
const MAX_ZONES = 1_000
const MAX_KNOWN = 250
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
// Earlier years are counted otherwise by Date.UTC, and nobody has a window there.
const FIRST_YEAR = 1900

const zones = new Map<string, Steady[]>()

/**
 * The instant at which a wall shows this. A start inside a clock change's gap moves forward by the gap, one that
 * comes twice is the first.
 */
export function instantOf(local: Temporal.PlainDateTime, timezone: string): Date {
  const { year, month, day, hour, minute, second, millisecond } = local
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
  const { fromMs, toMs, offsetMs } = steadyAt(asUtcMs, timezone)
  const ms = asUtcMs - offsetMs
  // No offset is a day long: away from any change there is only this one.
  if (year >= FIRST_YEAR && ms - DAY_MS > fromMs && ms + DAY_MS < toMs) return new Date(ms)
  const zoned = local.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  return new Date(zoned.epochMilliseconds)
}

/** On the wall of a zone, with its offset: `2026-11-16T03:00:00+01:00`. */
export function wallClock(at: Date, timezone: string): string {
  const { offsetMs } = steadyAt(at.getTime(), timezone)
  const wall = new Date(at.getTime() + offsetMs).toISOString().slice(0, -'.000Z'.length)
  return wall + offsetWord(offsetMs)
}

/** `+05:45`; to the minute, as timestamps have it. */
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
  // One that happens at this very instant is behind us.
  const previous = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  const next = at.getTimeZoneTransition('next')
  return {
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  }
}
