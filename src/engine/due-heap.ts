// What will be due next, soonest first. A binary heap: adding and taking cost the logarithm of its size.

export class DueHeap<Item extends { fireAt: Date }> {
  readonly #items: Item[] = []

  get size(): number {
    return this.#items.length
  }

  peek(): Item | undefined {
    return this.#items[0]
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

  /** Everything that is due by then. */
  takeDue(now: Date): Item[] {
    const due: Item[] = []
    for (let first = this.peek(); first !== undefined && first.fireAt <= now; first = this.peek())
      due.push(this.#take(first))
    return due
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
    return first !== undefined && second !== undefined && first.fireAt < second.fireAt
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#items[a], this.#items[b]]
    if (first === undefined || second === undefined) return
    this.#items[a] = second
    this.#items[b] = first
  }
}
