// Finds environment variables that look like a misspelled name of ours. Most variables in the environment are
// unrelated, so only near misses count.

type Misspelling = { name: string; meant: string }

// Short names such as HOST and PORT are close to too many others.
const MIN_LENGTH = 7
const MAX_DISTANCE = 2

export function findMisspellings(
  names: readonly string[],
  known: ReadonlySet<string>,
): Misspelling[] {
  return names.flatMap((name) => {
    const base = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : name
    if (known.has(name) || known.has(base)) return []
    const meant = closest(base, known)
    return meant === undefined ? [] : { name, meant: base === name ? meant : `${meant}_FILE` }
  })
}

function closest(name: string, known: ReadonlySet<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    if (candidate.length < MIN_LENGTH || name[0] !== candidate[0]) continue
    if (Math.abs(name.length - candidate.length) > MAX_DISTANCE) continue
    const distance = editDistance(name, candidate)
    if (distance <= MAX_DISTANCE && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { candidate, distance }
  }
  return best?.candidate
}

/** Insertions, deletions, substitutions and swaps of adjacent characters. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      let least = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
      )
      const isSwap =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) least = Math.min(least, at(before, column - 2) + 1)
      current.push(least)
    }
    before = above
    above = current
  }
  return at(above, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
