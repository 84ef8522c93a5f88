// Finds which hosts are active custom domains. Anyone can send any Host, so concurrent lookups share one query, one
// query runs at a time, and both the cache and the queue are bounded.
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Log } from '../../platform/observability/log.ts'

/** Returns the active ones of these names. */
type FindActive = (names: readonly string[]) => Promise<readonly string[]>
type CachedDomain = { isActive: boolean; checkedMs: number }
type Lookup = PromiseWithResolvers<boolean> & { before: boolean }

const FRESH_MS = 1_000
const WAIT_MS = 1_000
const MAX_REMEMBERED = 10_000
const MAX_WAITING = 2_000
const MAX_BATCH = 500
const MAX_NAME_LENGTH = 253
const NAME = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/

export class ActiveDomains {
  readonly #find: FindActive
  readonly #log: Log
  readonly #nowMs: () => number
  /** Separate from inactive names, so that made-up names evict no domain. */
  readonly #active = new BoundedMap<string, CachedDomain>(MAX_REMEMBERED)
  readonly #others = new BoundedMap<string, CachedDomain>(MAX_REMEMBERED)
  readonly #waiting = new Map<string, Lookup>()
  readonly #running = new Map<string, Lookup>()

  constructor(find: FindActive, log: Log, nowMs = () => performance.now()) {
    this.#find = find
    this.#log = log
    this.#nowMs = nowMs
  }

  /** Falls back to the last known result if there is none in time; an unknown name is not active. Never rejects. */
  async isActive(host: string): Promise<boolean> {
    if (host.length > MAX_NAME_LENGTH || !NAME.test(host)) return false
    const known = this.#active.get(host) ?? this.#others.get(host)
    const isFresh = known !== undefined && this.#nowMs() - known.checkedMs < FRESH_MS
    const before = known?.isActive ?? false
    if (isFresh || this.#waiting.size >= MAX_WAITING) return before
    return within(WAIT_MS, this.#lookUp(host, before), before)
  }

  #lookUp(host: string, before: boolean): Promise<boolean> {
    const started = this.#running.get(host) ?? this.#waiting.get(host)
    if (started !== undefined) return started.promise
    const lookup = { ...Promise.withResolvers<boolean>(), before }
    this.#waiting.set(host, lookup)
    void this.#run()
    return lookup.promise
  }

  async #run(): Promise<void> {
    while (this.#running.size === 0 && this.#waiting.size > 0) {
      for (const [host, lookup] of this.#waiting.entries().take(MAX_BATCH)) {
        this.#waiting.delete(host)
        this.#running.set(host, lookup)
      }
      await this.#runBatch()
    }
  }

  async #runBatch(): Promise<void> {
    const batch = [...this.#running]
    const active = await this.#readActive(batch.map(([host]) => host))
    this.#running.clear()
    for (const [host, { resolve, before }] of batch) {
      const isActive = active?.has(host) ?? before
      this.#remember(host, isActive)
      resolve(isActive)
    }
  }

  /** Undefined if the query failed. */
  async #readActive(names: readonly string[]): Promise<Set<string> | undefined> {
    try {
      return new Set(await this.#find(names))
    } catch (err) {
      this.#log.warn({ err }, 'custom domains could not be read')
      return undefined
    }
  }

  #remember(host: string, isActive: boolean): void {
    const [own, other] = isActive ? [this.#active, this.#others] : [this.#others, this.#active]
    other.delete(host)
    own.set(host, { isActive, checkedMs: this.#nowMs() })
  }
}

async function within<T>(ms: number, work: Promise<T>, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>()
  const timeout = setTimeout(() => late.resolve(otherwise), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timeout)
  }
}
