// Shares a fixed number of slots among many keys, such as organizations. A key runs at most `perKey` at once; its
// other requests wait in order. A free slot goes to the waiting keys in turn, so a long queue delays only its own key.
import { ApiError } from '../api-error.ts'

export type KeyedLimitOptions = {
  total: number
  perKey: number
  /** Further requests of the key are refused. */
  maxWaitingPerKey: number
  maxWaitMs: number
}

export type Release = () => void

type Waiter = { start(): void }
type Key = { running: number; waiters: Set<Waiter> }

export class KeyedConcurrencyLimit {
  readonly #options: KeyedLimitOptions
  /** Only keys that run or wait: memory is bounded by the requests in progress. */
  readonly #keys = new Map<string, Key>()
  /** Keys with waiters, in the order of their turns. */
  readonly #turns = new Map<string, Key>()
  #running = 0

  constructor(options: KeyedLimitOptions) {
    this.#options = options
  }

  get stats() {
    const waiting = [...this.#turns.values()].reduce((sum, { waiters }) => sum + waiters.size, 0)
    return { running: this.#running, waiting, keys: this.#keys.size }
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(name)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Resolves with the function that frees the slot. */
  acquire(name: string): Promise<Release> {
    const key = this.#keys.get(name) ?? { running: 0, waiters: new Set<Waiter>() }
    this.#keys.set(name, key)
    if (this.#canRun(key)) return Promise.resolve(this.#start(name, key))
    if (key.waiters.size >= this.#options.maxWaitingPerKey) {
      this.#forgetIdle(name, key)
      return Promise.reject(tooBusy())
    }
    return new Promise((resolve, reject) => {
      const waiter = {
        start: () => {
          clearTimeout(timer)
          resolve(this.#start(name, key))
        },
      }
      const timer = setTimeout(() => {
        key.waiters.delete(waiter)
        if (key.waiters.size === 0) this.#turns.delete(name)
        this.#forgetIdle(name, key)
        reject(tooBusy())
      }, this.#options.maxWaitMs)
      key.waiters.add(waiter)
      this.#turns.set(name, key)
    })
  }

  #canRun({ running }: Key): boolean {
    return running < this.#options.perKey && this.#running < this.#options.total
  }

  #start(name: string, key: Key): Release {
    key.running += 1
    this.#running += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      key.running -= 1
      this.#running -= 1
      this.#startNext()
      this.#forgetIdle(name, key)
    }
  }

  /** Keys at their own limit are skipped: at most `total / perKey` of them. */
  #startNext(): void {
    for (const [name, key] of this.#turns) {
      if (!this.#canRun(key)) continue
      const [waiter] = key.waiters
      if (waiter === undefined) continue
      key.waiters.delete(waiter)
      // Moves the key to the end of the queue.
      this.#turns.delete(name)
      if (key.waiters.size > 0) this.#turns.set(name, key)
      return waiter.start()
    }
  }

  #forgetIdle(name: string, key: Key): void {
    if (key.running === 0 && key.waiters.size === 0) this.#keys.delete(name)
  }
}

function tooBusy(): ApiError {
  return new ApiError('rate_limited', 'Too many requests are waiting. Retry in a moment.', {
    headers: { 'Retry-After': '1' },
  })
}
