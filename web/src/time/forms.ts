// The ways in which screens write an instant.
import {
  formatAgo,
  formatClock,
  formatDuration,
  formatMinutes,
  formatMinutesAgo,
  formatMoment,
  formatSpan,
} from './format.ts'

export const TIME_FORMS = {
  /** `14:27` today, otherwise `Sat, Nov 14, 14:27`. */
  moment: formatMoment,
  /** `14:27:10`. */
  seconds: (at: string) => formatClock(at, undefined, true),
  /** `14:27:10`, on another day `Sat, Nov 14, 14:27:10`. */
  stamp: (at: string, now: number) => {
    const moment = formatMoment(at, now)
    return moment.slice(0, -5) + formatClock(at, undefined, true)
  },
  /** `3 s ago`; a time slightly in the future (server clock ahead of ours) counts as now. */
  ago: (at: string, now: number) => formatAgo(at, Math.max(now, Date.parse(at))),
  /** `in 57 s`; a past time is shown as now. */
  until: (at: string, now: number) => (Date.parse(at) > now ? formatAgo(at, now) : 'now'),
  /** `4 min`: time since. */
  since: (at: string, now: number) => formatSpan(now - Date.parse(at)),
  /** `4 min 12 s`: exact time since. */
  elapsed: (at: string, now: number) => formatDuration(now - Date.parse(at)),
  /** `just now`, `3 min ago`: changes once a minute at most. */
  minutesAgo: formatMinutesAgo,
  /** `4 min`: time since, in minute steps. */
  minutes: (at: string, now: number) => formatMinutes(now - Date.parse(at)),
}
