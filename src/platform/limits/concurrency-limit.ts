// Limits how many run something heavy at once, and how many wait. The rest are refused instead of piling up.
import { ApiError } from '../api-error.ts'

export class ConcurrencyLimit {
  readonly #slots: number
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor({ slots, waiting }: { slots: number; waiting: number }) {
    this.#slots = slots
    this.#most = waiting
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire()
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  #acquire(): Promise<void> | void {
    if (this.#running < this.#slots) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#most)
      throw new ApiError('rate_limited', 'Too much is going on. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** A free slot goes straight to the longest waiter. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
