// Runs the checks of the shards this process owns: reads what falls due, fires each slot at its
// millisecond, and hands what was found to the applier. It keeps no truth: a slot stays due in the
// database until its result is committed.
import { deadlineRecording, requestRecording } from '../actions/heartbeat-recordings.ts'
import type { CheckAnswer } from '../actions/request-check.ts'
import type { Bus } from '../bus/bus.ts'
import { LiveProbes } from '../bus/live-probes.ts'
import { catchUp, catchUpAt, nextSlotAt, repeatAt } from '../domain/schedule.ts'
import type { Log } from '../platform/log.ts'
import type { SchedulerMetrics } from '../platform/scheduler-metrics.ts'
import type { Database } from '../store/db.ts'
import {
  type Due,
  findDue,
  loadSubjects,
  type Skip,
  type Subject,
  skipSlots,
} from '../store/due.ts'
import type { OrganizationSecrets } from '../store/organization-secrets.ts'
import { type MissedReason, regionNo } from '../store/results.ts'
import type { EngineMonitor } from '../store/standings.ts'
import { Applier } from './applier.ts'
import { DatabaseClock } from './database-clock.ts'
import { DueHeap } from './due-heap.ts'
import { every, type Loop } from './every.ts'
import { JobSender } from './job-sender.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import { OnDemand } from './on-demand.ts'
import { checkRecording } from './recording.ts'
import { type FinishedCheck, runCheck } from './run-check.ts'

export type SchedulerDeps = {
  database: Database
  secrets: OrganizationSecrets
  bus: Bus
  log: Log
  metrics: SchedulerMetrics
  name: string
  region: string
  leaseSeconds: number
}

type Planned = {
  fireAt: Date
  slot: Date
  subject: Subject
  repeats: number
  missed?: { fromSlot: Date; toSlot: Date; count: number; reason: MissedReason }
}

const POLL_MS = 250
const LOOK_AHEAD_MS = 1000
const MAX_DUE = 20_000
const TICK_MS = 5
// Younger than this is our ordinary lateness, not an outage of ours.
const CATCH_UP_AFTER_MS = 5000

