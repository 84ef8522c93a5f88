// A job that pings in a tight loop still gets its responses, but only its first pings per minute are recorded, plus a
// few more that change the state. The tokens of a monitor count together, once each of them has been looked up.
import { BoundedMap } from '../../platform/bounded-map.ts'
import { FixedWindow } from '../../platform/limits/fixed-window.ts'

const PINGS_PER_MINUTE = 30
const CHANGES_PER_MINUTE = 10
const MAX_TOKENS = 200_000
const WINDOWS = { windowMs: 60_000, maxKeys: MAX_TOKENS, whenFull: 'CLEAR' } as const

export class TokenThrottle {
  readonly #pings = new FixedWindow(WINDOWS)
  /** Each in the window of the pings. */
  readonly #changes = new FixedWindow(WINDOWS)
  readonly #keys = new BoundedMap<string, string>(MAX_TOKENS, 'CLEAR')

  /** What is counted: the monitor, or the token as long as its monitor is not known. No token has such a name. */
  keyOf = (token: string): string => this.#keys.get(token) ?? token

  /** What its pings have used up by then counts for the monitor too. */
  learn(token: string, monitorNo: number, nowMs: number): void {
    const key = `#${monitorNo}`
    if (this.#keys.get(token) === key) return
    this.#keys.set(token, key)
    for (const counts of [this.#pings, this.#changes]) counts.merge(token, key, nowMs)
  }

  admits(token: string, nowMs: number): boolean {
    return this.#pings.add(this.keyOf(token), nowMs) <= PINGS_PER_MINUTE
  }

  /** Whether a ping beyond the limit may change the state; counts it. */
  mayChange(token: string): boolean {
    const key = this.keyOf(token)
    const startedMs = this.#pings.startedMs(key)
    return startedMs === undefined || this.#changes.add(key, startedMs) <= CHANGES_PER_MINUTE
  }

  /** When the minute ends. */
  endsMs(token: string, nowMs: number): number {
    return this.#pings.endsMs(this.keyOf(token), nowMs)
  }

  /** A token that does not exist has no quota to use up: each ping gets its 404. */
  forget(token: string): void {
    this.#keys.delete(token)
    this.#pings.forget(token)
    this.#changes.forget(token)
  }
}
