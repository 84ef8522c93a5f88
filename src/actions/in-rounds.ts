/**
 * Returns the first item of each key, then the second of those that have one, and so on. A statement that writes many
 * rows at once can write only one row per target.
 */
export function inRounds<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): Item[][] {
  const seen = new Map<unknown, number>()
  const rounds: Item[][] = []
  for (const item of items) {
    const key = keyOf(item)
    const round = seen.get(key) ?? 0
    seen.set(key, round + 1)
    const open = rounds[round]
    if (open === undefined) rounds[round] = [item]
    else open.push(item)
  }
  return rounds
}
