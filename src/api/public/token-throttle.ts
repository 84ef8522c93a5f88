// A job that pings in a tight loop still gets its responses, but only its first pings per minute are recorded, plus a
// few more that change the state.
import { FixedWindow } from '../../platform/limits/fixed-window.ts'

const PINGS_PER_MINUTE = 30
const CHANGES_PER_MINUTE = 10
const MAX_TOKENS = 200_000
const WINDOWS = { windowMs: 60_000, maxKeys: MAX_TOKENS, whenFull: 'CLEAR' } as const

export class TokenThrottle {
  readonly #pings = new FixedWindow(WINDOWS)
  /** Each in the window of the token's pings. */
  readonly #changes = new FixedWindow(WINDOWS)

  admits(token: string, nowMs: number): boolean {
    return this.#pings.add(token, nowMs) <= PINGS_PER_MINUTE
  }

  /** Whether a ping beyond the limit may change the state; counts it. */
  mayChange(token: string): boolean {
    const startedMs = this.#pings.startedMs(token)
    return startedMs === undefined || this.#changes.add(token, startedMs) <= CHANGES_PER_MINUTE
  }

  /** When the token's minute ends. */
  endsMs(token: string, nowMs: number): number {
    return this.#pings.endsMs(token, nowMs)
  }

  /** A token that does not exist has no quota to use up: each ping gets its 404. */
  forget(token: string): void {
    this.#pings.forget(token)
    this.#changes.forget(token)
  }
}
