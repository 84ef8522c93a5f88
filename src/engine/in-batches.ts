// Deletes in small statements, one after another, so that none blocks others for long.
const ROWS = 5_000
const MAX_BATCHES = 200

/** Returns how many rows were deleted. The next round handles the rest. */
export async function inBatches(
  { stopping }: { stopping(): boolean },
  forget: (most: number) => Promise<number>,
): Promise<number> {
  let forgotten = 0
  for (let batch = 0; batch < MAX_BATCHES && !stopping(); batch++) {
    const count = await forget(ROWS)
    forgotten += count
    if (count < ROWS) break
  }
  return forgotten
}
