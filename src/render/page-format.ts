// Times, durations and numbers in the page's language and time zone.
import { localDate } from '../domain/monitors/day-bars.ts'
import { durationParts } from '../domain/values/duration.ts'
import type { Locale } from '../domain/values/locale.ts'
import { shareText } from '../domain/values/number-text.ts'
import { timeText } from '../domain/values/time-text.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { messagesOf } from './messages/messages.ts'
import type { PageMessages } from './messages/shape.ts'

const MAX_FORMATS = 500

export type Format = {
  messages: PageMessages
  /** `lang` of the document. */
  locale: Locale
  /** `14:22`, on another day than `now`'s `Nov 14, 14:22`. */
  shortTime(at: Date, now: Date): string
  /** `14:22 CET` */
  timeInZone(at: Date): string
  /** `14:31:05 CET` */
  exactTime(at: Date): string
  /** `Sat, Nov 14, 14:02 CET`, with the year if it differs from `now`'s. */
  dayAndTime(at: Date, now: Date): string
  /** `Sat, Nov 14, 03:00 – 04:00 CET`, or both days if it ends on another day. */
  span(from: Date, to: Date, now: Date): string
  /** `Sat, Nov 14` for a date such as `2026-11-14`. */
  date(date: string, now: Date): string
  /** `Nov 14` */
  shortDate(date: string): string
  /** `Nov 10 – 11` */
  dates(from: string, to: string): string
  /** `1 h 12 min`, at most two parts. */
  duration(ms: number): string
  /** The same for something ongoing, in whole minutes: seconds would be outdated when read. */
  running(ms: number): string
  /** `9 min ago`, `3 days ago` */
  ago(at: Date, now: Date): string
  /** `today`, `yesterday`, by the days of the page's time zone. */
  daysSince(at: Date, now: Date): string
  /** `99.97%`; 100 only if there was no downtime. */
  percent(ratio: number): string
}

const formats = new BoundedMap<string, Format>(MAX_FORMATS)

export function formatOf(locale: Locale, timezone: string): Format {
  const key = `${locale} ${timezone}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const created = createFormat(locale, timezone)
  formats.set(key, created)
  return created
}

function createFormat(locale: Locale, timezone: string): Format {
  const messages = messagesOf(locale).page
  const text = timeText(locale, timezone)
  // Dates without a time are the same in every zone.
  const calendar = timeText(locale, 'UTC')
  const inDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const inZone = (at: Date) => `${text.clock(at)} ${text.zone(at)}`
  const needsYear = (now: Date, ...all: Date[]) => all.some((at) => !text.isSameYear(at, now))
  const noon = (date: string) => new Date(`${date}T12:00:00Z`)
  return {
    messages,
    locale,
    shortTime: (at, now) =>
      text.isSameDay(at, now) ? text.clock(at) : `${text.shortDate(at)}, ${text.clock(at)}`,
    timeInZone: inZone,
    exactTime: (at) => `${text.exactClock(at)} ${text.zone(at)}`,
    dayAndTime: (at, now) => text.momentInZone(at, { year: needsYear(now, at) }),
    span: (from, to, now) => text.span(from, to, { year: needsYear(now, from, to) }),
    date: (date, now) =>
      date.startsWith(localDate(now, timezone).toString().slice(0, 4))
        ? calendar.day(noon(date))
        : calendar.dayOfYear(noon(date)),
    shortDate: (date) => calendar.shortDate(noon(date)),
    dates: (from, to) => calendar.dates(noon(from), noon(to)),
    duration: (ms) => formatDuration(messages, ms),
    running: (ms) => formatDuration(messages, Math.max(1, Math.floor(ms / MINUTE_MS)) * MINUTE_MS),
    ago: relative(locale),
    daysSince: (at, now) => {
      const days = localDate(now, timezone).since(localDate(at, timezone)).days
      return inDays.format(-days, 'day')
    },
    percent: (ratio) => shareText(locale, ratio),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

function relative(locale: Locale): Format['ago'] {
  // Without a period after `min`, as in the durations.
  const tag = locale === 'en' ? 'en-001' : locale
  const recent = new Intl.RelativeTimeFormat(tag, { style: 'short' })
  const days = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  return (at, now) => {
    const ms = now.getTime() - at.getTime()
    if (ms < HOUR_MS) return recent.format(-Math.max(1, Math.floor(ms / MINUTE_MS)), 'minute')
    if (ms < DAY_MS) return recent.format(-Math.floor(ms / HOUR_MS), 'hour')
    return days.format(-Math.floor(ms / DAY_MS), 'day')
  }
}

// From here on, seconds are not shown.
const LONG_SECONDS = 600

function formatDuration({ units, gap }: PageMessages, ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const parts = durationParts(seconds < LONG_SECONDS ? seconds : seconds - (seconds % 60))
  if (parts.length === 0) return `0${gap}${units.s}`
  return parts.map(([count, unit]) => `${count}${gap}${units[unit]}`).join(gap)
}
