// What this scheduler will run and when: reads what falls due in its shards a moment ahead, and holds it
// until its millisecond. A ticket says that a monitor's slot is taken care of here.
import { catchUp, catchUpAt, nextSlotAt } from '../domain/schedule.ts'
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
import type { MissedReason } from '../store/results.ts'
import type { DatabaseClock } from './database-clock.ts'
import { DueHeap } from './due-heap.ts'

/** Losing the shard takes the ticket away, and with it the right to record the slot. */
export type Ticket = {
  shard: number
  slot: Date
  epoch: number
  intervalSeconds: number
  /** Its check is under way. */
  hasBegun: boolean
}

export type Planned = {
  fireAt: Date
  slot: Date
  subject: Subject
  ticket: Ticket
  repeats: number
  missed?: { fromSlot: Date; toSlot: Date; count: number; reason: MissedReason }
}

export type PlannerDeps = {
  database: Database
  secrets: OrganizationSecrets
  clock: DatabaseClock
  metrics: SchedulerMetrics
}

const LOOK_AHEAD_MS = 1000
const MAX_DUE = 20_000
const MAX_INTERVAL_SECONDS = 86_400
// Younger than this is our ordinary lateness, not an outage of ours.
const CATCH_UP_AFTER_MS = 5000

export class Planner {
  readonly #deps: PlannerDeps
  readonly #heap = new DueHeap<Planned>()
  readonly #tickets = new Map<number, Ticket>()

  constructor(deps: PlannerDeps) {
    this.#deps = deps
  }

  /** Reads what falls due in these shards and is not planned yet. */
  async plan(shards: readonly number[]): Promise<void> {
    const { database, secrets, clock, metrics } = this.#deps
    const now = clock.now()
    const until = new Date(now.getTime() + LOOK_AHEAD_MS)
    const due = await findDue(database, shards, until, MAX_DUE)
    const oldest = due[0]?.dueAt ?? now
    metrics.oldestDue(Math.max(0, now.getTime() - oldest.getTime()))

    const fresh = due.filter((each) => !this.#isTaken(each))
    for (const each of fresh) this.#tickets.set(each.monitorNo, newTicket(each))
    const numbers = fresh.map(({ monitorNo }) => monitorNo)
    try {
      await this.#admit(fresh, await loadSubjects(database, secrets, numbers))
    } catch (error) {
      for (const no of numbers) this.#tickets.delete(no)
      throw error
    }
  }

  takeDue(now: Date): Planned[] {
    const due = this.#heap.takeDue(now).filter((planned) => this.holds(planned))
    for (const { ticket } of due) ticket.hasBegun = true
    return due
  }

  again(planned: Planned, fireAt: Date): void {
    planned.ticket.hasBegun = false
    this.#heap.add({ ...planned, fireAt })
  }

  /** Whether the slot is still this scheduler's to run and record. */
  holds({ subject, ticket }: Planned): boolean {
    return this.#tickets.get(subject.no) === ticket
  }

  release(planned: Planned): void {
    if (this.holds(planned)) this.#tickets.delete(planned.subject.no)
  }

  forget(shards: readonly number[]): void {
    const lost = new Set(shards)
    for (const [no, { shard }] of this.#tickets) if (lost.has(shard)) this.#tickets.delete(no)
  }

  /** A slot that has been due for two of its intervals means that checks are not being run. */
  isOverdue(): boolean {
    const nowMs = this.#deps.clock.now().getTime()
    return [...this.#tickets.values()].some(
      ({ slot, intervalSeconds }) => nowMs - slot.getTime() > 2 * intervalSeconds * 1000,
    )
  }

  // Paused and resumed, or changed, while its slot waits to be caught up or repeated: what waits is void,
  // and the monitor is due at once.
  #isTaken({ monitorNo, dueAt, epoch }: Due): boolean {
    const ticket = this.#tickets.get(monitorNo)
    if (ticket === undefined) return false
    return ticket.hasBegun || (ticket.epoch === epoch && ticket.slot.getTime() === dueAt.getTime())
  }

  async #admit(due: readonly Due[], subjects: readonly Subject[]): Promise<void> {
    const byNo = new Map(subjects.map((subject) => [subject.no, subject]))
    const skips: Skip[] = []
    for (const { monitorNo, dueAt } of due) {
      const subject = byNo.get(monitorNo)
      const ticket = this.#tickets.get(monitorNo)
      // Gone, or moved on since it was read: the next round sees how it stands.
      if (ticket === undefined || subject?.nextDueAt?.getTime() !== dueAt.getTime())
        this.#tickets.delete(monitorNo)
      else if (subject.subscriptionActive) this.#heap.add(this.#planned(subject, dueAt, ticket))
      else skips.push(this.#skip(subject, dueAt))
    }
    await skipSlots(this.#deps.database, skips, 'SUBSCRIPTION')
    for (const { monitorNo } of skips) this.#tickets.delete(monitorNo)
  }

  #skip(subject: Subject, slot: Date): Skip {
    const now = this.#deps.clock.now()
    return { monitorNo: subject.no, slot, nextDueAt: nextSlotAt(subject, now > slot ? now : slot) }
  }

  #planned(subject: Subject, dueAt: Date, ticket: Ticket): Planned {
    const now = this.#deps.clock.now()
    ticket.intervalSeconds = subject.intervalSeconds
    const planned = { fireAt: dueAt, slot: dueAt, subject, ticket, repeats: 0 }
    const isLate = now.getTime() - dueAt.getTime() > CATCH_UP_AFTER_MS
    if (!isLate || subject.type === 'CRON') return planned
    const { run: slot, missed } = catchUp(subject, dueAt, now)
    const fireAt = catchUpAt(subject, now)
    const written = missed && { missed: { ...missed, reason: 'ENGINE_DOWN' as const } }
    return { ...planned, fireAt, slot, ...written }
  }
}

function newTicket({ shard, dueAt: slot, epoch }: Due): Ticket {
  return { shard, slot, epoch, intervalSeconds: MAX_INTERVAL_SECONDS, hasBegun: false }
}
