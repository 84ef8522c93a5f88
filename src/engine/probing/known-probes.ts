// The probes that announced themselves to a scheduler, and whether there was time for it.
import type { Bus, ProbeAnnouncement } from '../../bus/bus.ts'
import { LiveProbes } from '../../bus/live-probes.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { findLastSeen } from '../../store/operating/probes.ts'
import type { DatabaseClock } from '../database-clock.ts'
import type { RegionNumbers } from '../region-numbers.ts'
import type { ProbeConduct } from './probe-conduct.ts'

// Probes announce themselves every 2 s: a scheduler that just started must not consider them dead.
const DISCOVERY_MS = 2500

export class KnownProbes {
  readonly #regions: RegionNumbers
  readonly #clock: DatabaseClock
  readonly #startedMs = performance.now()
  #seen: ReadonlyMap<string, Date> = new Map()
  readonly #log: Log
  readonly #probes = new LiveProbes()
  readonly #known = Promise.withResolvers<void>()
  readonly #conduct: ProbeConduct
  #areKnown = false

  constructor(
    regions: RegionNumbers,
    { clock, log, conduct }: { clock: DatabaseClock; log: Log; conduct: ProbeConduct },
  ) {
    this.#regions = regions
    this.#clock = clock
    this.#log = log
    this.#conduct = conduct
    conduct.watch(() => this.live())
  }

  async listen(bus: Bus): Promise<void> {
    setTimeout(() => this.#onKnown(), DISCOVERY_MS).unref()
    await bus.onAnnouncement((one) => void this.#record(one).finally(() => this.#onKnown()))
  }

  /** Resolves with the first announcement, or when there was time for one. */
  get known(): Promise<void> {
    return this.#known.promise
  }

  // Planning before any probe is known would delay every slot due until then, and start them all at once.
  async whenKnown(round: () => Promise<void>): Promise<void> {
    if (this.#areKnown) await round()
  }

  /** When a probe of the region was last seen. A region that nobody has seen may just be about to announce itself. */
  seenAt(region: string): Date {
    const seenMs = this.#probes.seenMs(region)
    if (seenMs !== undefined) return this.#clock.at(seenMs)
    return this.#seen.get(region) ?? this.#clock.at(this.#startedMs)
  }

  /** Reads when regions were seen before this process started. */
  async readSeen(database: Database): Promise<void> {
    this.#seen = await findLastSeen(database)
  }

  live() {
    return this.#probes.live(performance.now())
  }

  counts(): ReadonlyMap<string, number> {
    return this.#probes.counts(performance.now())
  }

  liveRegions(type: string) {
    const nowMs = performance.now()
    return this.#probes.regions(nowMs, type, (probe) => !this.#conduct.isSuspended(probe, nowMs))
  }

  presentRegions(type: string) {
    return this.#regions.oldestFirst(this.#probes.presentRegions(performance.now(), type))
  }

  #onKnown(): void {
    this.#areKnown = true
    this.#known.resolve()
  }

  // A check must not start before the age of its region is known, because it decides which region is home.
  async #record(announcement: ProbeAnnouncement): Promise<void> {
    const onError = (err: unknown) => this.#log.warn({ err }, 'region could not be registered')
    await this.#regions.numberOf(announcement.region).catch(onError)
    this.#probes.record(announcement, performance.now())
  }
}
