// Formats instants and durations for people. Pure: the current time and the zone are arguments.

export const VIEWER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Instant = string | number | Date

const DAY_PARTS = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const CLOCK_PARTS = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const ZONE_PARTS = { timeZoneName: 'short' } as const

type Options = typeof DAY_PARTS | typeof CLOCK_PARTS | typeof ZONE_PARTS

// Creating a formatter costs twenty times as much as using it, and a list formats a hundred instants every second.
const formats = new Map<Options, Map<string, Intl.DateTimeFormat>>()

function formatOf(zone: string, options: Options): Intl.DateTimeFormat {
  const known = formats.get(options) ?? new Map<string, Intl.DateTimeFormat>()
  formats.set(options, known)
  const format =
    known.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...options })
  known.set(zone, format)
  return format
}

function parts(at: Instant, zone: string, options: Options) {
  return Object.fromEntries(
    formatOf(zone, options)
      .formatToParts(new Date(at))
      .map((part) => [part.type, part.value]),
  )
}

/** `14:27`, with seconds `14:27:10`. */
export function formatClock(at: Instant, zone = VIEWER_ZONE, withSeconds = false): string {
  const { hour, minute, second } = parts(at, zone, CLOCK_PARTS)
  return withSeconds ? `${hour}:${minute}:${second}` : `${hour}:${minute}`
}

/** `Sat 14 Nov`, in another year `14 Nov 2025`. */
export function formatDay(at: Instant, now: Instant, zone = VIEWER_ZONE): string {
  const day = parts(at, zone, DAY_PARTS)
  const today = parts(now, zone, DAY_PARTS)
  const date = `${day['day']} ${day['month']}`
  return day['year'] === today['year'] ? `${day['weekday']} ${date}` : `${date} ${day['year']}`
}

/** `14:27` today, otherwise `Sat 14 Nov, 14:27`. The zone is named once per view: `zoneName`. */
export function formatMoment(at: Instant, now: Instant, zone = VIEWER_ZONE): string {
  const day = formatDay(at, now, zone)
  const clock = formatClock(at, zone)
  return day === formatDay(now, now, zone) ? clock : `${day}, ${clock}`
}

/** The full date and time, for a title: `Sat 14 Nov 2026, 14:27:10 CET`. */
export function formatFull(at: Instant, zone = VIEWER_ZONE): string {
  const { weekday, day, month, year } = parts(at, zone, DAY_PARTS)
  return `${weekday} ${day} ${month} ${year}, ${formatClock(at, zone, true)} ${zoneName(at, zone)}`
}

/** `CET`, or `GMT+9` if the zone has no common abbreviation. */
export function zoneName(at: Instant = Date.now(), zone = VIEWER_ZONE): string {
  return parts(at, zone, ZONE_PARTS)['timeZoneName'] ?? zone
}

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
