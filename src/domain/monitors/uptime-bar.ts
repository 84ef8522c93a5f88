// The last day of a monitor at a glance: one character an hour. The slots are clock hours, so that nothing moves
// while the hour lasts.
import { dayBars, type History } from './day-bars.ts'
import type { Interval } from './uptime.ts'

export const UPTIME_BAR_SLOTS = 24

const HOUR_MS = 3_600_000

/** Oldest first; the last hour ends now. */
export function uptimeBarSlots(now: Date): Interval[] {
  const lastMs = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  return Array.from({ length: UPTIME_BAR_SLOTS }, (_, index) => {
    const fromMs = lastMs - (UPTIME_BAR_SLOTS - 1 - index) * HOUR_MS
    const isLast = index === UPTIME_BAR_SLOTS - 1
    return { from: new Date(fromMs), to: isLast ? now : new Date(fromMs + HOUR_MS) }
  })
}

export function toUptimeBar(slots: readonly Interval[], history: History): string {
  const days = slots.map((slot) => ({ ...slot, date: '' }))
  return dayBars(days, history, []).codes
}
