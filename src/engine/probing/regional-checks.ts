// Runs checks in the regions that may decide about their targets, and lets other regions earn that.
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { SpanContext } from '../../platform/observability/trace-context.ts'
import type { Database } from '../../store/core/db.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import type { DatabaseClock } from '../database-clock.ts'
import { RegionNumbers } from '../region-numbers.ts'
import { EgressWatch } from './egress-watch.ts'
import { JobSender } from './job-sender.ts'
import { KnownProbes } from './known-probes.ts'
import type { ProbeConduct } from './probe-conduct.ts'
import { RegionTries } from './region-tries.ts'
import { type CheckedMonitor, type FinishedCheck, runCheck } from './run-check.ts'
import { runEach } from './run-each.ts'

type RegionalDeps = {
  database: Database
  bus: Bus
  clock: DatabaseClock
  log: Log
  conduct: ProbeConduct
  /** How long silence of everything counts as our own fault. */
  egressDoubtMs: number
}

export class RegionalChecks {
  readonly #deps: RegionalDeps
  readonly regions: RegionNumbers
  readonly probes: KnownProbes
  readonly sender: JobSender
  readonly egress: EgressWatch
  readonly #tries: RegionTries

  constructor(deps: RegionalDeps) {
    this.#deps = deps
    const { database, bus, clock, log, conduct, egressDoubtMs: limitMs } = deps
    this.regions = new RegionNumbers(database)
    this.probes = new KnownProbes(this.regions, { clock, log, conduct })
    const onSweepError = (err: unknown) => log.error({ err }, 'sweep failed')
    this.sender = new JobSender(bus, clock, onSweepError, conduct)
    const liveRegions = (type: string) => this.probes.liveRegions(type)
    const { sender, regions } = this
    const now = () => clock.now()
    const liveNow = () => [...this.probes.counts().keys()]
    this.egress = new EgressWatch({ database, log, now, limitMs, regions: liveNow })
    this.#tries = new RegionTries({ database, sender, regions, log, now, liveRegions })
  }

  async start(): Promise<void> {
    await this.readSeen()
    await this.egress.readDoubts()
    await this.probes.listen(this.#deps.bus)
  }

  readSeen(): Promise<void> {
    return this.probes.readSeen(this.#deps.database)
  }

  check(monitor: CheckedMonitor, trace?: SpanContext): Promise<FinishedCheck> {
    const { sender, probes, egress } = this
    const deps = {
      sender,
      liveRegions: (type: string) => probes.liveRegions(type),
      presentRegions: (type: string) => probes.presentRegions(type),
      seenAt: (region: string) => probes.seenAt(region),
      egress,
    }
    const now = () => this.#deps.clock.now()
    const isEach = monitor.eachRegion !== null && monitor.onlyRegion === undefined
    // A registry says the same everywhere.
    if (isEach && monitor.type !== 'DOMAIN') return runEach(deps, monitor, now, trace)
    return runCheck(deps, monitor, now, trace)
  }

  async stop(): Promise<void> {
    await this.#tries.stop()
    await this.sender.stop()
  }

  /** After a regular check: other regions may try the target. */
  letOthersTry(monitor: DueMonitor, check: FinishedCheck): void {
    // Those that were chosen are asked with every check.
    if (check.regions === undefined) this.#tries.after(monitor, check)
  }
}
