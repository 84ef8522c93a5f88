import { type Interval, type StateSpan, uptime } from '../monitors/uptime.ts'
import { lastDays, type UptimeWindow, windowDays } from '../monitors/uptime-ranges.ts'

/** One per window, in the order of `windows`. Null if nothing was measured. */
export type UptimeRatios = readonly (number | null)[]

export function uptimeRatios(
  { spans, outside }: { spans: readonly StateSpan[]; outside: readonly Interval[] },
  windows: readonly UptimeWindow[],
  now: Date,
): UptimeRatios {
  return windows.map((window) =>
    roundDown(uptime(spans, outside, lastDays(windowDays(window), now)).ratio),
  )
}

const STEPS = 100_000

/** Rounding up would turn a short outage into none. */
function roundDown(ratio: number | null): number | null {
  return ratio === null ? null : Math.floor(ratio * STEPS) / STEPS
}
