// Times and durations of alerts, in American English.
import { durationParts } from '../values/duration.ts'
import { timeText } from '../values/time-text.ts'

export const ALERT_LOCALE = 'en'

/** `Sat, Nov 14, 14:27 CET` */
export const formatAt = (at: Date, timezone: string): string =>
  timeText(ALERT_LOCALE, timezone).momentInZone(at)

/** `Tue, Nov 24, 2026` */
export const formatDay = (at: Date): string => timeText(ALERT_LOCALE, 'UTC').dayOfYear(at)

/** `14:27` */
export const formatTime = (at: Date, timezone: string): string =>
  timeText(ALERT_LOCALE, timezone).clock(at)

/** `Sat, Nov 14, 14:27:10 – 14:34:50 CET`, with a second date if the end is on another day. */
export const formatStretch = (from: Date, to: Date, timezone: string): string =>
  timeText(ALERT_LOCALE, timezone).span(from, to, { seconds: true })

const SECOND_MS = 1_000

/** `7 min 40 s` */
export function formatLasted(from: Date, to: Date): string {
  const seconds = Math.max(1, Math.round((to.getTime() - from.getTime()) / SECOND_MS))
  return durationParts(seconds)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
