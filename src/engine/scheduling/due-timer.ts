// Wakes up when the next check is due, at its millisecond, instead of looking every few milliseconds. Checks that are
// due shortly after each other start together, because they then share a packet to the probe.

type DueTimerOptions = {
  /** The shortest time from one call of `fire` to the next. */
  spacingMs: number
  /** Milliseconds until the first check is due; not above 0 if it is due, undefined if there is none. */
  dueInMs(): number | undefined
  /** Starts everything that is due. */
  fire(): void
  onError(error: unknown): void
}

// If the clock is set back, what is due may be further away than a timer can wait.
const LONGEST_WAIT_MS = 60_000

export class DueTimer {
  readonly #options: DueTimerOptions
  #timer: NodeJS.Timeout | undefined
  /** When the timer wakes, and when it last did, by performance.now(). */
  #wakesMs = Number.POSITIVE_INFINITY
  #firedMs = Number.NEGATIVE_INFINITY
  #isStopped = false

  constructor(options: DueTimerOptions) {
    this.#options = options
  }

  /** Call it when something may be due earlier than before. */
  arm(): void {
    const inMs = this.#isStopped ? undefined : this.#options.dueInMs()
    if (inMs === undefined) return
    const nowMs = performance.now()
    const wakesMs = Math.max(nowMs + inMs, this.#firedMs + this.#options.spacingMs)
    // It is armed again when it wakes.
    if (wakesMs >= this.#wakesMs) return
    clearTimeout(this.#timer)
    this.#wakesMs = wakesMs
    // Rounded up, because a timer of a fraction of a millisecond does not exist.
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(1, Math.ceil(wakesMs - nowMs)))
    this.#timer = setTimeout(() => this.#wake(), waitMs)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #wake(): void {
    this.#wakesMs = Number.POSITIVE_INFINITY
    // Timers may be up to a millisecond early. Then it waits for the rest, not for the spacing.
    if ((this.#options.dueInMs() ?? 1) <= 0) this.#fire()
    this.arm()
  }

  #fire(): void {
    this.#firedMs = performance.now()
    try {
      this.#options.fire()
    } catch (error) {
      this.#options.onError(error)
    }
  }
}
