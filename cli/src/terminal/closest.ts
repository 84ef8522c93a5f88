const FEWEST = 1
const LETTERS_OF_A_MISTAKE = 3

/** The word that was probably meant: at most one wrong letter in three, and two letters that changed places are one. */
export function closestTo(given: string, words: readonly string[]): string | undefined {
  const most = Math.max(FEWEST, Math.floor(given.length / LETTERS_OF_A_MISTAKE))
  const near = words
    .map((word) => ({ word, distance: distanceOf(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
  return near.toSorted((one, other) => one.distance - other.distance)[0]?.word
}

/** How many letters to insert, remove, replace or swap with the next one. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > one.length) return one.length + other.length
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const cost = one[row - 1] === other[at - 1] ? 0 : 1
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      const swapped = isSwapped ? (beforeLast[at - 2] ?? Infinity) + 1 : Infinity
      next.push(
        Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + cost, swapped),
      )
    }
    beforeLast = last
    last = next
  }
  return last[other.length] ?? 0
}
