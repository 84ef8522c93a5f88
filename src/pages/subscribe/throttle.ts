// Slows down clients that enter many addresses. Counted per process: it only has to limit a nuisance.
import { networkOf } from '../../domain/values/network.ts'

const WINDOW_MS = 10 * 60_000
const MAX_IN_WINDOW = 30
const MAX_WINDOWS = 50_000

export class SubscribeThrottle {
  readonly #windows = new Map<string, { startedMs: number; count: number }>()

  admits(clientAddress: string, nowMs: number): boolean {
    const key = networkOf(clientAddress)
    const window = this.#windows.get(key)
    if (window !== undefined && nowMs - window.startedMs < WINDOW_MS) {
      window.count += 1
      return window.count <= MAX_IN_WINDOW
    }
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= MAX_WINDOWS && oldest !== undefined) this.#windows.delete(oldest)
    this.#windows.delete(key)
    this.#windows.set(key, { startedMs: nowMs, count: 1 })
    return true
  }
}
