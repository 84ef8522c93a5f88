// Times, durations and numbers in the page's language and time zone.
import { localDate } from '../domain/monitors/day-bars.ts'
import { durationParts } from '../domain/values/duration.ts'
import type { Locale } from '../domain/values/locale.ts'
import { BoundedMap } from '../platform/bounded-map.ts'
import { messagesOf } from './messages/messages.ts'
import type { PageMessages } from './messages/shape.ts'
import { toDateTag, zoneNames } from './time-zone.ts'

const MAX_FORMATS = 500

export type Format = {
  messages: PageMessages
  /** `lang` of the document. */
  locale: Locale
  /** `14:22` */
  time(at: Date): string
  /** `14:22 CET` */
  timeInZone(at: Date): string
  /** `14:31:05 CET` */
  exactTime(at: Date): string
  /** `Sat 14 Nov, 14:02 CET`, with the year if it differs from `now`'s. */
  dayAndTime(at: Date, now: Date): string
  /** `Sat 14 Nov, 03:00 – 04:00 CET`, or both days if it ends on another day. */
  span(from: Date, to: Date, now: Date): string
  /** `Sat 14 Nov` for a date such as `2026-11-14`. */
  date(date: string, now: Date): string
  /** `14 Nov` */
  shortDate(date: string): string
  /** `10 – 11 Nov` */
  dates(from: string, to: string): string
  /** `1 h 12 min`, at most two parts. */
  duration(ms: number): string
  /** The same for something ongoing, in whole minutes: seconds would be outdated when read. */
  running(ms: number): string
  /** `9 min ago`, `3 days ago` */
  ago(at: Date, now: Date): string
  /** `today`, `yesterday`, by the days of the page's time zone. */
  daysSince(at: Date, now: Date): string
  /** `99.97 %`; 100 only if there was no downtime. */
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

function createFormat(locale: Locale, timeZone: string): Format {
  const messages = messagesOf(locale).page
  const tag = toDateTag(locale)
  const local = (options: Intl.DateTimeFormatOptions, zone = timeZone) =>
    new Intl.DateTimeFormat(tag, { hourCycle: 'h23', timeZone: zone, ...options })
  const time = local({ hour: '2-digit', minute: '2-digit' })
  const exact = local({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const day = local({ weekday: 'short', day: 'numeric', month: 'short' })
  const dayOfYear = local({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const date = local({ day: 'numeric', month: 'short' }, 'UTC')
  const year = local({ year: 'numeric' })
  const figure = new Intl.NumberFormat(tag, { style: 'percent', minimumFractionDigits: 2 })
  const whole = new Intl.NumberFormat(tag, { style: 'percent' })
  const inDays = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const zone = zoneNames(tag, timeZone)

  const inZone = (at: Date) => `${time.format(at)} ${zone(at)}`
  const dayOf = (at: Date, now: Date) =>
    (year.format(at) === year.format(now) ? day : dayOfYear).format(at)
  const noon = (text: string) => new Date(`${text}T12:00:00Z`)
  const localNoon = (text: string) =>
    new Date(
      Temporal.PlainDateTime.from(`${text}T12:00`).toZonedDateTime(timeZone).epochMilliseconds,
    )
  return {
    messages,
    locale,
    time: (at) => time.format(at),
    timeInZone: inZone,
    exactTime: (at) => `${exact.format(at)} ${zone(at)}`,
    dayAndTime: (at, now) => `${dayOf(at, now)}, ${inZone(at)}`,
    span: (from, to, now) =>
      day.format(from) === day.format(to)
        ? `${dayOf(from, now)}, ${time.format(from)} – ${inZone(to)}`
        : `${dayOf(from, now)}, ${time.format(from)} – ${dayOf(to, now)}, ${inZone(to)}`,
    date: (text, now) => dayOf(localNoon(text), now),
    shortDate: (text) => date.format(noon(text)),
    dates: (from, to) => date.formatRange(noon(from), noon(to)),
    duration: (ms) => formatDuration(messages, ms),
    running: (ms) => formatDuration(messages, Math.max(1, Math.floor(ms / MINUTE_MS)) * MINUTE_MS),
    ago: relative(tag),
    daysSince: (at, now) => {
      const days = localDate(now, timeZone).since(localDate(at, timeZone)).days
      return inDays.format(-days, 'day')
    },
    percent: (ratio) => spaced(ratio >= 1 ? whole.format(1) : figure.format(cut(ratio)), locale),
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

function relative(tag: string): Format['ago'] {
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

/** Rounds down, never up: 99.996 % is not 100 %. */
const cut = (ratio: number) => Math.min(Math.floor(ratio * 10_000 + 1e-7), 9_999) / 10_000

/** English writes no space before the sign; next to words it reads better with one. */
const spaced = (text: string, locale: Locale) => (locale === 'en' ? text.replace('%', ' %') : text)
