// Wakes the loops of this process when it has committed work for them, so that they need not poll while nothing happens.
// Only a process that alone has the database may rely on it: what others commit is found by polling.

/** DELIVERIES: some became due. ALERTS: conditions. NOTICES: of status pages. SLOTS: moved by something else than a check. */
export type Work = 'DELIVERIES' | 'ALERTS' | 'NOTICES' | 'SLOTS'

export class WorkSignal {
  readonly #listeners = new Map<Work, Set<() => void>>()
  #isAlone = false

  /** No other process writes work of which this one would not know. */
  get isAlone(): boolean {
    return this.#isAlone
  }

  /** If there are others from now on, everything may be waiting. */
  setAlone(isAlone: boolean): void {
    const wasAlone = this.#isAlone
    this.#isAlone = isAlone
    if (wasAlone && !isAlone) this.announce(this.#listeners.keys())
  }

  /** Call it after the commit. */
  announce(works: Iterable<Work>): void {
    for (const work of works) for (const wake of this.#listeners.get(work) ?? []) wake()
  }

  /** Returns a function that ends it. */
  listen(work: Work, wake: () => void): () => void {
    const listeners = this.#listeners.get(work) ?? new Set()
    this.#listeners.set(work, listeners.add(wake))
    return () => void listeners.delete(wake)
  }
}
