// Runs the checks of the shards this process owns: reads what is due, starts each slot at its exact millisecond, and
// passes results to the applier. It keeps no state: a slot stays due in the database until its result is committed.
import type { CheckResponse } from '../../actions/monitors/request-check.ts'
import { deadlineWrite, requestWrite } from '../../actions/results/heartbeat-writes.ts'
import type { Bus } from '../../bus/bus.ts'
import { nextSlotAt, repeatAt } from '../../domain/monitors/schedule.ts'
import type { SchedulerMetrics } from '../../platform/metrics/scheduler-metrics.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Span, Tracer } from '../../platform/observability/tracer.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import { recordProbes } from '../../store/operating/probes.ts'
import { DatabaseClock } from '../database-clock.ts'
import { every, type Loop } from '../every.ts'
import { CheckTally } from '../probing/check-tally.ts'
import { startCheckTrace } from '../probing/check-trace.ts'
import { ReceiptReader, receiptPollMs } from '../probing/ping-receipt.ts'
import type { ProbeConduct } from '../probing/probe-conduct.ts'
import { RegionalChecks } from '../probing/regional-checks.ts'
import type { FinishedCheck } from '../probing/run-check.ts'
import { Applier } from '../recording/applier.ts'
import { countRecorded } from '../recording/count-recorded.ts'
import { MonitorNotes } from '../recording/note-unchecked.ts'
import { askedRegions, type CheckKind, toResultWrite } from '../recording/result-write.ts'
import { DueTimer } from './due-timer.ts'
import { LeaseHolder } from './lease-holder.ts'
import { OnDemand } from './on-demand.ts'
import { type Planned, Planner, type PlannerDeps } from './planner.ts'

type SchedulerDeps = Pick<PlannerDeps, 'signal'> & {
  database: Database
  secrets: OrganizationSecrets
  bus: Bus
  log: Log
  metrics: SchedulerMetrics
  tracer: Tracer | undefined
  name: string
  region: string
  leaseSeconds: number
  conduct: ProbeConduct
  egressDoubtMs: number
}

const PLAN_MS = 250
const READ_MS = 250
const REPORT_MS = 1000
// Checks due within this time start together.
const TICK_MS = 5
const NOTE_PROBES_MS = 2000
const READ_SEEN_MS = 60_000
const READ_DOUBTS_MS = 1000

