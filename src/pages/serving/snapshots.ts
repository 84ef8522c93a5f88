// Snapshots of requested pages. Requests keep them fresh: one query per second and page, shared by all visitors. If the
// database does not respond, the last snapshot is served.
import { localDate } from '../../domain/monitors/day-bars.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import type { Tenant, Tenants } from '../../store/core/tenants.ts'
import {
  findMark,
  findPublicPage,
  isPageMoving,
  type PageAddress,
  type PageMark,
} from '../../store/status-pages/snapshots.ts'
import { buildPage } from '../snapshot/build-page.ts'
import type { BuildOptions } from '../snapshot/build-snapshot.ts'
import { Documents } from './documents.ts'

export type SnapshotsDeps = {
  database: Database
  tenants: Tenants
  log: Log
  options: BuildOptions
}

type PageLookup = { kind: 'PAGE'; page: CachedPage } | { kind: 'NONE' } | { kind: 'AWAY' }

const FRESH_MS = 1_000
// Uptime and "29 min so far" become outdated even if nothing changes.
const REBUILD_MS = 60_000
const RESPONSE_TIMEOUT_MS = 250
const FIRST_RESPONSE_TIMEOUT_MS = 3_000
const MAX_PAGES = 2_000
const MAX_BYTES = 128 * 1024 * 1024
const MAX_ADDRESSES = 10_000
const EVICT_INTERVAL_MS = 1_000

type Ids = { orgId: string; pageId: string }

export class Snapshots {
  readonly #deps: SnapshotsDeps
  readonly #addresses = new BoundedMap<string, Ids>(MAX_ADDRESSES)
  /** Addresses without a page, and when each was looked up. Separate, so that made-up ones evict no page. */
  readonly #absent = new BoundedMap<string, number>(MAX_ADDRESSES)
  readonly #pages = new Map<string, CachedPage>()
  readonly #lookups = new Map<string, Promise<PageLookup>>()
  readonly #health: Health = { isAway: false }
  #evictedMs = 0

  constructor(deps: SnapshotsDeps) {
    this.#deps = deps
  }

  /** The page as it is now, or the last known version if the database is unavailable. */
  async find(address: PageAddress): Promise<PageLookup> {
    const key = 'slug' in address ? `s ${address.slug}` : `d ${address.domain}`
    const ids = this.#addresses.get(key)
    const page = ids && this.#pages.get(ids.pageId)
    if (page !== undefined) {
      await page.refresh()
      if (page.isAt(address)) return this.#use(page)
      this.#addresses.delete(key)
    } else if (performance.now() - (this.#absent.get(key) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) {
      return { kind: 'NONE' }
    }
    return this.#lookUpOnce(key, address)
  }

  #lookUpOnce(key: string, address: PageAddress): Promise<PageLookup> {
    const running = this.#lookups.get(key)
    if (running !== undefined) return running
    const lookup = this.#lookUp(key, address)
      .catch((err: unknown): PageLookup => {
        this.#deps.log.warn({ err }, 'page could not be read')
        return { kind: 'AWAY' }
      })
      .finally(() => this.#lookups.delete(key))
    this.#lookups.set(key, lookup)
    return lookup
  }

  async #lookUp(key: string, address: PageAddress): Promise<PageLookup> {
    const { database } = this.#deps
    const ids = await within(FIRST_RESPONSE_TIMEOUT_MS, findPublicPage(database, address))
    if (ids === undefined) {
      // Its visitors are asked to come back.
      if (await within(FIRST_RESPONSE_TIMEOUT_MS, isPageMoving(database, address)))
        return { kind: 'AWAY' }
      this.#absent.set(key, performance.now())
      return { kind: 'NONE' }
    }
    this.#addresses.set(key, ids)
    const page = this.#pages.get(ids.pageId) ?? new CachedPage(this.#deps, ids, this.#health)
    await within(FIRST_RESPONSE_TIMEOUT_MS, page.refresh())
    return page.isAt(address) ? this.#use(page) : { kind: 'NONE' }
  }

  /** Moves the page to the end; eviction starts at the front, with the least recently used. */
  #use(page: CachedPage): PageLookup {
    const { pageId } = page.ids
    this.#pages.delete(pageId)
    this.#pages.set(pageId, page)
    // Pages grow as their parts are rendered, so eviction also runs over time, not only for new pages.
    if (performance.now() - this.#evictedMs > EVICT_INTERVAL_MS) this.#evict()
    return { kind: 'PAGE', page }
  }

