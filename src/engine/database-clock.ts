// All durable timestamps use the database's clock. Between readings, this process's monotonic clock, which cannot be
// set, extends the last one.

// How far two monotonic clocks may drift apart per second.
const DRIFT_MS_PER_SECOND = 0.5

export class DatabaseClock {
  #offsetMs = Number.NaN
  #errorMs = Number.POSITIVE_INFINITY
  #setMs = 0

  /**
   * The database reported `readMs` at some unknown moment between `askedMs` and `heardMs`, both measured by
   * performance.now(). So a slow response is less exact than an older fast one and must not replace it.
   */
  set(readMs: number, askedMs: number, heardMs = performance.now()): void {
    const offsetMs = readMs - (askedMs + heardMs) / 2
    const errorMs = (heardMs - askedMs) / 2
    const knownErrorMs = this.#errorMs + ((heardMs - this.#setMs) / 1000) * DRIFT_MS_PER_SECOND
    // The readings differ by more than their errors allow: the database's clock was set.
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

  /** Converts a performance.now() reading to an instant. */
  at(monotonicMs: number): Date {
    return new Date(this.#offsetMs + monotonicMs)
  }
}
