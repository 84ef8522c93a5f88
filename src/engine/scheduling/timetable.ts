// The next slot of every monitor in the owned shards. It is a copy of what the database said or what was recorded here
// since, so a monitor is read again before its slot runs.
import { catchUpBudget, catchUpMs, phaseMs } from '../../domain/monitors/schedule.ts'
import type { DueCheck } from '../../store/monitors/due.ts'
import { DueHeap } from './due-heap.ts'
import { type WaitingSlot, WaitingSlots } from './waiting-slots.ts'

/**
 * A slot whose monitor is being read, is waiting for its millisecond, or is being checked. Losing the shard invalidates
 * the ticket and with it the right to record the slot. `dueAt` is the slot that is due in the database; a newer one may
 * run in its place.
 */
export type Ticket = Omit<WaitingSlot, 'dueMs'> & {
  dueAt: Date
  /** Its check is running. */
  hasBegun: boolean
}

/** What is taken at `nowMs`: the slots up to `untilMs`, where those up to `fromMs` were taken before, but not more than `most`. */
type Take = { nowMs: number; fromMs: number; untilMs: number; most: number }

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

  /** The tickets to run, ordered by time, including as many late ones as the budget allows. */
  take({ nowMs, fromMs, untilMs, most }: Take): Ticket[] {
    const near = this.#takeNear(nowMs, untilMs, most)
    const forMs = Math.max(0, untilMs - fromMs)
    const { perSecond } = this
    this.#room = catchUpBudget({ perSecond, onTime: near.length }, this.#room, forMs)
    const late = this.#takeLate(Math.min(Math.floor(this.#room), most - near.length))
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

  /** Returns a ticket whose check ended without a result, to be run again then and not before. */
  repeat(ticket: Ticket, fireMs: number): void {
    ticket.isLate = true
    ticket.repeats += 1
    ticket.fireMs = fireMs
    this.putBack(ticket)
  }

  /** When the first waiting slot is to run; undefined if there is none. */
  get firstMs(): number | undefined {
    return this.#waiting.firstMs
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
    const { isLate, repeats, fireMs, monitorNo } = slot
    if (isLate && repeats === 0) this.#late.add({ fireMs: -fireMs, monitorNo })
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

  /** What has become late while it waited is not taken, but waits to be caught up with. */
  #takeNear(nowMs: number, untilMs: number, most: number): Ticket[] {
    const near: Ticket[] = []
    while (near.length < most) {
      const slot = this.#waiting.takeFirst(untilMs)
      if (slot === undefined) break
      if (slot.isLate || !isOverdue(slot, nowMs)) near.push(this.#issue(slot))
      else this.#wait(toLate(slot, slot.dueMs, nowMs))
    }
    return near
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

/** Deadlines are never overdue: they are reported at once. */
export function isOverdue(
  { dueMs, isDeadline }: Pick<WaitingSlot, 'dueMs' | 'isDeadline'>,
  nowMs: number,
): boolean {
  return !isDeadline && nowMs - dueMs > LATE_AFTER_MS
}

function toSlot(due: DueCheck, nowMs: number): WaitingSlot {
  const { monitorNo, shard, dueAt, epoch, type, intervalSeconds } = due
  const dueMs = dueAt.getTime()
  const isDeadline = type === 'CRON'
  const rest = { dueMs, fireMs: dueMs, isLate: false, isDeadline, repeats: 0 }
  const slot = { monitorNo, shard, epoch, intervalSeconds, ...rest }
  return isOverdue(slot, nowMs) ? toLate(slot, phaseMs(due), nowMs) : slot
}

/** `gridMs` is any point of the monitor's grid. */
function toLate(slot: WaitingSlot, gridMs: number, nowMs: number): WaitingSlot {
  const { intervalSeconds } = slot
  const fireMs = catchUpMs({ phaseMs: gridMs % (intervalSeconds * 1000), intervalSeconds }, nowMs)
  return { ...slot, isLate: true, fireMs }
}

const toMicros = (intervalSeconds: number) => Math.round(1e6 / intervalSeconds)
