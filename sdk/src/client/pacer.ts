// Keeps a client inside the rate limit of its key: the headers of each response say what is left.

import { callHook } from './call-hook.ts'
import type { RateLimit } from './options.ts'
import { untilAborted, wait } from './wait.ts'

export type Pacer = {
  /** Resolves when a request may be sent. Each must be followed by one `learn`. */
  admit(signal: AbortSignal | undefined): Promise<void>
  /** Null if the request got no response. */
  learn(rateLimit: RateLimit | null): void
}

// Windows are a minute apart; whole seconds and latency make the end of one window move less than this.
const NEW_WINDOW_MS = 5_000

export function createPacer(onWait?: (waitMs: number) => void): Pacer {
  let queue: Promise<unknown> = Promise.resolve()
  let left = 0
  let endsAt = 0
  // While no window is known, one request asks for all.
  let scout: PromiseWithResolvers<void> | undefined

  async function take(signal: AbortSignal | undefined): Promise<void> {
    await scout?.promise
    signal?.throwIfAborted()
    const waitMs = endsAt - Date.now()
    if (left < 1 && waitMs > 0) {
      callHook(onWait, waitMs)
      await wait(waitMs, signal)
    }
    if (endsAt > Date.now()) left--
    else scout = Promise.withResolvers()
  }

  return {
    admit(signal) {
      const turn = queue.then(() => take(signal))
      queue = turn.catch(() => undefined)
      return untilAborted(turn, signal)
    },
    learn(rateLimit) {
      if (rateLimit !== null) {
        const end = Date.now() + rateLimit.resetSeconds * 1000
        const isNew = Date.now() >= endsAt || end > endsAt + NEW_WINDOW_MS
        left = isNew ? rateLimit.remaining : Math.min(left, rateLimit.remaining)
        endsAt = Math.max(end, endsAt)
      }
      scout?.resolve()
      scout = undefined
    },
  }
}
