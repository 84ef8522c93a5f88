// How many rows the next batch of a long task has. It starts small, because a slow disk must not make a statement run into
// its timeout, and grows while batches are quick.

export const FIRST_BATCH_ROWS = 5_000
const LEAST_ROWS = 1_000
const MOST_ROWS = 100_000
const QUICK_MS = 300
const SLOW_MS = 1_000

/** `tookMs`: how long a batch of `rows` took. */
export function nextBatchRows(rows: number, tookMs: number): number {
  if (tookMs > SLOW_MS) return Math.max(LEAST_ROWS, Math.floor(rows / 2))
  return tookMs < QUICK_MS ? Math.min(MOST_ROWS, rows * 2) : rows
}
