// A map that never holds more than `max` entries, however many keys its callers come up with.

/** Clearing is for large maps whose keys anyone can make up: it costs less than finding the oldest entry every time. */
export type WhenFull = 'DROP_OLDEST' | 'CLEAR'

export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #max: number
  readonly #whenFull: WhenFull

  constructor(max: number, whenFull: WhenFull = 'DROP_OLDEST') {
    this.#max = max
    this.#whenFull = whenFull
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** The entry becomes the newest, even if its key is known. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    if (this.#entries.size >= this.#max) this.#makeRoom()
    this.#entries.set(key, value)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  values(): MapIterator<Value> {
    return this.#entries.values()
  }

  #makeRoom(): void {
    if (this.#whenFull === 'CLEAR') return this.#entries.clear()
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
