// Caches results computed from a text. The bound is on characters, not entries: untrusted texts may be long.

/** The cost of an entry besides its text. */
const ENTRY_CHARACTERS = 100

/** Returns the same result for the same text; evicts the least recently used. */
export function memoize<Result>(
  maxCharacters: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const kept = new Map<string, Result>()
  let characters = 0
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) {
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const result = compute(text)
    kept.set(text, result)
    characters += text.length + ENTRY_CHARACTERS
    for (const oldest of kept.keys()) {
      if (characters <= maxCharacters) break
      kept.delete(oldest)
      characters -= oldest.length + ENTRY_CHARACTERS
    }
    return result
  }
}