export class Scheduler {
  readonly #deps: SchedulerDeps
  readonly #clock = new DatabaseClock()
  readonly #heap = new DueHeap<Planned>()
  /** Monitors whose due slot is planned or under way, so that no poll plans them twice. */
  readonly #busy = new Map<number, { shard: number }>()
  /** Monitors of which a check is under way, planned or asked for: one at a time. */
  readonly #running = new Set<number>()
  readonly #probes = new LiveProbes()
  readonly #regionNos = new Map<string, number>()
  readonly #sender: JobSender
  readonly #applier: Applier
  readonly #keeper: LeaseKeeper
  readonly #onDemand: OnDemand
  readonly #loops: Loop[] = []

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
    const { database, secrets, bus, log, name, region, leaseSeconds, metrics } = deps
    this.#sender = new JobSender(bus, this.#clock, (err) => log.error({ err }, 'sweep failed'))
    this.#applier = new Applier({
      database,
      secrets,
      log,
      lease: () => this.#keeper.lease,
      onLeaseLost: () => this.#keeper.lose(),
      onApplied: ({ results, ms }) => metrics.applied(results, ms),
    })
    this.#onDemand = new OnDemand({
      database,
      secrets,
      bus,
      isRunning: (no) => this.#running.has(no),
      run: (subject) => this.#runNow(subject),
    })
    this.#keeper = new LeaseKeeper({
      database,
      clock: this.#clock,
      log,
      name,
      region,
      leaseSeconds,
      busyShards: () => new Set([...this.#busy.values()].map(({ shard }) => shard)),
      onGained: (shards) => this.#onDemand.serve(shards),
      onLost: (shards) => this.#forget(shards),
    })
  }

  async start(): Promise<void> {
    const { bus, log, metrics } = this.#deps
    await bus.onAnnouncement((announcement) => this.#probes.note(announcement, performance.now()))
    await this.#keeper.start()
    const onError = (err: unknown) => log.error({ err }, 'scheduler round failed')
    this.#loops.push(every(POLL_MS, () => this.#plan(), onError))
    this.#loops.push(every(TICK_MS, async () => this.#fire(), onError))
    metrics.watch({
      shards: () => this.#keeper.ownedCount,
      inFlight: () => this.#sender.inFlight,
      waiting: () => this.#applier.waiting,
    })
  }

  async stop(): Promise<void> {
    for (const loop of this.#loops) await loop.stop()
    await this.#onDemand.stop()
    await this.#applier.drained()
    await this.#keeper.stop()
    await this.#sender.stop()
  }

  async #plan(): Promise<void> {
    const { database, secrets, metrics } = this.#deps
    const { shards } = this.#keeper
    if (shards.length === 0) return
    const now = this.#clock.now()
    const until = new Date(now.getTime() + LOOK_AHEAD_MS)
    const due = await findDue(database, shards, until, MAX_DUE)
    metrics.oldestDue(
      due[0] === undefined ? 0 : Math.max(0, now.getTime() - due[0].dueAt.getTime()),
    )
    const fresh = due.filter(({ monitorNo }) => !this.#busy.has(monitorNo))
    for (const { monitorNo, shard } of fresh) this.#busy.set(monitorNo, { shard })
    const subjects = await loadSubjects(
      database,
      secrets,
      fresh.map(({ monitorNo }) => monitorNo),
    ).catch((error: unknown) => {
      for (const { monitorNo } of fresh) this.#busy.delete(monitorNo)
      throw error
    })
    await this.#admit(fresh, subjects)
  }

  async #admit(due: readonly Due[], subjects: readonly Subject[]): Promise<void> {
    const byNo = new Map(subjects.map((subject) => [subject.no, subject]))
    const skips: Skip[] = []
    for (const { monitorNo, dueAt } of due) {
      const subject = byNo.get(monitorNo)
      // Gone, or moved on since it was read: the next poll sees how it stands.
      if (subject?.nextDueAt?.getTime() !== dueAt.getTime()) this.#busy.delete(monitorNo)
      else if (!subject.subscriptionActive) skips.push(this.#skip(subject, dueAt))
      else this.#heap.add(this.#planned(subject, dueAt))
    }
    await skipSlots(this.#deps.database, skips, 'SUBSCRIPTION')
    for (const { monitorNo } of skips) this.#busy.delete(monitorNo)
  }

  #skip(subject: Subject, slot: Date): Skip {
    const now = this.#clock.now()
    return { monitorNo: subject.no, slot, nextDueAt: nextSlotAt(subject, now > slot ? now : slot) }
  }

  #planned(subject: Subject, dueAt: Date): Planned {
    const now = this.#clock.now()
    const late = now.getTime() - dueAt.getTime() > CATCH_UP_AFTER_MS
    if (!late || subject.type === 'CRON') return { fireAt: dueAt, slot: dueAt, subject, repeats: 0 }
    const { run, missed } = catchUp(subject, dueAt, now)
    return {
      fireAt: catchUpAt(subject, now),
      slot: run,
      subject,
      repeats: 0,
      ...(missed && { missed: { ...missed, reason: 'ENGINE_DOWN' } }),
    }
  }

  #fire(): void {
    const now = this.#clock.now()
    for (const planned of this.#heap.takeDue(now)) {
      const { no } = planned.subject
      if (!this.#busy.has(no)) continue
      // Somebody asked for a check just now: the slot waits for it to end.
      if (this.#running.has(no))
        this.#heap.add({ ...planned, fireAt: new Date(now.getTime() + TICK_MS) })
      else this.#begin(planned, now)
    }
  }

  #begin(planned: Planned, now: Date): void {
    const { no } = planned.subject
    this.#deps.metrics.lateness(Math.max(0, now.getTime() - planned.fireAt.getTime()))
    this.#running.add(no)
    const run = this.#run(planned).catch((err: unknown) => {
      this.#busy.delete(no)
      this.#deps.log.error({ err, monitorNo: no }, 'check failed by our fault')
    })
    void run.finally(() => this.#ended(no))
  }

  async #run(planned: Planned): Promise<void> {
    const { subject, slot, missed } = planned
    if (subject.type === 'CRON') await this.#applier.record(deadlineRecording(subject.no))
    else {
      const finished = await this.#check(subject)
      if (this.#repeats(planned, finished)) return
      await this.#record(subject, finished, { kind: 'SCHEDULED', slot, ...(missed && { missed }) })
    }
    this.#busy.delete(subject.no)
  }

  #check(subject: Subject): Promise<FinishedCheck> {
    return runCheck(this.#runDeps(), subject, () => this.#clock.now())
  }

  /** By our own fault nothing was decided: looked at again, until the next slot settles it anyway. */
  #repeats(planned: Planned, { outcome, endedAt }: FinishedCheck): boolean {
    if (outcome.result !== 'INCONCLUSIVE') return false
    const { subject, slot, repeats } = planned
    this.#deps.metrics.inconclusive(subject.type, outcome.reason)
    this.#deps.log.warn({ type: subject.type, reason: outcome.reason }, 'check inconclusive')
    if (outcome.reason === 'LOOKUP_FAILED') return false
    const fireAt = repeatAt(endedAt, repeats, nextSlotAt(subject, slot))
    if (fireAt === undefined || !this.#busy.has(subject.no)) return false
    this.#heap.add({ ...planned, fireAt, repeats: repeats + 1 })
    return true
  }

  async #runNow(subject: Subject): Promise<CheckAnswer> {
    this.#running.add(subject.no)
    try {
      return await this.#runRequested(subject)
    } finally {
      this.#ended(subject.no)
    }
  }

  async #runRequested(subject: Subject): Promise<CheckAnswer> {
    if (subject.type === 'CRON') {
      await this.#applier.record(requestRecording(subject.no))
      return { outcome: 'RECORDED' }
    }
    const slot = this.#clock.now()
    const finished = await this.#check(subject)
    const { outcome } = finished
    if (outcome.result === 'INCONCLUSIVE' && outcome.reason !== 'LOOKUP_FAILED')
      return { outcome: 'UNDECIDED' }
    const monitor = await this.#record(subject, finished, { kind: 'REQUESTED', slot })
    return { outcome: monitor === undefined ? 'GONE' : 'RECORDED' }
  }

  async #record(
    subject: Subject,
    finished: FinishedCheck,
    how: { kind: 'SCHEDULED' | 'REQUESTED'; slot: Date; missed?: NonNullable<Planned['missed']> },
  ): Promise<EngineMonitor | undefined> {
    const no = finished.region === null ? null : await this.#regionNo(finished.region)
    return this.#applier.record(checkRecording(subject, finished, { ...how, regionNo: no }))
  }

  async #regionNo(name: string): Promise<number> {
    const known = this.#regionNos.get(name)
    if (known !== undefined) return known
    const no = await regionNo(this.#deps.database, name)
    this.#regionNos.set(name, no)
    return no
  }

  #runDeps() {
    return {
      sender: this.#sender,
      defaultRegion: this.#deps.region,
      liveRegions: (type: string) => this.#probes.regions(performance.now(), type),
    }
  }

  #ended(monitorNo: number): void {
    this.#running.delete(monitorNo)
    this.#onDemand.freed(monitorNo)
  }

  async #forget(shards: readonly number[]): Promise<void> {
    const lost = new Set(shards)
    for (const [no, { shard }] of this.#busy) if (lost.has(shard)) this.#busy.delete(no)
    await this.#onDemand.release(shards)
  }
}
