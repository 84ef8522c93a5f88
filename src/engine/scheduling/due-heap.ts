// A binary heap of what is due next, soonest first. Adding and taking take logarithmic time.

/** `fireMs`: Unix time in milliseconds. */
export class DueHeap<Item extends { fireMs: number }> {
  #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  /** When the first item is due; undefined if there is none. */
  get firstMs(): number | undefined {
    return this.#items[0]?.fireMs
  }

  add(item: Item): void {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  /** Removes and returns everything due by `nowMs`. */
  takeDue(nowMs: number): Item[] {
    const due: Item[] = []
    for (;;) {
      const [first] = this.#items
      if (first === undefined || first.fireMs > nowMs) return due
      due.push(this.#take(first))
    }
  }

  takeFirst(): Item | undefined {
    const [first] = this.#items
    return first && this.#take(first)
  }

  /** Drops all other items. Works because a sorted list is a heap. */
  keep(isKept: (item: Item) => boolean): void {
    this.#items = this.#items.filter(isKept).toSorted((a, b) => a.fireMs - b.fireMs)
  }

  #take(first: Item): Item {
    const last = this.#items.pop()
    if (last !== undefined && last !== first) {
      this.#items[0] = last
      this.#sink()
    }
    return first
  }

  #sink(): void {
    let at = 0
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (left < this.size && this.#isBefore(left, least)) least = left
      if (right < this.size && this.#isBefore(right, least)) least = right
      if (least === at) return
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [first, second] = [this.#items[a], this.#items[b]]
    return first !== undefined && second !== undefined && first.fireMs < second.fireMs
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#items[a], this.#items[b]]
    if (first === undefined || second === undefined) return
    this.#items[a] = second
    this.#items[b] = first
  }
}
