// The numbers of regions in the database. They increase over time, so a lower number means an older region.
import type { Database } from '../store/core/db.ts'
import { regionNo } from '../store/history/results.ts'

export class RegionNumbers {
  readonly #database: Database
  readonly #numbers = new Map<string, number>()
  readonly #pending = new Map<string, Promise<number>>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Registers the region if it is new. */
  async numberOf(name: string): Promise<number> {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    const pending = this.#pending.get(name) ?? this.#register(name)
    this.#pending.set(name, pending)
    return pending.finally(() => this.#pending.delete(name))
  }

  /** Registers those that are new. */
  async numbersOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const numbers = new Map<string, number>()
    for (const name of names) numbers.set(name, await this.numberOf(name))
    return numbers
  }

  /** Returns the number itself if the name is unknown here. */
  nameOf(no: number): string {
    for (const [name, known] of this.#numbers) if (known === no) return name
    return String(no)
  }

  /** Regions without a known number come last. */
  oldestFirst(names: readonly string[]): string[] {
    const ageOf = (name: string) => this.#numbers.get(name) ?? Number.MAX_SAFE_INTEGER
    return names.toSorted((a, b) => ageOf(a) - ageOf(b))
  }

  async #register(name: string): Promise<number> {
    const no = await regionNo(this.#database, name)
    this.#numbers.set(name, no)
    return no
  }
}