export class Scheduler {
  readonly #deps: SchedulerDeps
  readonly #clock = new DatabaseClock()
  readonly #planner: Planner
  /** Monitor number to shard, for each scheduled or requested check in flight: at most one per monitor. */
  readonly #running = new Map<number, number>()
  readonly #checks: RegionalChecks
  readonly #receipt: ReceiptReader
  readonly #applier: Applier
  readonly #notes: MonitorNotes
  readonly #leaseHolder: LeaseHolder
  readonly #onDemand: OnDemand
  readonly #loops: Loop[] = []
  readonly #dueTimer: DueTimer
  readonly tally = new CheckTally()

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
    const { database, secrets, bus, log, name, region, leaseSeconds, metrics, signal } = deps
    const clock = this.#clock
    this.#receipt = new ReceiptReader(database)
    this.#checks = new RegionalChecks({ ...deps, clock })
    this.#notes = new MonitorNotes({ database, log, now: () => clock.now() })
    this.#applier = new Applier({
      database,
      secrets,
      log,
      lease: () => this.#leaseHolder.lease,
      onLeaseLost: () => this.#leaseHolder.lose(),
      onApplied: ({ results, ms }) => metrics.applied(results, ms),
      onRecorded: (rows) => countRecorded(rows, { ...deps, regions: this.#checks.regions }),
    })
    this.#onDemand = new OnDemand({
      database,
      secrets,
      bus,
      isRunning: (no) => this.#running.has(no),
      run: (monitor) => this.#runNow(monitor),
      check: (draft) => this.#checks.check(draft),
    })
    const holder = { database, clock, log, name, region, leaseSeconds }
    this.#leaseHolder = new LeaseHolder({
      ...holder,
      busyShards: () => new Set(this.#running.values()),
      onGained: (shards) => {
        this.#checks.egress.gained(shards)
        return this.#onDemand.serve(shards)
      },
      onLost: (shards) => this.#dropShards(shards),
    })
    const planning = { database, secrets, clock, metrics, signal, ownership: this.#leaseHolder }
    this.#planner = new Planner({
      ...planning,
      waiting: () => this.#checks.sender.waiting,
      onPlanned: () => this.#dueTimer.arm(),
    })
    this.#dueTimer = new DueTimer({
      spacingMs: TICK_MS,
      dueInMs: () => this.#dueInMs(),
      fire: () => watched('start checks', () => this.#fire()),
      onError: (err) => log.error({ err }, 'scheduler round failed'),
    })
  }

  async start(): Promise<void> {
    const { log, metrics, region } = this.#deps
    const { probes } = this.#checks
    // First, so that in a new installation its first scheduler's region is the oldest.
    await this.#checks.regions.numberOf(region)
    await this.#checks.start()
    await this.#leaseHolder.start()
    const onError = (err: unknown) => log.error({ err }, 'scheduler round failed')
    const loop = (name: string, waitMs: number, round: () => Promise<void>) =>
      this.#loops.push(every(waitMs, () => watched(name, round), onError))
    loop('read shards', READ_MS, () => probes.whenKnown(() => this.#planner.readShards()))
    loop('plan checks', PLAN_MS, async () => {
      await probes.whenKnown(() => this.#planner.plan())
      // The database's clock may have been set.
      this.#dueTimer.arm()
    })
    loop('note probes', NOTE_PROBES_MS, () => recordProbes(this.#deps.database, probes.live()))
    loop('read seen regions', READ_SEEN_MS, () => this.#checks.readSeen())
    loop('read doubts', READ_DOUBTS_MS, () => this.#checks.egress.readDoubts())
    loop('read samples', READ_DOUBTS_MS, () => this.#checks.egress.readSamples())
    loop('measure lateness', REPORT_MS, async () => this.#planner.reportOldest())
    metrics.watch({
      shards: () => this.#leaseHolder.ownedCount,
      scheduled: () => this.#planner.size,
      inFlight: () => this.#checks.sender.inFlight,
      unaccepted: () => this.#checks.sender.waiting,
      waiting: () => this.#applier.waiting,
    })
    metrics.watchLiveProbes(() => probes.counts())
  }

  isOverdue(): boolean {
    return this.#planner.isOverdue()
  }

  /** How long checks wait to be planned, started or recorded. */
  lateMs(): number {
    return Math.max(this.#planner.lateMs(), this.#applier.waitingMs)
  }

  async stop(): Promise<void> {
    this.#dueTimer.stop()
    for (const loop of this.#loops) await loop.stop()
    await this.#onDemand.stop()
    await Promise.all([this.#applier.drained(), this.#notes.drained()])
    await this.#leaseHolder.stop()
    await this.#checks.stop()
  }

  #dueInMs(): number | undefined {
    const { firstMs } = this.#planner
    return firstMs === undefined ? undefined : firstMs - this.#clock.now().getTime()
  }

  #fire(): void {
    const now = this.#clock.now()
    for (const planned of this.#planner.takeDue(now)) {
      const { no } = planned.monitor
      // A requested check is running: the slot waits for it to end.
      if (this.#running.has(no))
        this.#planner.reschedule(planned, new Date(now.getTime() + TICK_MS))
      else this.#begin(planned, now)
    }
  }

  #begin(planned: Planned, now: Date): void {
    const { no, shard } = planned.monitor
    const latenessMs = Math.max(0, now.getTime() - planned.slot.getTime())
    if (planned.repeats === 0) this.#deps.metrics.lateness(latenessMs)
    this.#running.set(no, shard)
    const trace = startCheckTrace(this.#deps.tracer, planned.monitor, latenessMs)
    const run = this.#run(planned, trace).catch((err: unknown) => {
      this.#planner.settle(planned)
      this.#deps.log.error({ err, monitorNo: no }, 'check failed by our fault')
    })
    void run.finally(() => {
      trace?.end()
      this.#ended(no)
    })
  }

  async #run(planned: Planned, trace: Span | undefined): Promise<void> {
    const { monitor, slot, missed } = planned
    if (monitor.type === 'CRON') return this.#judgeDeadline(planned)
    const finished = await this.#checks.check(monitor, trace)
    this.#notes.checked(monitor, finished)
    // The shard was lost in between: its new owner runs the slot.
    if (!this.#planner.holds(planned)) return
    this.#checks.letOthersTry(monitor, finished)
    if (this.#repeatIfUndecided(planned, finished)) return
    const how = { kind: 'SCHEDULED', slot, trace, ...(missed && { missed }) } as const
    this.#planner.settle(planned, await this.#record(monitor, finished, how))
  }

  /** A deadline waits until the receipt record shows that pings could be received up to it. */
  async #judgeDeadline(planned: Planned): Promise<void> {
    const { monitor, slot, repeats } = planned
    const receipt = await this.#receipt.read()
    if (receipt.until < slot) {
      const fireAt = new Date(this.#clock.now().getTime() + receiptPollMs(repeats))
      return this.#planner.reschedule({ ...planned, repeats: repeats + 1 }, fireAt)
    }
    const write = deadlineWrite(monitor.no, receipt)
    this.#planner.settle(planned, await this.#applier.record(write))
  }

  /** Retries a check that was inconclusive through our own fault, until the next slot takes over. */
  #repeatIfUndecided(planned: Planned, { outcome, endedAt, base }: FinishedCheck): boolean {
    const { monitor, slot, repeats } = planned
    const isDecided = outcome.result !== 'INCONCLUSIVE'
    if (repeats === 0) this.tally.note(isDecided, performance.now())
    if (isDecided) return false
    this.#reportInconclusive(monitor, outcome.reason)
    if (outcome.reason === 'LOOKUP_FAILED') return false
    const nextAt = nextSlotAt(monitor, slot)
    const usualAt = repeatAt(endedAt, repeats, nextAt)
    const inDoubt = () => this.#checks.egress.repeatAt(base, endedAt, usualAt, nextAt)
    const fireAt = outcome.reason === 'EGRESS' ? inDoubt() : usualAt
    if (fireAt === undefined) return false
    this.#planner.repeat(planned, fireAt)
    return true
  }

  #reportInconclusive({ type }: DueMonitor, reason: string): void {
    this.#deps.metrics.inconclusive(type, reason)
    this.#deps.log.warn({ type, reason }, 'check inconclusive')
  }

  async #runNow(monitor: DueMonitor): Promise<CheckResponse> {
    this.#running.set(monitor.no, monitor.shard)
    try {
      return await this.#runRequested(monitor)
    } finally {
      this.#ended(monitor.no)
    }
  }

  async #runRequested(monitor: DueMonitor): Promise<CheckResponse> {
    if (monitor.type === 'CRON') {
      await this.#applier.record(requestWrite(monitor.no, await this.#receipt.read()))
      return { outcome: 'RECORDED' }
    }
    await this.#checks.probes.known
    const slot = this.#clock.now()
    const lease = this.#leaseHolder.lease
    const trace = startCheckTrace(this.#deps.tracer, monitor, 0)
    const finished = await this.#checks.check(monitor, trace).finally(() => trace?.end())
    this.#notes.checked(monitor, finished)
    if (this.#leaseHolder.lease !== lease) return { outcome: 'UNDECIDED' }
    const { outcome } = finished
    if (outcome.result === 'INCONCLUSIVE') this.#reportInconclusive(monitor, outcome.reason)
    if (outcome.result === 'INCONCLUSIVE' && outcome.reason !== 'LOOKUP_FAILED')
      return { outcome: 'UNDECIDED' }
    const recorded = await this.#record(monitor, finished, { kind: 'REQUESTED', slot, trace })
    return { outcome: recorded === undefined ? 'GONE' : 'RECORDED' }
  }

  async #record(
    monitor: DueMonitor,
    finished: FinishedCheck,
    how: CheckKind,
  ): Promise<EngineMonitor | undefined> {
    const numbers = await this.#checks.regions.numbersOf(askedRegions(finished))
    const span = how.trace && this.#deps.tracer?.start('result', { parent: how.trace })
    const write = toResultWrite(monitor, finished, { ...how, numbers })
    const recorded = await this.#applier.record(span ? { ...write, trace: span } : write)
    span?.end({ 'upvane.result': finished.outcome.result, 'upvane.region': finished.region })
    return recorded
  }

  #ended(monitorNo: number): void {
    this.#running.delete(monitorNo)
    this.#onDemand.freed(monitorNo)
  }

  async #dropShards(shards: readonly number[]): Promise<void> {
    this.#planner.forget(shards)
    await this.#onDemand.release(shards)
  }
}
