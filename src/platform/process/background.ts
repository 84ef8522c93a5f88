// Work that goes on after its request was answered. There is a bound on it, and a stop waits for it.
import type { Log } from '../observability/log.ts'

const MAX_RUNNING = 100

export class Background {
  readonly #log: Log
  readonly #running = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** False when there is too much of it already; then it is not begun. */
  begin(name: string, work: () => Promise<void>): boolean {
    if (this.#running.size >= MAX_RUNNING) return false
    const running = work()
      .catch((err: unknown) => this.#log.error({ err, name }, 'work in the background failed'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return true
  }

  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }
}
