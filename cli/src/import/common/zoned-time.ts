// Wall clocks of time zones, without packages and on every Node that runs the command.

const DAY_MS = 86_400_000
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d)/

const formats = new Map<string, Intl.DateTimeFormat>()

export function isZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && formatOf(name) !== undefined
  } catch {
    return false
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}

/** What the clock of the zone shows, as if it were UTC. */
function wallClock(at: Date, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
}

/** `2026-11-14` in the zone. */
export function dateIn(at: Date, zone: string): string {
  return new Date(wallClock(at, zone)).toISOString().slice(0, 10)
}

/** Undefined if it is no date and time. A time that the clock skips is moved to after the gap. */
export function toInstant(date: string, time: string, zone: string): Date | undefined {
  const [, year, month, day] = DATE.exec(date) ?? []
  const [, hour, minute] = TIME.exec(time) ?? []
  if (year === undefined || hour === undefined) return undefined
  const wanted = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
  )
  const before = wanted - (wallClock(new Date(wanted - DAY_MS), zone) - (wanted - DAY_MS))
  const after = wanted - (wallClock(new Date(wanted + DAY_MS), zone) - (wanted + DAY_MS))
  const fitting = [before, after].find((at) => wallClock(new Date(at), zone) === wanted)
  return new Date(fitting ?? before)
}

/** Minutes from one time of day to the next other; 24 hours if they are the same. */
export function minutesBetween(from: string, to: string): number | undefined {
  const [, fromHour, fromMinute] = TIME.exec(from) ?? []
  const [, toHour, toMinute] = TIME.exec(to) ?? []
  if (fromHour === undefined || toHour === undefined) return undefined
  const minutes = (Number(toHour) - Number(fromHour)) * 60 + Number(toMinute) - Number(fromMinute)
  return minutes > 0 ? minutes : minutes + 1440
}
