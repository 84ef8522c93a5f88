// Writes instants and days as people read them. Every surface uses it: the dashboard in the viewer's locale and zone,
// status pages and their emails in the page's, alerts in American English and the organization's zone.
import { zoneNames } from './zone-name.ts'

type Instant = string | number | Date

/** What a moment says beyond day, hour and minute. */
type Precision = { year?: boolean; seconds?: boolean }

type TimeText = {
  /** `14:31` */
  clock(at: Instant): string
  /** `14:31:05` */
  exactClock(at: Instant): string
  /** `Tue, Nov 17` */
  day(at: Instant): string
  /** `Tue, Nov 17, 2026` */
  dayOfYear(at: Instant): string
  /** `Nov 17` */
  shortDate(at: Instant): string
  /** `Nov 17, 2026` */
  date(at: Instant): string
  /** `Nov 17 – 19` */
  dates(from: Instant, to: Instant): string
  /** `November 2026` */
  month(at: Instant): string
  isSameYear(one: Instant, other: Instant): boolean
  isSameDay(one: Instant, other: Instant): boolean
  /** `Tue, Nov 17, 14:31`, without the zone. */
  moment(at: Instant, precision?: Precision): string
  /** `Tue, Nov 17, 14:31 CET` */
  momentInZone(at: Instant, precision?: Precision): string
  /** `Tue, Nov 17, 14:31 – 16:00 CET`; with a second day or zone if the end has another. */
  span(from: Instant, to: Instant, precision?: Precision): string
  /** `CET`, or `GMT+3` if no language has a name for the zone. */
  zone(at: Instant): string
}

const DATE = { day: 'numeric', month: 'short' } as const
const DAY = { weekday: 'short', ...DATE } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const YEAR = { year: 'numeric' } as const
const SECONDS = { second: '2-digit' } as const

// Creating a format costs up to a hundred times as much as using it. Several spellings can name a zone, hence the bound.
const MAX_KNOWN = 500
const known = new Map<string, TimeText>()

/** `tag` is a language such as `en`, which is American English, or `en-GB`. */
export function timeText(tag: string, timeZone: string): TimeText {
  const key = `${tag} ${timeZone}`
  const found = known.get(key)
  if (found !== undefined) return found
  const created = createTimeText(tag, timeZone)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, created)
  return created
}

function createTimeText(tag: string, timeZone: string): TimeText {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const formatOf = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
    const key = JSON.stringify(options)
    const format = formats.get(key) ?? new Intl.DateTimeFormat(tag, { timeZone, ...options })
    formats.set(key, format)
    return format
  }
  const write = (options: Intl.DateTimeFormatOptions) => {
    let format: Intl.DateTimeFormat | undefined
    return (at: Instant) => (format ??= formatOf(options)).format(new Date(at))
  }
  let names: ((at: Date) => string) | undefined
  const zone = (at: Instant) => (names ??= zoneNames(tag, timeZone))(new Date(at))
  const day = write(DAY)
  const year = write(YEAR)
  const dayOfYear = write({ ...DAY, ...YEAR })
  const isSameDay = (one: Instant, other: Instant) => dayOfYear(one) === dayOfYear(other)
  const moment = (at: Instant, precision: Precision = {}) =>
    formatOf({ ...DAY, ...(precision.year && YEAR), ...clockOf(precision) }).format(new Date(at))

  return {
    clock: write(CLOCK),
    exactClock: write({ ...CLOCK, ...SECONDS }),
    day,
    dayOfYear,
    shortDate: write(DATE),
    date: write({ ...DATE, ...YEAR }),
    dates: (from, to) => formatOf(DATE).formatRange(new Date(from), new Date(to)),
    month: write({ month: 'long', ...YEAR }),
    isSameYear: (one, other) => year(one) === year(other),
    isSameDay,
    moment,
    momentInZone: (at, precision) => `${moment(at, precision)} ${zone(at)}`,
    span: (from, to, precision = {}) => {
      const [before, after] = [zone(from), zone(to)]
      const start = `${moment(from, precision)}${before === after ? '' : ` ${before}`}`
      const end = isSameDay(from, to)
        ? formatOf(clockOf(precision)).format(new Date(to))
        : moment(to, precision)
      return `${start} – ${end} ${after}`
    },
    zone,
  }
}

const clockOf = ({ seconds }: Precision) => ({ ...CLOCK, ...(seconds && SECONDS) })
