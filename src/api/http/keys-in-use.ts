// Idempotency keys of requests that this process is handling or has queued. A second request with such a key is refused
// immediately instead of waiting behind the first. Between processes, the database decides.
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
