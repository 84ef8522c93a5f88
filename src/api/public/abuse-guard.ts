// Slows down clients that keep sending requests without a key. It never affects a request that has one.
import { networkOf } from '../../domain/values/network.ts'
import { rateHeaders } from '../../domain/values/rate-window.ts'
import { ApiError } from '../../platform/api-error.ts'
import { FixedWindow } from '../../platform/limits/fixed-window.ts'

const WINDOW_MS = 60_000
// Forgetting all addresses is cheaper than remembering every address of an attacker.
const MAX_ADDRESSES = 100_000

export class AbuseGuard {
  readonly #limit: number
  readonly #keyQuota: number
  readonly #windows = new FixedWindow({
    windowMs: WINDOW_MS,
    maxKeys: MAX_ADDRESSES,
    whenFull: 'CLEAR',
  })

  /** At most `limitPerMinute` refusals per network; 0 turns the guard off. `keyQuota` is shown as the limit. */
  constructor(limitPerMinute: number, keyQuota: number) {
    this.#limit = limitPerMinute
    this.#keyQuota = keyQuota
  }

  /** Counts one refused request; throws if its address has had too many. */
  count(address: string, nowMs: number): void {
    if (this.#limit === 0) return
    const network = networkOf(address)
    if (this.#windows.add(network, nowMs) <= this.#limit) return
    const waitMs = this.#windows.endsMs(network, nowMs) - nowMs
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    throw new ApiError('rate_limited', 'Too many requests without a valid API key.', {
      headers: {
        'Retry-After': String(seconds),
        ...rateHeaders({ quota: this.#keyQuota, used: this.#keyQuota, resetSeconds: seconds }),
      },
    })
  }
}
