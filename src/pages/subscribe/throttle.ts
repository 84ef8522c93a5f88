// Slows down clients that enter many addresses. Counted per process: it only has to limit a nuisance.
import { networkOf } from '../../domain/values/network.ts'
import { FixedWindow } from '../../platform/limits/fixed-window.ts'

const WINDOW_MS = 10 * 60_000
const MAX_IN_WINDOW = 30
const MAX_WINDOWS = 50_000

export class SubscribeThrottle {
  readonly #windows = new FixedWindow({
    windowMs: WINDOW_MS,
    maxKeys: MAX_WINDOWS,
    whenFull: 'DROP_OLDEST',
  })

  admits(clientAddress: string, nowMs: number): boolean {
    return this.#windows.add(networkOf(clientAddress), nowMs) <= MAX_IN_WINDOW
  }
}
