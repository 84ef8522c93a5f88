// For what the janitor forgets: small statements, one after the other, so that nobody waits long behind one of them.
const ROWS = 5_000
const MAX_BATCHES = 200

/** How many rows were forgotten. What is left comes with the next round. */
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