  #evict(): void {
    this.#evictedMs = performance.now()
    let bytes = this.#pages.values().reduce((sum, page) => sum + page.bytes, 0)
    for (const [pageId, page] of this.#pages) {
      if (this.#pages.size <= MAX_PAGES && bytes <= MAX_BYTES) return
      bytes -= page.bytes
      this.#pages.delete(pageId)
    }
  }
}

type Health = { isAway: boolean }

export class CachedPage {
  readonly ids: Ids
  readonly #deps: SnapshotsDeps
  readonly #tenant: Tenant
  readonly #health: Health
  #documents: Documents | undefined
  #mark: PageMark | undefined
  #checkedMs = Number.NEGATIVE_INFINITY
  #builtMs = Number.NEGATIVE_INFINITY
  #checking: Promise<void> | undefined
  #working: Promise<void> | undefined
  #isRebuilding = false

  constructor(deps: SnapshotsDeps, ids: Ids, health: Health) {
    this.#deps = deps
    this.ids = ids
    this.#tenant = deps.tenants.of(ids.orgId)
    this.#health = health
  }

  get tenant(): Tenant {
    return this.#tenant
  }

  get documents(): Documents {
    if (this.#documents === undefined) throw new Error('A page was used before it was read')
    return this.#documents
  }

  get passwordHash(): string | null {
    return this.#mark?.passwordHash ?? null
  }

  get publicId(): string {
    return toPublicId('sp', this.ids.pageId)
  }

  get bytes(): number {
    return this.#documents?.bytes ?? 0
  }

  /** What is new may be missing. */
  get isOutdated(): boolean {
    return this.#health.isAway
  }

  isAt(address: PageAddress): boolean {
    if (this.#mark === undefined) return false
    return 'slug' in address
      ? this.#mark.slug === address.slug
      : this.#mark.domain === address.domain
  }

  /** Returns when the snapshot is fresh, or when it clearly will not be soon. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#checkedMs < FRESH_MS) return
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    if (this.#documents === undefined) return this.#checking
    if (!this.#health.isAway) await this.#checking
  }

  /** Never takes longer than a visitor would wait; slower work continues in the background and is not started twice. */
  async #check(): Promise<void> {
    this.#working ??= this.#reload(performance.now()).finally(() => {
      this.#working = undefined
    })
    if (this.#documents === undefined) return this.#working
    const settled = this.#working.then(
      () => true,
      (err: unknown) => {
        this.#deps.log.warn({ err }, 'page could not be read')
        return false
      },
    )
    const inTime = await Promise.race([settled, afterMs(RESPONSE_TIMEOUT_MS)])
    if (inTime === true) return
    this.#health.isAway = true
    // Retried in a second, not by every visitor.
    this.#checkedMs = performance.now()
  }

  async #reload(startedMs: number): Promise<void> {
    const mark = await findMark(this.#tenant, this.ids.pageId)
    this.#health.isAway = false
    const before = this.#mark
    if (mark === undefined) this.#mark = undefined
    else if (mark.mark !== before?.mark || this.#isFromYesterday()) await this.#build(mark)
    else if (performance.now() - this.#builtMs > REBUILD_MS) this.#rebuildInBackground(mark)
    this.#checkedMs = startedMs
  }

  async #build(mark: PageMark): Promise<void> {
    const startedMs = performance.now()
    const { options } = this.#deps
    const snapshot = await buildPage(this.#tenant, this.ids.pageId, options)
    this.#mark = snapshot && mark
    if (snapshot !== undefined) this.#documents = new Documents(snapshot)
    this.#builtMs = startedMs
  }

  #rebuildInBackground(mark: PageMark): void {
    if (this.#isRebuilding) return
    this.#isRebuilding = true
    this.#build(mark)
      .catch((err: unknown) => this.#deps.log.warn({ err }, 'page could not be read'))
      .finally(() => {
        this.#isRebuilding = false
      })
  }

  /** The bars end with today in the page's own time zone. */
  #isFromYesterday(): boolean {
    if (this.#documents === undefined) return true
    const { days, page } = this.#documents.snapshot
    return localDate(new Date(), page.timezone).toString() !== days.at(-1)?.date
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new Error(`Timed out after ${ms} ms`)), ms)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}

function afterMs(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref())
}
