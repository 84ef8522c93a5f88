// The next slot of every monitor in the owned shards. It is a copy of what the database said or what was recorded here
// since, so a monitor is read again before its slot runs.
import { catchUpAt, catchUpBudget } from '../../domain/monitors/schedule.ts'
import type { DueCheck } from '../../store/monitors/due.ts'
import { DueHeap } from './due-heap.ts'
import { type WaitingSlot, WaitingSlots } from './waiting-slots.ts'

/**
 * A slot whose monitor is being read, is waiting for its millisecond, or is being checked. Losing the shard invalidates
 * the ticket and with it the right to record the slot. `dueAt` is the slot that is due in the database; a newer one may
 * run in its place.
 */
export type Ticket = Omit<DueCheck, 'uuid' | 'type'> & {
  /** When it runs, in Unix milliseconds; for a late one, the latest time. */
  fireMs: number
  isLate: boolean
  /** Its check is running. */
  hasBegun: boolean
}

/** `fireMs` is negative, so that the latest comes first. */
type LateSlot = { fireMs: number; monitorNo: number }

// Shorter delays are normal lateness, not an outage of ours.
const LATE_AFTER_MS = 5000

/** A monitor is either waiting or has a ticket. */
export class Timetable {
  readonly #waiting = new WaitingSlots()
  readonly #tickets = new Map<number, Ticket>()
  /** Late slots, the latest `fireMs` first: the others reach their next slot soon anyway. */
  readonly #late = new DueHeap<LateSlot>()
  // In millionths, because integers can be added and subtracted without rounding errors.
  #microsPerSecond = 0
  #room = 0

  get size(): number {
    return this.#waiting.size + this.#tickets.size
  }

  /** Checks per second if all are on time. */
  get perSecond(): number {
    return this.#microsPerSecond / 1e6
  }

  /** Notes which slot is due; a running check keeps its ticket until it is settled. */
  note(due: DueCheck, nowMs: number): void {
    if (this.knows(due)) return
    this.#forgetMonitor(due.monitorNo)
    const slot = toSlot(due, nowMs)
    this.#microsPerSecond += toMicros(slot.intervalSeconds)
    this.#wait(slot)
  }

  knows({ monitorNo, epoch, dueAt }: Pick<DueCheck, 'monitorNo' | 'epoch' | 'dueAt'>): boolean {
    const ticket = this.#tickets.get(monitorNo)
    if (ticket === undefined) return this.#waiting.has(monitorNo, epoch, dueAt.getTime())
    return ticket.hasBegun || (ticket.epoch === epoch && ticket.dueAt.getTime() === dueAt.getTime())
  }

  /** The tickets to run by `untilMs`, ordered by time, including as many late ones as the budget allows. */
  take(fromMs: number, untilMs: number): Ticket[] {
    const near = this.#waiting.takeDue(untilMs).map((slot) => this.#issue(slot))
    const forMs = Math.max(0, untilMs - fromMs)
    const { perSecond } = this
    this.#room = catchUpBudget({ perSecond, onTime: near.length }, this.#room, forMs)
    const late = this.#takeLate(Math.floor(this.#room))
    // Without late checks, no budget is saved up.
    this.#room = this.#late.size === 0 ? Math.min(0, this.#room) : this.#room - late.length
    late.forEach((ticket, i) => {
      ticket.fireMs = fromMs + ((i + 1) * forMs) / late.length
    })
    return [...near, ...late].toSorted((a, b) => a.fireMs - b.fireMs)
  }

  /** Returns a ticket that is not run now. It is void then. */
  putBack(ticket: Ticket): void {
    if (!this.holds(ticket)) return
    this.#tickets.delete(ticket.monitorNo)
    const { dueAt, hasBegun: _, ...slot } = ticket
    this.#wait({ ...slot, dueMs: dueAt.getTime() })
  }

  holds(ticket: Ticket): boolean {
    return this.#tickets.get(ticket.monitorNo) === ticket
  }

  drop(ticket: Ticket): void {
    if (!this.holds(ticket)) return
    this.#tickets.delete(ticket.monitorNo)
    this.#microsPerSecond -= toMicros(ticket.intervalSeconds)
  }

  forget(shards: readonly number[]): void {
    const lost = new Set(shards)
    for (const ticket of this.#tickets.values()) if (lost.has(ticket.shard)) this.drop(ticket)
    this.#waiting.removeShards(lost, (intervalSeconds) => {
      this.#microsPerSecond -= toMicros(intervalSeconds)
    })
    this.#late.keep((late) => this.#isWaiting(late))
  }

  /** The oldest slot that is due in the database; undefined if there is none. */
  oldestMs(): number | undefined {
    let oldestMs = this.#waiting.oldestMs()
    for (const { dueAt } of this.#tickets.values())
      oldestMs = Math.min(oldestMs ?? dueAt.getTime(), dueAt.getTime())
    return oldestMs
  }

  /** Whether a slot is past its time by more than this many of its intervals. */
  hasOverdue(nowMs: number, intervals: number): boolean {
    const isOver = ({ dueAt, intervalSeconds }: Ticket) =>
      nowMs - dueAt.getTime() > intervals * intervalSeconds * 1000
    return this.#waiting.hasOverdue(nowMs, intervals) || this.#tickets.values().some(isOver)
  }

  #forgetMonitor(monitorNo: number): void {
    const ticket = this.#tickets.get(monitorNo)
    if (ticket !== undefined) return this.drop(ticket)
    const slot = this.#waiting.remove(monitorNo)
    if (slot !== undefined) this.#microsPerSecond -= toMicros(slot.intervalSeconds)
  }

  #wait(slot: WaitingSlot): void {
    this.#waiting.add(slot)
    const { isLate, fireMs, monitorNo } = slot
    if (isLate) this.#late.add({ fireMs: -fireMs, monitorNo })
  }

  #issue({ dueMs, ...slot }: WaitingSlot): Ticket {
    const ticket = { ...slot, dueAt: new Date(dueMs), hasBegun: false }
    this.#tickets.set(ticket.monitorNo, ticket)
    return ticket
  }

  /** Not taken, run or changed since it was noted as late. */
  #isWaiting({ monitorNo, fireMs }: LateSlot): boolean {
    const slot = this.#waiting.find(monitorNo)
    return slot?.isLate === true && slot.fireMs === -fireMs
  }

  #takeLate(most: number): Ticket[] {
    const taken: Ticket[] = []
    while (taken.length < most) {
      const first = this.#late.takeFirst()
      if (first === undefined) break
      const slot = this.#isWaiting(first) ? this.#waiting.remove(first.monitorNo) : undefined
      if (slot !== undefined) taken.push(this.#issue(slot))
    }
    return taken
  }
}

export function isOverdue(dueAt: Date, nowMs: number): boolean {
  return nowMs - dueAt.getTime() > LATE_AFTER_MS
}

function toSlot(due: DueCheck, nowMs: number): WaitingSlot {
  const { monitorNo, shard, dueAt, epoch, type, intervalSeconds } = due
  const dueMs = dueAt.getTime()
  // A missed deadline of a CRON monitor is a single event and is reported immediately.
  const isLate = type !== 'CRON' && isOverdue(dueAt, nowMs)
  const fireMs = isLate ? catchUpAt(due, new Date(nowMs)).getTime() : dueMs
  return { monitorNo, shard, epoch, intervalSeconds, dueMs, fireMs, isLate }
}

const toMicros = (intervalSeconds: number) => Math.round(1e6 / intervalSeconds)
