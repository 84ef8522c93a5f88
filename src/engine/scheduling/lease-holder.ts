// Renews this scheduler's lease and balances its share of the shards. Losing the lease loses all shards at once: checks
// in flight then belong to their new owners.
import { fairShare } from '../../domain/monitors/shards.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import * as leases from '../../store/core/leases.ts'
import { newUuid } from '../../store/core/new-uuid.ts'
import type { DatabaseClock } from '../database-clock.ts'
import { every, type Loop } from '../every.ts'

type LeaseHolderDeps = {
  database: Database
  clock: DatabaseClock
  log: Log
  name: string
  region: string
  leaseSeconds: number
  /** Shards with a check in flight: they are kept until its result is recorded. */
  busyShards(): ReadonlySet<number>
  onGained(shards: readonly number[]): Promise<void>
  onLost(shards: readonly number[]): Promise<void>
}

// A dead scheduler's shards are claimed in the first round after its lease expires. Rounds this frequent keep that
// within 12 s of its death for a lease of 10 s.
const RENEWALS_PER_LEASE = 6

export class LeaseHolder {
  readonly #deps: LeaseHolderDeps
  #lease: leases.Lease | undefined
  #shards = new Set<number>()
  #releasing = new Set<number>()
  #loop: Loop | undefined

  constructor(deps: LeaseHolderDeps) {
    this.#deps = deps
  }

  get lease(): leases.Lease | undefined {
    return this.#lease
  }

  get schedulerId(): string | undefined {
    return this.#lease?.schedulerId
  }

  owns(shard: number): boolean {
    return this.#shards.has(shard)
  }

  /** Shards whose checks may be started here. */
  get shards(): number[] {
    return [...this.#shards].filter((shard) => !this.#releasing.has(shard))
  }

  get ownedCount(): number {
    return this.#shards.size
  }

  async start(): Promise<void> {
    await this.#round()
    const { leaseSeconds, log } = this.#deps
    const everyMs = (leaseSeconds * 1000) / RENEWALS_PER_LEASE
    this.#loop = every(
      everyMs,
      () => watched('renew lease', () => this.#round()),
      (err) => log.error({ err }, 'lease round failed'),
    )
  }

  /** Called when a write was fenced off: the lease is gone, whatever the clock says. */
  async lose(): Promise<void> {
    const lost = [...this.#shards]
    this.#lease = undefined
    this.#shards.clear()
    this.#releasing.clear()
    if (lost.length > 0) await this.#deps.onLost(lost)
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
    const lease = this.#lease
    await this.lose()
    if (lease !== undefined) await leases.dropScheduler(this.#deps.database, lease.schedulerId)
  }

  async #round(): Promise<void> {
    if (!(await this.#renew())) await this.#register()
    const lease = this.#lease
    if (lease === undefined) return
    const { database } = this.#deps
    await leases.dropExpired(database, lease.schedulerId)
    const schedulers = await leases.countSchedulers(database)
    await this.#balance(lease, fairShare(schedulers))
  }

  async #renew(): Promise<boolean> {
    const { database, clock, leaseSeconds, log } = this.#deps
    if (this.#lease === undefined) return false
    const askedMs = performance.now()
    const nowMs = await leases.renewLease(database, this.#lease, leaseSeconds)
    if (nowMs === undefined) {
      log.warn({ token: this.#lease.token }, 'lease lost')
      await this.lose()
      return false
    }
    clock.set(nowMs, askedMs)
    return true
  }

  async #register(): Promise<void> {
    const { database, name, region, leaseSeconds, log } = this.#deps
    const id = newUuid(new Date())
    this.#lease = await leases.registerScheduler(database, { id, name, region, leaseSeconds })
    log.info({ token: this.#lease.token }, 'lease taken')
    await this.#renew()
  }

  async #balance(lease: leases.Lease, share: number): Promise<void> {
    const { database, busyShards, onGained, onLost, log } = this.#deps
    const surplus = this.#shards.size - share
    this.#releasing = new Set(surplus > 0 ? [...this.#shards].slice(-surplus) : [])
    const busy = busyShards()
    const free = [...this.#releasing].filter((shard) => !busy.has(shard))
    if (free.length > 0) {
      await onLost(free)
      await leases.releaseShards(database, lease.schedulerId, free)
      for (const shard of free) this.#shards.delete(shard)
      log.info({ released: free.length, owned: this.#shards.size }, 'shards released')
    }
    if (surplus >= 0) return
    const gained = await leases.claimShards(database, lease.schedulerId, -surplus)
    if (gained.length === 0) return
    for (const shard of gained) this.#shards.add(shard)
    await onGained(gained)
    log.info({ gained: gained.length, owned: this.#shards.size }, 'shards taken')
  }
}
