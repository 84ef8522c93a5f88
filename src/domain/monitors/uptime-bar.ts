// The last day of a monitor at a glance: one character per hour. Slots are clock hours, so that the bar stays stable
// within an hour.
import { dayBars, type History } from './day-bars.ts'
import type { Interval } from './uptime.ts'

export const UPTIME_BAR_SLOTS = 24

const HOUR_MS = 3_600_000

/** Oldest first. The last hour ends now. */
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
