// Idempotency keys of requests that this process is working on, or has waiting in a queue. A second request with one
// of them is told so at once instead of waiting behind the first; the database decides between processes.
import { inProgress } from './write.ts'

export class KeysInUse {
  readonly #held = new Set<string>()

  async hold<T>(orgId: string, key: string, work: () => Promise<T>): Promise<T> {
    const name = `${orgId} ${key}`
    if (this.#held.has(name)) throw inProgress()
    this.#held.add(name)
    try {
      return await work()
    } finally {
      this.#held.delete(name)
    }
  }
}
