import {
  formatAgo,
  formatClock,
  formatDuration,
  formatFull,
  formatMinutes,
  formatMinutesAgo,
  formatMoment,
  formatSpan,
} from '../time/format.ts'
import { useNow } from '../time/use-now.ts'

const FORMS = {
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
// What shows seconds. The rest is drawn again once a minute.
const TICKING = new Set(['ago', 'until', 'since', 'elapsed'])

type TimeProps = {
  at: string | null | undefined
  as?: keyof typeof FORMS
  none?: string
  /** Replaces the full date and time. */
  title?: string
}

/** An instant in the viewer's time zone, with the full date and time as title. */
export function Time({ at, as = 'moment', none = '–', title }: TimeProps) {
  const now = useNow(TICKING.has(as) ? 1000 : 60_000)
  if (at === null || at === undefined) return <span className="faint">{none}</span>
  return (
    <time dateTime={at} title={title ?? formatFull(at)}>
      {FORMS[as](at, now)}
    </time>
  )
}
