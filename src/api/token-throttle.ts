// A job that calls in a tight loop is answered as ever, but only its first calls of a minute are recorded.

const CALLS_PER_MINUTE = 30
const MINUTE_MS = 60_000
const MAX_TOKENS = 200_000

export class TokenThrottle {
  readonly #windows = new Map<string, { startedMs: number; calls: number }>()

  admits(token: string, nowMs: number): boolean {
    const window = this.#windows.get(token)
    if (window !== undefined && nowMs - window.startedMs < MINUTE_MS) {
      window.calls += 1
      return window.calls <= CALLS_PER_MINUTE
    }
    if (this.#windows.size >= MAX_TOKENS) this.#windows.clear()
    this.#windows.set(token, { startedMs: nowMs, calls: 1 })
    return true
  }

  /** An address that does not exist has no minute to use up: it is answered as what it is. */
  forget(token: string): void {
    this.#windows.delete(token)
  }
}
