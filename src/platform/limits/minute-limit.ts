// Limits the requests of one key per minute, counted in this process. The minute starts with the key's first request.
import { ApiError } from '../api-error.ts'
import { BoundedMap } from '../bounded-map.ts'
import { FixedWindow } from './fixed-window.ts'

const WINDOW_MS = 60_000
// Forgetting all windows is cheaper than keeping one for every key that a client can make up.
const MAX_KEYS = 100_000

export class MinuteLimit {
  readonly #limit: number
  readonly #windows = new FixedWindow({
    windowMs: WINDOW_MS,
    maxKeys: MAX_KEYS,
    whenFull: 'CLEAR',
  })

  /** 0 turns the limit off. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Throws if the key has used up its requests for this minute. */
  count(key: string, nowMs: number): void {
    if (this.#limit === 0) return
    if (this.#windows.add(key, nowMs) <= this.#limit) return
    throw tooManyRequests(this.#windows.endsMs(key, nowMs) - nowMs)
  }
}

/** Remembers until when a key is refused, so that it can be refused again without any work. */
export class Refusals {
  readonly #untilMs = new BoundedMap<string, number>(MAX_KEYS, 'CLEAR')

  /** Throws while an earlier refusal lasts. */
  repeat(key: string, nowMs: number): void {
    const untilMs = this.#untilMs.get(key)
    if (untilMs === undefined) return
    if (untilMs > nowMs) throw tooManyRequests(untilMs - nowMs)
    this.#untilMs.delete(key)
  }

  /** Runs `work`. If that is refused, the key is refused for the time in its Retry-After. */
  remember(key: string, nowMs: number, work: () => void): void {
    try {
      work()
    } catch (error) {
      const seconds = error instanceof ApiError ? Number(error.headers['Retry-After'] ?? 0) : 0
      this.#untilMs.set(key, nowMs + seconds * 1000)
      throw error
    }
  }
}

function tooManyRequests(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError('rate_limited', `Too many requests. Retry in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
