// Decides what this scheduler runs and when. It knows the next slot of every monitor in its shards, reads a monitor
// shortly before its slot, and holds it until its exact millisecond.
import { catchUp, nextSlotAt, planningLimit } from '../../domain/monitors/schedule.ts'
import type { SchedulerMetrics } from '../../platform/metrics/scheduler-metrics.ts'
import type { WorkSignal } from '../../platform/process/work-signal.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { MissedSlots } from '../../store/history/results.ts'
import {
  claimMoved,
  type DueCheck,
  type DueMonitor,
  loadDueMonitors,
  type Skip,
  skipSlots,
} from '../../store/monitors/due.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import type { DatabaseClock } from '../database-clock.ts'
import { DueHeap } from './due-heap.ts'
import { type Ownership, ShardReader } from './shard-reader.ts'
import { isOverdue, type Ticket, Timetable } from './timetable.ts'

export type Planned = {
  /** Unix milliseconds. */
  fireMs: number
  slot: Date
  monitor: DueMonitor
  ticket: Ticket
  repeats: number
  missed?: MissedSlots
}

export type PlannerDeps = {
  database: Database
  secrets: OrganizationSecrets
  clock: DatabaseClock
  metrics: SchedulerMetrics
  ownership: Ownership
  /** Checks that have begun and that no probe has accepted yet. */
  waiting(): number
  /** Called when checks were added to those that wait for their millisecond. */
  onPlanned?(): void
  signal?: WorkSignal | undefined
}

const LOOK_AHEAD_MS = 1000
// Reading many at once would delay what is due in the meantime.
const MAX_READ_AT_ONCE = 100
const MAX_MOVED = 5000
// While only this process could move slots: for long enough after a commit that a row locked at first is free.
const MOVED_WATCH_MS = 1000
const MOVED_REST_MS = 2000
const OVERDUE_INTERVALS = 2

export class Planner {
  readonly #deps: PlannerDeps
  readonly #timetable = new Timetable()
  readonly #heap = new DueHeap<Planned>()
  readonly #reader: ShardReader
  #plannedUntilMs = 0
  #plannedMs = performance.now()
  #movedUntilMs = 0
  #movedReadMs = 0

  constructor(deps: PlannerDeps) {
    this.#deps = deps
    const { database, ownership } = deps
    const nowMs = () => this.#nowMs()
    this.#reader = new ShardReader({ database, ownership, timetable: this.#timetable, nowMs })
    deps.signal?.listen('SLOTS', () => {
      this.#movedUntilMs = performance.now() + MOVED_WATCH_MS
    })
  }

  /** Monitors whose next slot is known. */
  get size(): number {
    return this.#timetable.size
  }

