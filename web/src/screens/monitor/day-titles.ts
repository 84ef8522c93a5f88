// What hovering over a day shows. Pure.
import { CODES } from '../../../../src/domain/monitors/day-bars.ts'
import type { MonitorType } from '../../../../src/domain/monitors/monitor.ts'
import { monitorText } from '../../messages/monitor.ts'
import { watchesExpiry } from '../../shared/expiry.ts'
import { formatDay, formatDuration } from '../../time/format.ts'
import type { MonitorScreen } from './monitor-screen.ts'

const text = monitorText.days
type Days = MonitorScreen['days']

/** One line per day, oldest first: `Sat, Nov 14: 12 min down`. */
export function dayTitles({ firstDate, codes, bad }: Days, type: MonitorType): string[] {
  const degraded = watchesExpiry(type) ? text.expiring : text.degraded
  const badAt = new Map(bad.map((day) => [day.index, day]))
  const today = dayAt(firstDate, codes.length - 1)
  return [...codes].map((code, index) => {
    const day = formatDay(dayAt(firstDate, index), today, 'UTC')
    return `${day}: ${whatHappened(code, badAt.get(index), degraded)}`
  })
}

/** For each day with an outage, `2026-11-14`; undefined for the others. */
export function outageDays({ firstDate, codes, bad }: Days): (string | undefined)[] {
  const down = new Set(bad.flatMap(({ index, downSeconds }) => (downSeconds > 0 ? index : [])))
  return [...codes].map((_, index) =>
    down.has(index) ? dayAt(firstDate, index).toISOString().slice(0, 10) : undefined,
  )
}

/** A date without a time zone, kept as midnight in UTC. */
function dayAt(firstDate: string, index: number): Date {
  const at = new Date(`${firstDate}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + index)
  return at
}

function whatHappened(
  code: string,
  day: Days['bad'][number] | undefined,
  degradedText: typeof text.degraded,
): string {
  if (code === CODES.NONE) return text.noData
  const down = (day?.downSeconds ?? 0) * 1000
  const degraded = (day?.degradedSeconds ?? 0) * 1000
  const parts = [
    down > 0 && text.down({ duration: formatDuration(down) }),
    degraded > 0 && degradedText({ duration: formatDuration(degraded) }),
    code === CODES.MAINTENANCE && text.maintenance,
  ].filter(Boolean)
  return parts.length === 0 ? text.good : parts.join(', ')
}
