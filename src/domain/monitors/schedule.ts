// When a monitor is due. Every monitor has its own grid of slots, `phase + k * interval`; a slot is
// an instant, never a counter, so anyone can tell at any time which slots there were.

export type Grid = { uuid: string; intervalSeconds: number }

/** Slots nobody ran: both ends belong to the range. */
export type MissedRange = { fromSlot: Date; toSlot: Date; count: number }

const SHARD_COUNT = 256
const SPREAD_MS = 30_000
// Twice the usual rate is the bound; what is on time does not come evenly.
const CATCH_UP_FACTOR = 1.8
const MIN_CATCH_UP_PER_SECOND = 20
const RESPONSE_MARGIN_MS = 2_000
const MAX_SENDS = 2
const REPEAT_DELAYS_SECONDS = [5, 15, 30, 60] as const

/** 0..255: the last byte of a UUIDv7 is random, so shards fill evenly. */
export function shardOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-2), 16) % SHARD_COUNT
}

/** Where in its interval a monitor's slots lie. Derived from random bits: no herd can form. */
export function phaseMs({ uuid, intervalSeconds }: Grid): number {
  return Number.parseInt(uuid.slice(-12), 16) % (intervalSeconds * 1000)
}

/** The first slot after `after`, never `after` itself. */
export function nextSlotAt(grid: Grid, after: Date): Date {
  return new Date(slotAtOrBefore(grid, after).getTime() + grid.intervalSeconds * 1000)
}

export function slotAtOrBefore(grid: Grid, at: Date): Date {
  const phase = phaseMs(grid)
  const intervalMs = grid.intervalSeconds * 1000
  return new Date(phase + Math.floor((at.getTime() - phase) / intervalMs) * intervalMs)
}

/**
 * After an outage of ours: the newest slot is run once, the ones before it are written off.
 * `dueAt` is the oldest slot without a record; it may lie off the grid (create, resume, retarget).
 */
export function catchUp(grid: Grid, dueAt: Date, now: Date): { run: Date; missed?: MissedRange } {
  const newest = slotAtOrBefore(grid, now)
  if (newest <= dueAt) return { run: dueAt }
  const missed = slotsIn(grid, new Date(dueAt.getTime() + 1), newest)
  return {
    run: newest,
    missed: { fromSlot: dueAt, toSlot: missed?.toSlot ?? dueAt, count: 1 + (missed?.count ?? 0) },
  }
}

/**
 * When a monitor that fell behind runs at the latest: at its next slot, or, where that is further off than
 * twice the spread, at its own place in the spread. All at once would be a herd of our own making.
 */
export function catchUpAt(grid: Grid, recoveredAt: Date): Date {
  const nextSlot = nextSlotAt(grid, recoveredAt)
  if (grid.intervalSeconds * 1000 <= 2 * SPREAD_MS) return nextSlot
  const place = new Date(recoveredAt.getTime() + (phaseMs(grid) % SPREAD_MS))
  return place < nextSlot ? place : nextSlot
}

/**
 * How many of them may run before that, beside so many that are on time: together less than twice the usual
 * rate. What is left of it is carried over, and so is what was overdrawn.
 */
export function catchUpBudget(
  usual: { perSecond: number; onTime: number },
  carried: number,
  forMs: number,
): number {
  const perSecond = Math.max(usual.perSecond * CATCH_UP_FACTOR, MIN_CATCH_UP_PER_SECOND)
  const room = carried + (perSecond * forMs) / 1000 - usual.onTime
  return Math.min(Math.max(room, -perSecond), perSecond)
}

/** What follows a check: slots that fell while it ran (reason OVERLAP) never run. */
export function afterCheck(
  grid: Grid,
  check: { slot: Date; endedAt: Date },
): { nextDueAt: Date; overlapped?: MissedRange } {
  const next = nextSlotAt(grid, check.slot)
  const overlapped = next < check.endedAt ? slotsIn(grid, next, check.endedAt) : undefined
  if (overlapped === undefined) return { nextDueAt: next }
  return { nextDueAt: nextSlotAt(grid, overlapped.toSlot), overlapped }
}

/** The slots in [from, to); undefined when there is none. */
export function slotsIn(grid: Grid, from: Date, to: Date): MissedRange | undefined {
  const fromSlot = nextSlotAt(grid, new Date(from.getTime() - 1))
  if (fromSlot >= to) return undefined
  const toSlot = slotAtOrBefore(grid, new Date(to.getTime() - 1))
  const intervalMs = grid.intervalSeconds * 1000
  return { fromSlot, toSlot, count: 1 + (toSlot.getTime() - fromSlot.getTime()) / intervalMs }
}

/**
 * A result made void by a change keeps its slot only if the schedule has left that slot behind.
 * Otherwise it would sit where the check of the changed monitor is still to be recorded.
 */
export function voidKeepsSlot(slot: Date, nextDueAt: Date | null): boolean {
  return nextDueAt === null || slot < nextDueAt
}

/**
 * An INCONCLUSIVE check is looked at again after 5, 15, 30, then every 60 s; undefined once the
 * next slot comes first and settles it anyway.
 */
export function repeatAt(endedAt: Date, repeatsSoFar: number, nextDueAt: Date): Date | undefined {
  const last = REPEAT_DELAYS_SECONDS.length - 1
  const delaySeconds = REPEAT_DELAYS_SECONDS[Math.min(repeatsSoFar, last)] ?? 60
  const at = new Date(endedAt.getTime() + delaySeconds * 1000)
  return at < nextDueAt ? at : undefined
}

/** A job a probe has not answered yet. `sendsOnce`: its target must not see the request twice. */
type PendingJob = {
  sentAt: Date
  sends: number
  budgetMs: number
  accepted: boolean
  sendsOnce: boolean
}

/**
 * A probe may have died with the job: it is sent once more, but never past the next slot, and never
 * when an accepted request could reach the target twice. GIVE_UP makes the check INCONCLUSIVE.
 */
export function afterSilence(
  job: PendingJob,
  nextSlot: Date,
  now: Date,
): 'WAIT' | 'SEND_AGAIN' | 'GIVE_UP' {
  if (now.getTime() < job.sentAt.getTime() + job.budgetMs + RESPONSE_MARGIN_MS) return 'WAIT'
  if (job.sends >= MAX_SENDS || now >= nextSlot) return 'GIVE_UP'
  return job.accepted && job.sendsOnce ? 'GIVE_UP' : 'SEND_AGAIN'
}
