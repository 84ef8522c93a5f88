// Work that continues after its request got a response. It is bounded, and a shutdown waits for it.
import type { Log } from '../observability/log.ts'

const MAX_RUNNING = 100

export class Background {
  readonly #log: Log
  readonly #running = new Set<Promise<void>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** False if too much is running already; then it is not started. */
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
