// The time ranges uptime is reported for.
import { type Interval, measuredFrom, type StateSpan, uptime } from './uptime.ts'

export const UPTIME_RANGES = [
  { name: 'last24h', days: 1 },
  { name: 'last7d', days: 7 },
  { name: 'last30d', days: 30 },
  { name: 'last90d', days: 90 },
  { name: 'last365d', days: 365 },
] as const
type UptimeRange = (typeof UPTIME_RANGES)[number]['name']

/** The same ranges, as the extension API calls them. */
export const UPTIME_WINDOWS = ['24h', '7d', '30d', '90d', '365d'] as const
export type UptimeWindow = (typeof UPTIME_WINDOWS)[number]

const WINDOW_DAYS: Record<UptimeWindow, number> = {
  '24h': 1,
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '365d': 365,
}

export const windowDays = (window: UptimeWindow): number => WINDOW_DAYS[window]

type UptimeFigure = {
  ratio: number | null
  downSeconds: number
  measuredSeconds: number
  /** When measuring began within the range. */
  measuredFrom: Date | null
}

const DAY_MS = 86_400_000

export function lastDays(days: number, now: Date): Interval {
  return { from: new Date(now.getTime() - days * DAY_MS), to: now }
}

export function uptimeFigures(
  spans: readonly StateSpan[],
  outside: readonly Interval[],
  now: Date,
): Record<UptimeRange, UptimeFigure> {
  const figures = UPTIME_RANGES.map(({ name, days }) => {
    const within = lastDays(days, now)
    const { ratio, upMs, downMs } = uptime(spans, outside, within)
    const figure: UptimeFigure = {
      ratio,
      downSeconds: Math.round(downMs / 1000),
      measuredSeconds: Math.round((upMs + downMs) / 1000),
      measuredFrom: measuredFrom(spans, within),
    }
    return [name, figure] as const
  })
  // Safe because the names are exactly those of UPTIME_RANGES.
  return Object.fromEntries(figures) as Record<UptimeRange, UptimeFigure>
}
