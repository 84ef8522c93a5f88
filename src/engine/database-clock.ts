// The one clock of everything durable is the database's. Between two readings it is carried on by this
// process's monotonic clock, which nobody can set.

export class DatabaseClock {
  #offsetMs = Number.NaN

  /** `readMs` is what the database said between `askedMs` and now, both by performance.now(). */
  set(readMs: number, askedMs: number): void {
    const heardMs = performance.now()
    this.#offsetMs = readMs - (askedMs + heardMs) / 2
  }

  now(): Date {
    if (Number.isNaN(this.#offsetMs)) throw new Error('The database has not told its time yet')
    return new Date(this.#offsetMs + performance.now())
  }

  /** The instant of a moment measured by performance.now(). */
  at(monotonicMs: number): Date {
    return new Date(this.#offsetMs + monotonicMs)
  }
}
