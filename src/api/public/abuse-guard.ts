// Slows down clients that keep sending requests without a key. It never affects a request that has one.
import { networkOf } from '../../domain/values/network.ts'
import { rateHeaders } from '../../domain/values/rate-window.ts'
import { ApiError } from '../../platform/api-error.ts'

const WINDOW_MS = 60_000
const MAX_ADDRESSES = 100_000

type Window = { startedAtMs: number; count: number }

export class AbuseGuard {
  readonly #limit: number
  readonly #keyQuota: number
  readonly #windows = new Map<string, Window>()

  /** At most `limitPerMinute` refusals per network; 0 turns the guard off. `keyQuota` is shown as the limit. */
  constructor(limitPerMinute: number, keyQuota: number) {
    this.#limit = limitPerMinute
    this.#keyQuota = keyQuota
  }

  /** Counts one refused request; throws if its address has had too many. */
  count(address: string, nowMs: number): void {
    if (this.#limit === 0) return
    const window = this.#windowOf(networkOf(address), nowMs)
    window.count += 1
    if (window.count <= this.#limit) return
    const seconds = Math.max(1, Math.ceil((window.startedAtMs + WINDOW_MS - nowMs) / 1000))
    throw new ApiError('rate_limited', 'Too many requests without a valid API key.', {
      headers: {
        'Retry-After': String(seconds),
        ...rateHeaders({ quota: this.#keyQuota, used: this.#keyQuota, resetSeconds: seconds }),
      },
    })
  }

  #windowOf(network: string, nowMs: number): Window {
    const known = this.#windows.get(network)
    if (known !== undefined && nowMs - known.startedAtMs < WINDOW_MS) return known
    // Forgetting all addresses is cheaper than remembering every address of an attacker.
    if (this.#windows.size >= MAX_ADDRESSES) this.#windows.clear()
    const fresh = { startedAtMs: nowMs, count: 0 }
    this.#windows.set(network, fresh)
    return fresh
  }
}
