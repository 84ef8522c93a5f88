import { randomBytes } from 'node:crypto'

/** 128 random bits: it cannot be guessed by who was not sent it. */
export function newJobId(): string {
  return randomBytes(16).toString('base64url')
}

/**
 * What each job in flight is about. A result counts only if its id is here, and once; monitor, slot and
 * epoch are read here and never from the result.
 */
export class JobsInFlight<About> {
  readonly #jobs = new Map<string, About>()

  get size(): number {
    return this.#jobs.size
  }

  /** The id of the job to send. */
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

  /** The results that answer a job in flight, each with what it is about. All others are dropped. */
  match<Result extends { id: string }>(results: readonly Result[]): Matched<Result, About>[] {
    return results.flatMap((result) => {
      if (!this.#jobs.has(result.id)) return []
      // Safe because the id is in the map.
      return [{ result, about: this.take(result.id) as About }]
    })
  }
}

type Matched<Result, About> = { result: Result; about: About }
