// A job that pings in a tight loop still gets its responses, but only its first pings per minute are recorded, plus a
// few more that change the state.

const PINGS_PER_MINUTE = 30
const CHANGES_PER_MINUTE = 10
const MINUTE_MS = 60_000
const MAX_TOKENS = 200_000

type Window = { startedMs: number; calls: number; changes: number }

export class TokenThrottle {
  readonly #windows = new Map<string, Window>()

  admits(token: string, nowMs: number): boolean {
    const window = this.#windows.get(token)
    if (window !== undefined && nowMs - window.startedMs < MINUTE_MS) {
      window.calls += 1
      return window.calls <= PINGS_PER_MINUTE
    }
    if (this.#windows.size >= MAX_TOKENS) this.#windows.clear()
    this.#windows.set(token, { startedMs: nowMs, calls: 1, changes: 0 })
    return true
  }

  /** Whether a ping beyond the limit may change the state; counts it. */
  mayChange(token: string): boolean {
    const window = this.#windows.get(token)
    if (window === undefined) return true
    if (window.changes >= CHANGES_PER_MINUTE) return false
    window.changes += 1
    return true
  }

  /** When the token's minute ends. */
  endsMs(token: string, nowMs: number): number {
    return (this.#windows.get(token)?.startedMs ?? nowMs) + MINUTE_MS
  }

  /** A token that does not exist has no quota to use up: each ping gets its 404. */
  forget(token: string): void {
    this.#windows.delete(token)
  }
}
