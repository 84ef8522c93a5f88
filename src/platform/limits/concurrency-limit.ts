// Lets so many do something heavy at once, and so many wait. The rest is turned away instead of piling up.
import { ApiError } from '../api-error.ts'

export class Gate {
  readonly #places: number
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor({ places, waiting }: { places: number; waiting: number }) {
    this.#places = places
    this.#most = waiting
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #enter(): Promise<void> | void {
    if (this.#inside < this.#places) {
      this.#inside += 1
      return
    }
    if (this.#waiting.length >= this.#most)
      throw new ApiError('rate_limited', 'Too much is going on. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** A place goes straight to whoever waited longest. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inside -= 1
    else next()
  }
}
