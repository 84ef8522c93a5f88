// Leaves room for a number behind it: keys have at most 64 characters.
const MAX_LENGTH = 56
const MARKS = /\p{M}+/gu
const OTHER = /[^a-z0-9]+/g
const EDGES = /^-|-$/g

/** A name as a key of the file: `Café & Bar` becomes `cafe-bar`. Empty if nothing is left. */
export function toKey(name: string): string {
  return name
    .slice(0, 4 * MAX_LENGTH)
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(OTHER, '-')
    .replace(EDGES, '')
    .slice(0, MAX_LENGTH)
    .replace(EDGES, '')
}

/** Gives each name a key of its own. */
export class KeyRing {
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  take(name: string, fallback: string): string {
    const base = toKey(name) || fallback
    let key = base
    for (let n = this.#next.get(base) ?? 2; this.#taken.has(key); n += 1) {
      key = `${base}-${n}`
      this.#next.set(base, n + 1)
    }
    this.#taken.add(key)
    return key
  }
}
