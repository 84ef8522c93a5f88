// The last days of the history: on which days something was down, and for how long.
import { plural } from '../../time/figures.ts'
import { formatDuration } from '../../time/format.ts'

type IncidentSpan = { startedAt: string; resolvedAt: string | null }
export type IncidentDay = { from: Date; incidents: number; ongoing: boolean; downMs: number }

/** Midnights in the viewer's time zone, oldest first, ending with today's. */
export function lastDays(now: number, count: number): Date[] {
  const today = new Date(now)
  const at = (back: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - back)
  return Array.from({ length: count }, (_, index) => at(count - 1 - index))
}

export function daysOf(
  days: readonly Date[],
  outages: readonly IncidentSpan[],
  now: number,
): IncidentDay[] {
  return days.map((from, index) => {
    const to = days[index + 1]?.getTime() ?? now
    const own = outages
      .map(({ startedAt, resolvedAt }) => ({
        start: Date.parse(startedAt),
        end: resolvedAt === null ? now : Date.parse(resolvedAt),
        ongoing: resolvedAt === null,
      }))
      .filter(({ start, end }) => start < to && end >= from.getTime())
    const downMs = own.reduce(
      (sum, { start, end }) => sum + Math.min(end, to) - Math.max(start, from.getTime()),
      0,
    )
    return { from, incidents: own.length, ongoing: own.some((one) => one.ongoing), downMs }
  })
}

/** `2 incidents, 34 min`, counting only downtime within the day. */
export function daySummary({ incidents, ongoing, downMs }: IncidentDay): string {
  return `${plural(incidents, 'incident')}, ${ongoing ? 'ongoing' : formatDuration(downMs)}`
}
