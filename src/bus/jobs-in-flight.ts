import { randomBytes } from 'node:crypto'

/** 128 random bits: only a probe that was sent the id can know it. */
export function newJobId(): string {
  return randomBytes(16).toString('base64url')
}

/**
 * Details of each job in flight. A result counts only once and only if its id is known here; monitor, slot and epoch
 * are taken from here, never from the result.
 */
export class JobsInFlight<About> {
  readonly #jobs = new Map<string, About>()

  get size(): number {
    return this.#jobs.size
  }

  /** Returns the id of the job to send. */
  add(about: About): string {
    const id = newJobId()
    this.#jobs.set(id, about)
    return id
  }

  find(id: string): About | undefined {
    return this.#jobs.get(id)
  }

  take(id: string): About | undefined {
    const about = this.#jobs.get(id)
    this.#jobs.delete(id)
    return about
  }

  /** Returns the results that match a job in flight, with its details. All others are dropped. */
  match<Result extends { id: string }>(results: readonly Result[]): Matched<Result, About>[] {
    return results.flatMap((result) => {
      if (!this.#jobs.has(result.id)) return []
      // Safe because the id is in the map.
      return [{ result, about: this.take(result.id) as About }]
    })
  }
}

type Matched<Result, About> = { result: Result; about: About }
