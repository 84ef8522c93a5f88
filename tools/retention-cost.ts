// What results cost on disk: the days that are rows, and the days that are packed.
const RESULTS_A_DAY = 1440
// Today, yesterday, and the day that is packed at the moment or whose rows are not dropped yet.
const DAYS_AS_ROWS = 3

export const RETENTION_DAYS = [30, 90, 365] as const
export const RETENTION_MONITORS = [1_000, 100_000, 1_000_000] as const

type ResultBytes = { row: number; packed: number }

/** In bytes, for monitors that are checked every 60 seconds. */
export function retentionCost(
  monitors: number,
  days: number,
  { row, packed }: ResultBytes,
): number {
  const asRows = Math.min(days + 1, DAYS_AS_ROWS)
  const asPacks = Math.max(days + 1 - DAYS_AS_ROWS, 0)
  return monitors * RESULTS_A_DAY * (asRows * row + asPacks * packed)
}
