// Slows down password guessing: limits wrong passwords per address and page, and per page.
import { networkOf } from '../domain/values/network.ts'
import { FixedWindow } from '../platform/limits/fixed-window.ts'

const WINDOW_MS = 15 * 60_000
const WRONG_AN_ADDRESS = 10
const WRONG_A_PAGE = 300
const MAX_WINDOWS = 50_000

export class GuessThrottle {
  readonly #wrong = new FixedWindow({
    windowMs: WINDOW_MS,
    maxKeys: MAX_WINDOWS,
    whenFull: 'DROP_OLDEST',
  })

  admits(pageId: string, address: string, nowMs: number): boolean {
    return (
      this.#wrong.countOf(pageId, nowMs) < WRONG_A_PAGE &&
      this.#wrong.countOf(ownKey(pageId, address), nowMs) < WRONG_AN_ADDRESS
    )
  }

  countWrong(pageId: string, address: string, nowMs: number): void {
    for (const key of [pageId, ownKey(pageId, address)]) this.#wrong.add(key, nowMs)
  }

  /** The password was right after all. */
  forgive(pageId: string, address: string): void {
    this.#wrong.forget(ownKey(pageId, address))
    this.#wrong.takeBack(pageId)
  }

  /** The password was never verified. */
  takeBack(pageId: string, address: string): void {
    for (const key of [pageId, ownKey(pageId, address)]) this.#wrong.takeBack(key)
  }
}

const ownKey = (pageId: string, address: string): string => `${pageId} ${networkOf(address)}`
