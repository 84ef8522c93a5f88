// Converts between instants and local time in a time zone, in the format of `<input type="datetime-local">`.
const MINUTE_MS = 60_000

/** `2026-11-16T03:00`, local time in the zone. */
export function toWall(at: string | number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(at))
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${of['year']}-${of['month']}-${of['day']}T${of['hour']}:${of['minute']}`
}

/** The instant of a local time. A time skipped by a clock change moves forward; one that occurs twice is the first. */
export function fromWall(wall: string, zone: string): string {
  const asUtc = Date.parse(`${wall}Z`)
  const tries = [
    offsetMs(asUtc - 24 * 60 * MINUTE_MS, zone),
    offsetMs(asUtc + 24 * 60 * MINUTE_MS, zone),
  ]
  const [before = 0, after = 0] = tries
  const hit = [before, after].find((offset) => toWall(asUtc - offset, zone) === wall)
  return new Date(asUtc - (hit ?? before)).toISOString()
}

const offsetMs = (at: number, zone: string): number => Date.parse(`${toWall(at, zone)}Z`) - at
