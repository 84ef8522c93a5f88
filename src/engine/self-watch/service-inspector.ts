// Reads what the rules about the whole service need from the database. Cheap queries run every round, the others in
// rotation.
import { sendModeOf, starvedMsOf } from '../../domain/events/delivery-share.ts'
import {
  type ObservedProcess,
  type SelfWatchLimits,
  type ServiceObservation,
  shardsOfRound,
} from '../../domain/operating/self-watch.ts'
import type { SelfWatchMetrics } from '../../platform/metrics/self-watch-metrics.ts'
import { countUnchecked } from '../../store/alerts/monitor-notices.ts'
import type { Database } from '../../store/core/db.ts'
import { FIRST_ENDPOINT } from '../../store/deliveries/receiver-queues.ts'
import { measureDatabase } from '../../store/history/retention.ts'
import { readBackupStatus } from '../../store/operating/backup-status.ts'
import * as store from '../../store/operating/self-watch.ts'

const SIZE_EVERY_MS = 30_000
const MAX_REGIONS = 100

type Size = Pick<
  ServiceObservation,
  'databaseBytes' | 'partitionDaysAhead' | 'unchecked' | 'backup'
>

type ServiceInspectorDeps = {
  database: Database
  limits: SelfWatchLimits
  metrics: SelfWatchMetrics
}

export class ServiceInspector {
  readonly #deps: ServiceInspectorDeps
  readonly #late = new Set<number>()
  #rounds = 0
  #after = FIRST_ENDPOINT
  #deliveryLateSeconds = 0
  #size: Size | undefined
  #sizeAtMs = 0

  constructor(deps: ServiceInspectorDeps) {
    this.#deps = deps
  }

  async read(processes: readonly ObservedProcess[]): Promise<ServiceObservation> {
    const { database, metrics } = this.#deps
    const { monitors, ...overview } = await database.transaction(
      undefined,
      store.readSystemOverview,
    )
    await this.#findLate(monitors)
    await this.#findDue()
    const size = await this.#readSize()
    metrics.lateShards(this.#late.size)
    const lateShards = this.#late.size
    return {
      processes,
      ...overview,
      ...size,
      lateShards,
      deliveryLateSeconds: this.#deliveryLateSeconds,
    }
  }

  /** Another process inspects from now on. */
  forget(): void {
    this.#late.clear()
    this.#size = undefined
  }

  async #findLate(monitors: number): Promise<void> {
    const { database, limits } = this.#deps
    const shards = shardsOfRound(monitors, this.#rounds++)
    const late = await database.transaction(undefined, (tx) =>
      store.findLateShards(tx, shards, limits.lateSeconds),
    )
    for (const shard of shards) this.#late.delete(shard)
    for (const shard of late) this.#late.add(shard)
  }

  /** Finds due deliveries whose receivers could take them now and have nothing in flight. */
  async #findDue(): Promise<void> {
    const {
      queues: receivers,
      next,
      now,
    } = await store.findDueReceivers(this.#deps.database, this.#after)
    const waiting = receivers.filter((receiver) => sendModeOf(receiver, now) === 'ALL')
    const lateMs = starvedMsOf(waiting, [], now)
    const isFirst = this.#after === FIRST_ENDPOINT
    this.#deliveryLateSeconds = Math.max(isFirst ? 0 : this.#deliveryLateSeconds, lateMs / 1000)
    this.#after = next ?? FIRST_ENDPOINT
  }

  async #readSize(): Promise<Size> {
    if (this.#size !== undefined && performance.now() < this.#sizeAtMs) return this.#size
    const { database } = this.#deps
    const { sizeBytes, daysAhead } = await database.transaction(undefined, measureDatabase)
    const unchecked = await countUnchecked(database, MAX_REGIONS)
    const backup = await database.transaction(undefined, readBackupStatus)
    this.#size = { databaseBytes: sizeBytes, partitionDaysAhead: daysAhead, unchecked, backup }
    this.#sizeAtMs = performance.now() + SIZE_EVERY_MS
    return this.#size
  }
}
