// Fills the timetable with the slots of owned shards, and compares it with the database from time to time, in case a
// change was missed.
import type { Database } from '../../store/core/db.ts'
import {
  type DueCheck,
  readDueChecks,
  readShard,
  readShardChecks,
  readShardGroup,
} from '../../store/monitors/due.ts'
import type { Timetable } from './timetable.ts'

export type Ownership = {
  readonly schedulerId: string | undefined
  owns(shard: number): boolean
  /** Owned shards whose checks may be started. */
  readonly shards: readonly number[]
}

type ShardReaderDeps = {
  database: Database
  ownership: Ownership
  timetable: Timetable
  nowMs(): number
}

const SHARD_PAGE = 2000
// All shards are compared with the database over this many rounds; over more of them if they are so large that a round
// would read more slots than this.
const COMPARE_ROUNDS = 240
const MAX_COMPARED = 1000
// With few monitors, shards are compared by the group: as often, with fewer statements.
const GROUP_ROUNDS = 16
const MAX_GROUPED = 2000

type Page = { count: number; lastNo: number | undefined }

export class ShardReader {
  readonly #deps: ShardReaderDeps
  readonly #loaded = new Set<number>()
  /** How often something known was given up. A shard that is being read meanwhile must be read again. */
  #losses = 0
  /** The shard that is compared next, by its position among the owned ones, and the last monitor compared in it. */
  #compared = 0
  #comparedNo = 0
  #round = 0
  /** Monitors whose slots were noted while a page is being read. Undefined while none is. */
  #notedMeanwhile: Set<number> | undefined

  constructor(deps: ShardReaderDeps) {
    this.#deps = deps
  }

  /** Reads newly owned shards, and compares some slots of the others. */
  async read(): Promise<void> {
    const { shards } = this.#deps.ownership
    for (const shard of shards) if (!this.#loaded.has(shard)) await this.#readShard(shard)
    if (this.#deps.timetable.size > MAX_GROUPED) return this.#compare(shards)
    this.#round = (this.#round + 1) % GROUP_ROUNDS
    if (this.#round === 0) await this.#compareGroup(shards)
  }

  /** The slot of this monitor is known from elsewhere: a page that is being read may be older. */
  noted(monitorNo: number): void {
    this.#notedMeanwhile?.add(monitorNo)
  }

  forget(shards: readonly number[]): void {
    this.#losses += 1
    for (const shard of shards) this.#loaded.delete(shard)
  }

  forgetAll(): void {
    this.#losses += 1
    this.#loaded.clear()
  }

  async #readShard(shard: number): Promise<void> {
    const losses = this.#losses
    for (let afterNo: number | undefined = 0; afterNo !== undefined; )
      afterNo = await this.#loadPage(shard, afterNo)
    // If it was lost while reading, its new owner reads it too, even if that is this process again.
    if (this.#deps.ownership.owns(shard) && losses === this.#losses) this.#loaded.add(shard)
  }

  async #compareGroup(shards: readonly number[]): Promise<void> {
    const count = Math.min(shards.length, GROUP_ROUNDS * Math.ceil(shards.length / COMPARE_ROUNDS))
    const group = Array.from({ length: count }, (_, i) => {
      return shards[(this.#compared + i) % shards.length] ?? 0
    })
    if (group.length === 0) return
    const { database, timetable } = this.#deps
    await this.#note(group, async () => {
      const slots = await readShardGroup(database, group, MAX_GROUPED)
      const changed = slots.filter((due) => !timetable.knows(due))
      return readDueChecks(
        database,
        changed.map(({ monitorNo }) => monitorNo),
      )
    })
    this.#compared = (this.#compared + count) % shards.length
    this.#comparedNo = 0
  }

  /** Continues in rotation where the last round ended. */
  async #compare(shards: readonly number[]): Promise<void> {
    let left = MAX_COMPARED
    for (let more = Math.ceil(shards.length / COMPARE_ROUNDS); more > 0 && left > 0; ) {
      const shard = shards[this.#compared % shards.length]
      if (shard === undefined) return
      const { count, lastNo } = await this.#comparePage(shard, this.#comparedNo, left)
      left -= count
      this.#comparedNo = lastNo ?? 0
      if (lastNo !== undefined) continue
      this.#compared = (this.#compared + 1) % shards.length
      more -= 1
    }
  }

  /** Returns the last monitor that was read; undefined if the shard has no more, or is no longer owned. */
  async #loadPage(shard: number, afterNo: number): Promise<number | undefined> {
    const limit = SHARD_PAGE
    const page = await this.#note([shard], () =>
      readShardChecks(this.#deps.database, shard, { afterNo, limit }),
    )
    return page?.at(-1)?.monitorNo
  }

  /** Notes what differs from what is known. `lastNo` as above. */
  async #comparePage(shard: number, afterNo: number, limit: number): Promise<Page> {
    const { database, timetable } = this.#deps
    const page: Pick<DueCheck, 'monitorNo'>[] = []
    const read = await this.#note([shard], async () => {
      const slots = await readShard(database, shard, { afterNo, limit })
      page.push(...slots)
      const changed = slots.filter((due) => !timetable.knows(due))
      return readDueChecks(
        database,
        changed.map(({ monitorNo }) => monitorNo),
      )
    })
    const isLast = read === undefined || page.length < limit
    return { count: page.length, lastNo: isLast ? undefined : page.at(-1)?.monitorNo }
  }

  /** Reads slots and notes them, except those noted since the read began. Undefined if no shard is owned any more. */
  async #note(
    shards: readonly number[],
    read: () => Promise<DueCheck[]>,
  ): Promise<DueCheck[] | undefined> {
    const { ownership, timetable, nowMs } = this.#deps
    const noted = new Set<number>()
    this.#notedMeanwhile = noted
    try {
      const found = await read()
      const owned = new Set(shards.filter((shard) => ownership.owns(shard)))
      if (owned.size === 0) return undefined
      for (const due of found)
        if (owned.has(due.shard) && !noted.has(due.monitorNo)) timetable.note(due, nowMs())
      return found
    } finally {
      this.#notedMeanwhile = undefined
    }
  }
}
