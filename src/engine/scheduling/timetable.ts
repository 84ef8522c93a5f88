// The next slot of every monitor in the owned shards. It is a copy of what the database said or what was recorded here
// since, so a monitor is read again before its slot runs.
import { catchUpAt, catchUpBudget } from '../../domain/monitors/schedule.ts'
import type { DueCheck } from '../../store/monitors/due.ts'
import { DueHeap } from './due-heap.ts'

/**
 * Losing the shard invalidates the ticket and with it the right to record the slot. `dueAt` is the slot that is due in
 * the database; a newer one may run in its place.
 */
export type Ticket = Omit<DueCheck, 'uuid' | 'type'> & {
  /** When it runs, in Unix milliseconds; for a late one, the latest time. */
  fireMs: number
  isLate: boolean
  /** Its monitor is being read, is waiting for its millisecond, or is being checked. */
  isTaken: boolean
  /** Its check is running. */
  hasBegun: boolean
}

// Shorter delays are normal lateness, not an outage of ours.
const LATE_AFTER_MS = 5000

export class Timetable {
  readonly #tickets = new Map<number, Ticket>()
  readonly #ahead = new DueHeap<Ticket>()
  /** Late tickets, the latest `fireMs` first: the others reach their next slot soon anyway. */
  readonly #late = new DueHeap<{ fireMs: number; ticket: Ticket }>()
  // In millionths, because integers can be added and subtracted without rounding errors.
  #microsPerSecond = 0
  #room = 0

  get size(): number {
    return this.#tickets.size
  }

  /** Checks per second if all are on time. */
  get perSecond(): number {
    return this.#microsPerSecond / 1e6
  }

  /** Notes which slot is due; a running check keeps its ticket until it is settled. */
  note(due: DueCheck, nowMs: number): void {
    if (this.knows(due)) return
    const known = this.#tickets.get(due.monitorNo)
    if (known !== undefined) this.drop(known)
    const ticket = toTicket(due, nowMs)
    this.#tickets.set(ticket.monitorNo, ticket)
    this.#microsPerSecond += toMicros(ticket)
    this.putBack(ticket)
  }

  knows({ monitorNo, epoch, dueAt }: Pick<DueCheck, 'monitorNo' | 'epoch' | 'dueAt'>): boolean {
    const known = this.#tickets.get(monitorNo)
    if (known === undefined) return false
    return known.hasBegun || (known.epoch === epoch && known.dueAt.getTime() === dueAt.getTime())
  }

  /** The tickets to run by `untilMs`, ordered by time, including as many late ones as the budget allows. */
  take(fromMs: number, untilMs: number): Ticket[] {
    const near = this.#ahead.takeDue(untilMs).filter((ticket) => this.#isFree(ticket))
    for (const ticket of near) ticket.isTaken = true
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

  /** Returns a ticket that is not run now. */
  putBack(ticket: Ticket): void {
    if (!this.holds(ticket)) return
    ticket.isTaken = false
    this.#ahead.add(ticket)
    if (ticket.isLate) this.#late.add({ fireMs: -ticket.fireMs, ticket })
  }

  holds(ticket: Ticket): boolean {
    return this.#tickets.get(ticket.monitorNo) === ticket
  }

  drop(ticket: Ticket): void {
    if (!this.holds(ticket)) return
    this.#tickets.delete(ticket.monitorNo)
    this.#microsPerSecond -= toMicros(ticket)
  }

  forget(shards: readonly number[]): void {
    const lost = new Set(shards)
    for (const ticket of this.#tickets.values()) if (lost.has(ticket.shard)) this.drop(ticket)
    this.#ahead.keep((ticket) => this.#isFree(ticket))
    this.#late.keep(({ ticket }) => this.#isFree(ticket))
  }

  tickets(): MapIterator<Ticket> {
    return this.#tickets.values()
  }

  #isFree(ticket: Ticket): boolean {
    return !ticket.isTaken && this.holds(ticket)
  }

  #takeLate(most: number): Ticket[] {
    const taken: Ticket[] = []
    while (taken.length < most) {
      const first = this.#late.takeFirst()
      if (first === undefined) break
      if (!this.#isFree(first.ticket)) continue
      first.ticket.isTaken = true
      taken.push(first.ticket)
    }
    return taken
  }
}

export function isOverdue(dueAt: Date, nowMs: number): boolean {
  return nowMs - dueAt.getTime() > LATE_AFTER_MS
}

function toTicket(
  { monitorNo, shard, dueAt, epoch, type, ...grid }: DueCheck,
  nowMs: number,
): Ticket {
  // A missed deadline of a CRON monitor is a single event and is reported immediately.
  const isLate = type !== 'CRON' && isOverdue(dueAt, nowMs)
  const fireMs = isLate ? catchUpAt(grid, new Date(nowMs)).getTime() : dueAt.getTime()
  const { intervalSeconds } = grid
  const fresh = { isTaken: false, hasBegun: false }
  return { monitorNo, shard, dueAt, epoch, intervalSeconds, fireMs, isLate, ...fresh }
}

const toMicros = ({ intervalSeconds }: Ticket) => Math.round(1e6 / intervalSeconds)
