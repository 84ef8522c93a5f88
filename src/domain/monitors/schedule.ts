// When a monitor is due. Every monitor has its own grid of slots, `phase + k * interval`. A slot is a point in time,
// never a counter, so past slots can always be computed.
import { SHARD_COUNT } from './shards.ts'

export type Grid = { uuid: string; intervalSeconds: number }
/** The same slots, without the id from which the phase is derived. */
type Phase = { phaseMs: number; intervalSeconds: number }

/** Slots that never ran. Both ends are part of the range. */
export type MissedRange = { fromSlot: Date; toSlot: Date; count: number }

const SPREAD_MS = 30_000
// Twice the usual rate is the limit. The factor stays below it because checks on time do not come evenly.
const CATCH_UP_FACTOR = 1.8
const MIN_CATCH_UP_PER_SECOND = 20
// Long intervals are caught up with faster than twice the usual rate, but not without limit.
const PLANNING_FACTOR = 4
const MIN_PLANNED = 100
const SPARE_PLANNED = 200
const RESPONSE_MARGIN_MS = 2_000
const MAX_SENDS = 2
const REPEAT_DELAYS_SECONDS = [5, 15, 30, 60] as const

/** 0..255. The last byte of a UUIDv7 is random, so shards fill evenly. */
export function shardOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-2), 16) % SHARD_COUNT
}

/** Offset of a monitor's slots within its interval. Derived from random bits, so monitors never bunch up. */
export function phaseMs({ uuid, intervalSeconds }: Grid): number {
  return Number.parseInt(uuid.slice(-12), 16) % (intervalSeconds * 1000)
}

/** The first slot after `after`, never `after` itself. */
export function nextSlotAt(grid: Grid, after: Date): Date {
  return new Date(slotAtOrBefore(grid, after).getTime() + grid.intervalSeconds * 1000)
}

export function slotAtOrBefore(grid: Grid, at: Date): Date {
  const { intervalSeconds } = grid
  return new Date(slotMsAtOrBefore({ phaseMs: phaseMs(grid), intervalSeconds }, at.getTime()))
}

function slotMsAtOrBefore(phase: Phase, atMs: number): number {
  const intervalMs = phase.intervalSeconds * 1000
  return phase.phaseMs + Math.floor((atMs - phase.phaseMs) / intervalMs) * intervalMs
}

/**
 * After an outage of ours, the newest slot runs once and the earlier ones are recorded as missed. `dueAt` is the oldest
 * slot without a record; it may lie off the grid (create, resume, retarget).
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
 * The latest time at which a monitor that fell behind runs: its next slot, or, if its interval is longer than twice the
 * spread, its own place in the spread. Running all at once would cause a thundering herd.
 */
export function catchUpMs(phase: Phase, recoveredMs: number): number {
  const intervalMs = phase.intervalSeconds * 1000
  const nextMs = slotMsAtOrBefore(phase, recoveredMs) + intervalMs
  if (intervalMs <= 2 * SPREAD_MS) return nextMs
  return Math.min(nextMs, recoveredMs + (phase.phaseMs % SPREAD_MS))
}

/**
 * How many of them may run before that, next to the checks on time: together less than twice the usual rate. Unused and
 * overdrawn budget both carry over.
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

/**
 * How many checks a round of planning may prepare for the next `forMs`. `waiting` are those prepared earlier that no probe
 * has accepted yet: preparing more would only make them wait, or end without a result and be prepared again. Some are
 * always allowed, because another region may have room, and deadlines need no probe.
 */
export function planningLimit(perSecond: number, waiting: number, forMs: number): number {
  const most = Math.ceil((perSecond * PLANNING_FACTOR * forMs) / 1000)
  return Math.max(MIN_PLANNED, SPARE_PLANNED + most - waiting)
}

/**
 * Slots that fell while the check ran (reason OVERLAP) never run. Only the last one does if the check waited for our own
 * network: otherwise its monitor would wait for a whole interval more.
 */
export function afterCheck(
  grid: Grid,
  check: { slot: Date; endedAt: Date; isInDoubt?: boolean },
): { nextDueAt: Date; overlapped?: MissedRange } {
  const next = nextSlotAt(grid, check.slot)
  const overlapped = next < check.endedAt ? slotsIn(grid, next, check.endedAt) : undefined
  if (overlapped === undefined) return { nextDueAt: next }
  if (check.isInDoubt === true) {
    const earlier = slotsIn(grid, next, overlapped.toSlot)
    return { nextDueAt: overlapped.toSlot, ...(earlier && { overlapped: earlier }) }
  }
  return { nextDueAt: nextSlotAt(grid, overlapped.toSlot), overlapped }
}

/** The slots in [from, to); undefined if there are none. */
export function slotsIn(grid: Grid, from: Date, to: Date): MissedRange | undefined {
  const fromSlot = nextSlotAt(grid, new Date(from.getTime() - 1))
  if (fromSlot >= to) return undefined
  const toSlot = slotAtOrBefore(grid, new Date(to.getTime() - 1))
  const intervalMs = grid.intervalSeconds * 1000
  return { fromSlot, toSlot, count: 1 + (toSlot.getTime() - fromSlot.getTime()) / intervalMs }
}

/**
 * A result voided by a change keeps its slot only if the schedule has moved past that slot. Otherwise it would occupy
 * the slot in which the changed monitor's check is still to be recorded.
 */
export function voidKeepsSlot(slot: Date, nextDueAt: Date | null): boolean {
  return nextDueAt === null || slot < nextDueAt
}

/** An INCONCLUSIVE check is repeated after 5, 15, 30, then every 60 s. Undefined if the next slot comes first. */
export function repeatAt(endedAt: Date, repeatsSoFar: number, nextDueAt: Date): Date | undefined {
  const last = REPEAT_DELAYS_SECONDS.length - 1
  const delaySeconds = REPEAT_DELAYS_SECONDS[Math.min(repeatsSoFar, last)] ?? 60
  const at = new Date(endedAt.getTime() + delaySeconds * 1000)
  return at < nextDueAt ? at : undefined
}

/** A job without a response from its probe. `sendsOnce`: the target must not receive the request twice. */
type PendingJob = {
  sentAt: Date
  sends: number
  budgetMs: number
  accepted: boolean
  sendsOnce: boolean
}

/**
 * The probe may have died with the job, so it is sent once more, but never past the next slot, and never if an accepted
 * request could reach the target twice. GIVE_UP makes the check INCONCLUSIVE.
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
