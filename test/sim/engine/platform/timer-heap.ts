// Timers by time, and in the order they were set among those of the same millisecond.
type Entry = { atMs: number; order: number; timer: object }

export class TimerHeap {
  readonly #entries: Entry[] = []
  #order = 0

  get firstMs(): number | undefined {
    return this.#entries[0]?.atMs
  }

  add(timer: object, atMs: number): void {
    const entries = this.#entries
    const entry = { atMs, order: this.#order++, timer }
    let at = entries.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = entries[parent] as Entry
      if (isBefore(above, entry)) break
      entries[at] = above
      at = parent
    }
    entries[at] = entry
  }

  take(): object | undefined {
    const entries = this.#entries
    const [first] = entries
    const last = entries.pop()
    if (first === undefined || last === undefined || entries.length === 0) return first?.timer
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= entries.length) break
      const right = entries[child + 1]
      if (right !== undefined && isBefore(right, entries[child] as Entry)) child += 1
      const below = entries[child] as Entry
      if (isBefore(last, below)) break
      entries[at] = below
      at = child
    }
    entries[at] = last
    return first.timer
  }
}

const isBefore = (a: Entry, b: Entry) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