  /** Notes slots that others have moved, and reads the monitors whose slots are near. */
  async plan(): Promise<void> {
    await this.#noteMoved()
    const { ownership } = this.#deps
    const nowMs = this.#nowMs()
    const untilMs = nowMs + LOOK_AHEAD_MS
    const fromMs = Math.max(nowMs, this.#plannedUntilMs)
    const { perSecond } = this.#timetable
    const most = planningLimit(perSecond, this.#deps.waiting(), untilMs - fromMs)
    const near = this.#timetable.take({ nowMs, fromMs, untilMs, most })
    this.#plannedUntilMs = untilMs
    const active = new Set(ownership.shards)
    for (const ticket of near) if (!active.has(ticket.shard)) this.#holdBack(ticket)
    const ready = near.filter(({ shard }) => active.has(shard))
    try {
      while (ready.length > 0) await this.#admit(ready.splice(0, MAX_READ_AT_ONCE))
    } finally {
      for (const ticket of ready) this.#timetable.putBack(ticket)
    }
    this.#plannedMs = performance.now()
  }

  /** Reads newly owned shards, and compares some slots of the others. */
  async readShards(): Promise<void> {
    await this.#reader.read()
  }

  /** When the first planned check is due, in Unix milliseconds; undefined if none is planned. */
  get firstMs(): number | undefined {
    return this.#heap.firstMs
  }

  takeDue(now: Date): Planned[] {
    const due = this.#heap.takeDue(now.getTime()).filter((planned) => this.holds(planned))
    for (const { ticket } of due) ticket.hasBegun = true
    return due
  }

  reschedule(planned: Planned, fireAt: Date): void {
    planned.ticket.hasBegun = false
    this.#heap.add({ ...planned, fireMs: fireAt.getTime() })
    this.#deps.onPlanned?.()
  }

  /** Runs the slot again at that time. It waits in the timetable, where a slot takes little memory: all may have to wait. */
  repeat({ ticket }: Planned, fireAt: Date): void {
    this.#timetable.repeat(ticket, fireAt.getTime())
  }

  /** Whether this scheduler may still run and record the slot. */
  holds({ ticket }: Planned): boolean {
    return this.#timetable.holds(ticket)
  }

  /**
   * The slot is done. `monitor` is its state afterwards; if undefined, it was deleted or is read again with its shard.
   */
  settle(planned: Planned, monitor?: EngineMonitor): void {
    if (!this.holds(planned)) return
    const { ticket } = planned
    this.#timetable.drop(ticket)
    if (monitor === undefined) return
    this.#reader.noted(ticket.monitorNo)
    this.#note(monitor, ticket.shard, monitor.nextDueAt)
  }

  forget(shards: readonly number[]): void {
    this.#reader.forget(shards)
    this.#timetable.forget(shards)
    this.#heap.keep((planned) => this.holds(planned))
  }

  /** A slot overdue by more than two intervals means that checks are not running. */
  isOverdue(): boolean {
    return this.#timetable.hasOverdue(this.#nowMs(), OVERDUE_INTERVALS)
  }

  /** The larger of the time since the last planning and how long the first slot that waits is past its time. */
  lateMs(): number {
    const nowMs = this.#nowMs()
    const firstMs = Math.min(this.#heap.firstMs ?? nowMs, this.#timetable.firstMs ?? nowMs)
    return Math.max(performance.now() - this.#plannedMs, nowMs - firstMs)
  }

  /** Reports the age of the oldest unrecorded slot. */
  reportOldest(): void {
    const nowMs = this.#nowMs()
    const oldestMs = this.#timetable.oldestMs() ?? nowMs
    this.#deps.metrics.oldestDue(Math.max(0, nowMs - oldestMs))
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime()
  }

  #note(monitor: MonitorSchedule, shard: number, dueAt: Date | null): void {
    if (dueAt === null) return
    const { no: monitorNo, uuid, intervalSeconds, type, epoch } = monitor
    const due: DueCheck = { monitorNo, uuid, intervalSeconds, type, epoch, shard, dueAt }
    this.#timetable.note(due, this.#nowMs())
  }

  async #noteMoved(): Promise<void> {
    const { database, ownership } = this.#deps
    const { schedulerId } = ownership
    if (schedulerId === undefined || !this.#mayHaveMoved()) return
    try {
      const moved = await claimMoved(database, schedulerId, MAX_MOVED)
      for (const due of moved.filter(({ shard }) => ownership.owns(shard))) {
        this.#reader.noted(due.monitorNo)
        this.#timetable.note(due, this.#nowMs())
      }
    } catch (error) {
      // The marks may have been cleared before we read them, so all shards must be read again.
      this.#reader.forgetAll()
      throw error
    }
  }

  /** False while only this process could have moved slots, and did not. */
  #mayHaveMoved(): boolean {
    const nowMs = performance.now()
    const isResting = this.#deps.signal?.isAlone === true && nowMs > this.#movedUntilMs
    if (isResting && nowMs - this.#movedReadMs < MOVED_REST_MS) return false
    this.#movedReadMs = nowMs
    return true
  }

  /** Its shard is being released or is lost. */
  #holdBack(ticket: Ticket): void {
    if (this.#deps.ownership.owns(ticket.shard)) this.#timetable.putBack(ticket)
    else this.#timetable.drop(ticket)
  }

  async #admit(tickets: readonly Ticket[]): Promise<void> {
    const byNo = await this.#load(tickets)
    const unpaid: DueMonitor[] = []
    for (const ticket of tickets) {
      const monitor = byNo.get(ticket.monitorNo)
      if (!this.#timetable.holds(ticket)) continue
      if (monitor?.nextDueAt?.getTime() !== ticket.dueAt.getTime()) {
        // Deleted, or its slot moved since it was noted.
        this.#timetable.drop(ticket)
        if (monitor !== undefined) this.#note(monitor, monitor.shard, monitor.nextDueAt)
      } else if (monitor.subscriptionActive) this.#heap.add(this.#planned(monitor, ticket))
      else unpaid.push(monitor)
    }
    this.#deps.onPlanned?.()
    await this.#skip(unpaid)
  }

  async #load(tickets: readonly Ticket[]): Promise<Map<number, DueMonitor>> {
    const { database, secrets } = this.#deps
    const numbers = tickets.map(({ monitorNo }) => monitorNo)
    try {
      const monitors = await loadDueMonitors(database, secrets, numbers)
      return new Map(monitors.map((monitor) => [monitor.no, monitor]))
    } catch (error) {
      for (const ticket of tickets) this.#timetable.putBack(ticket)
      throw error
    }
  }

  #planned(monitor: DueMonitor, ticket: Ticket): Planned {
    const { fireMs, dueAt, repeats, isDeadline } = ticket
    const planned = { fireMs, slot: dueAt, monitor, ticket, repeats }
    const nowMs = this.#nowMs()
    // It may also have become overdue since it was taken, while its monitor was being read.
    if (!ticket.isLate && !isOverdue({ dueMs: dueAt.getTime(), isDeadline }, nowMs)) return planned
    ticket.isLate = true
    const { run: slot, missed } = catchUp(monitor, dueAt, new Date(Math.max(fireMs, nowMs)))
    const written = missed && { missed: { ...missed, reason: 'ENGINE_DOWN' as const } }
    return { ...planned, slot, ...written }
  }

  /** Their subscription is inactive: the slots are written off and the schedule continues. */
  async #skip(monitors: readonly DueMonitor[]): Promise<void> {
    const now = this.#deps.clock.now()
    const skips = monitors.map((monitor): Skip => {
      const slot = monitor.nextDueAt ?? now
      const nextDueAt = nextSlotAt(monitor, now > slot ? now : slot)
      return { monitorNo: monitor.no, slot, nextDueAt }
    })
    // Noted first: if the write fails, the slot is found still due and is skipped again.
    monitors.forEach((monitor, i) => {
      this.#note(monitor, monitor.shard, skips[i]?.nextDueAt ?? null)
    })
    await skipSlots(this.#deps.database, skips, 'SUBSCRIPTION')
    this.#deps.metrics.missed('SUBSCRIPTION', skips.length)
  }
}

type MonitorSchedule = Pick<EngineMonitor, 'no' | 'uuid' | 'intervalSeconds' | 'type' | 'epoch'>
