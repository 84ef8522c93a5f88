// Slows down password guessing: limits wrong passwords per address and page, and per page.
import { networkOf } from '../domain/values/network.ts'

const WINDOW_MS = 15 * 60_000
const WRONG_AN_ADDRESS = 10
const WRONG_A_PAGE = 300
const MAX_WINDOWS = 50_000

type Window = { startedMs: number; wrong: number }

export class GuessThrottle {
  readonly #windows = new Map<string, Window>()

  admits(pageId: string, address: string, nowMs: number): boolean {
    return (
      this.#wrong(pageId, nowMs) < WRONG_A_PAGE &&
      this.#wrong(ownKey(pageId, address), nowMs) < WRONG_AN_ADDRESS
    )
  }

  countWrong(pageId: string, address: string, nowMs: number): void {
    for (const key of [pageId, ownKey(pageId, address)]) {
      const window = this.#windows.get(key)
      if (window !== undefined && nowMs - window.startedMs < WINDOW_MS) window.wrong += 1
      else this.#begin(key, nowMs)
    }
  }

  /** The password was right after all. */
  forgive(pageId: string, address: string): void {
    this.#windows.delete(ownKey(pageId, address))
    const window = this.#windows.get(pageId)
    if (window !== undefined) window.wrong -= 1
  }

  /** The password was never verified. */
  takeBack(pageId: string, address: string): void {
    for (const key of [pageId, ownKey(pageId, address)]) {
      const window = this.#windows.get(key)
      if (window !== undefined) window.wrong -= 1
    }
  }

  #wrong(key: string, nowMs: number): number {
    const window = this.#windows.get(key)
    return window !== undefined && nowMs - window.startedMs < WINDOW_MS ? window.wrong : 0
  }

  #begin(key: string, nowMs: number): void {
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= MAX_WINDOWS && oldest !== undefined) this.#windows.delete(oldest)
    this.#windows.delete(key)
    this.#windows.set(key, { startedMs: nowMs, wrong: 1 })
  }
}

const ownKey = (pageId: string, address: string): string => `${pageId} ${networkOf(address)}`
