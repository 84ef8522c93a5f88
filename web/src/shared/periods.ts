// The periods that a list can be filtered by, as `?period=` in the URL.
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export const PERIODS = [
  { value: '', label: 'All time' },
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
]

/** It begins on a full hour, so that the same address asks for the same entries for a while. */
export function spanOfPeriod(period: string, now: number): { from?: string } {
  const days = PERIODS.some(({ value }) => value === period) ? Number(period) : 0
  if (days === 0) return {}
  return { from: new Date(Math.floor((now - days * DAY_MS) / HOUR_MS) * HOUR_MS).toISOString() }
}
