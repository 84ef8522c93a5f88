// The one clock of everything durable is the database's. Between two readings it is carried on by this
// process's monotonic clock, which nobody can set.

// What two monotonic clocks may drift apart in a second.
const DRIFT_MS_PER_SECOND = 0.5

export class DatabaseClock {
  #offsetMs = Number.NaN
  #errorMs = Number.POSITIVE_INFINITY
  #setMs = 0

  /**
   * `readMs` is what the database said between `askedMs` and `heardMs`, both by performance.now(). Nobody
   * knows when in between: a slow answer says less than an older quick one, and must not replace it.
   */
  set(readMs: number, askedMs: number, heardMs = performance.now()): void {
    const offsetMs = readMs - (askedMs + heardMs) / 2
    const errorMs = (heardMs - askedMs) / 2
    const knownErrorMs = this.#errorMs + ((heardMs - this.#setMs) / 1000) * DRIFT_MS_PER_SECOND
    // Further apart than both can be wrong: somebody has set the database's clock.
    const wasSet = Math.abs(offsetMs - this.#offsetMs) > errorMs + knownErrorMs
    if (errorMs > knownErrorMs && !wasSet) return
    this.#offsetMs = offsetMs
    this.#errorMs = errorMs
    this.#setMs = heardMs
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
