// CRON monitors are not checked: they ping us, and silence is the failure.
import type { HeartbeatClock, JobRun } from './heartbeat-clock.ts'
import type { MonitorState } from './monitor.ts'

/** The meaning of a request to `/hb/{token}/…`. */
export type PingSignal = 'SUCCESS' | 'START' | 'FAIL' | 'LOG'

export type HeartbeatRule = {
  expectedPeriodSec: number | null
  intervalSeconds: number
  graceSeconds: number
}

/** A period in which none of our processes could receive pings. */
type PingOutage = { startedAt: Date; endedAt: Date }

/** What we know about our own ability to receive pings. Nothing is known about the time after `until`. */
export type PingReceipt = { until: Date; outages: readonly PingOutage[] }

type HeartbeatCause = 'HEARTBEAT_MISSED' | 'HEARTBEAT_FAILED'
export type HeartbeatVerdict =
  | { verdict: 'PASSED' }
  | { verdict: 'FAILED'; cause: HeartbeatCause; failedAt: Date }

const MIN_RUN_SECONDS = 60
const MAX_RUNS = 20
const EXIT_CODE = /^(0|[1-9][0-9]{0,2})$/

/** Undefined if there is no such URL, which means a 404. */
export function parsePingSignal(suffix: string): PingSignal | undefined {
  if (suffix === '') return 'SUCCESS'
  if (suffix === 'start') return 'START'
  if (suffix === 'fail') return 'FAIL'
  if (suffix === 'log') return 'LOG'
  if (!EXIT_CODE.test(suffix) || Number(suffix) > 255) return undefined
  return suffix === '0' ? 'SUCCESS' : 'FAIL'
}

/** The state after a ping. While PAUSED it changes nothing. */
export function stateAfter(state: MonitorState, signal: PingSignal): MonitorState {
  if (state === 'PAUSED' || signal === 'START' || signal === 'LOG') return state
  return signal === 'SUCCESS' ? 'UP' : 'DOWN'
}

/** Created, resumed or changed to CRON: earlier pings no longer count. */
export function startClock(at: Date): HeartbeatClock {
  return { startedAt: at, lastPing: null, runs: [], missedAt: null }
}

/** `at` is when the ping was received. While PAUSED, pings are stored but must not be passed here. */
export function receive(
  clock: HeartbeatClock,
  call: { signal: PingSignal; at: Date; rid: string | null },
): { clock: HeartbeatClock; verdict?: HeartbeatVerdict } {
  const { signal, at, rid } = call
  if (signal === 'LOG') return { clock }
  if (signal === 'START')
    return { clock: { ...clock, runs: begin(clock.runs, rid, at), missedAt: null } }

  const passed = signal === 'SUCCESS'
  const runs = clock.runs.filter((run) => run.rid !== rid)
  return {
    clock: {
      ...withoutLoss(withoutRecovery(clock)),
      lastPing: { at, passed },
      runs,
      missedAt: null,
    },
    verdict: passed
      ? { verdict: 'PASSED' }
      : { verdict: 'FAILED', cause: 'HEARTBEAT_FAILED', failedAt: at },
  }
}

// A run that starts again without having ended keeps its first start. Otherwise a job that only ever starts would go
// unnoticed.
function begin(runs: readonly JobRun[], rid: string | null, startedAt: Date): readonly JobRun[] {
  if (runs.length >= MAX_RUNS || runs.some((run) => run.rid === rid)) return runs
  return [...runs, { rid, startedAt }]
}

/** When silence becomes a failure. An open run has its own deadline, which takes precedence. */
export function deadlineAt(rule: HeartbeatRule, clock: HeartbeatClock): Date {
  const [first] = clock.runs
  return first === undefined ? pingDeadline(rule, clock) : runDeadline(rule, first)
}

/** `next_due_at` of a CRON monitor. Nothing is due between a missed deadline and the next ping. */
export function heartbeatDueAt(rule: HeartbeatRule, clock: HeartbeatClock): Date | null {
  if (clock.missedAt !== null) return null
  const deadline = deadlineAt(rule, clock)
  const { recoversAt } = clock
  return recoversAt !== undefined && recoversAt < deadline ? recoversAt : deadline
}

/** The success was received, and is kept; its verdict has to wait. */
export function holdRecovery(clock: HeartbeatClock, recoversAt: Date): HeartbeatClock {
  return { ...clock, recoversAt }
}

/** Something newer says what the state is. */
export function withoutRecovery(clock: HeartbeatClock): HeartbeatClock {
  const { recoversAt: _, ...rest } = clock
  return rest
}

/**
 * `clock` must be read under the lock of the state row: a ping that came first has moved the deadline, and then nothing
 * is missed. A deadline counts as missed only once we know that a ping could have been received until then. A success
 * that waited counts once its time has come.
 */
export function judgeDeadline(
  rule: HeartbeatRule,
  before: HeartbeatClock,
  now: Date,
  receipt: PingReceipt,
): { clock: HeartbeatClock; verdict?: HeartbeatVerdict } {
  const clock = withOutages(rule, before, receipt.outages)
  const dueAt = heartbeatDueAt(rule, clock)
  if (dueAt === null || now < dueAt) return { clock }
  if (dueAt === clock.recoversAt)
    return { clock: withoutRecovery(clock), verdict: { verdict: 'PASSED' } }
  if (receipt.until < dueAt) return { clock }
  return { clock: { ...withoutRecovery(clock), runs: [], missedAt: dueAt }, verdict: missed(dueAt) }
}

/** POST /check: judges the clock as it is. Undefined if there is nothing to judge; then nothing is stored. */
export function judgeNow(
  rule: HeartbeatRule,
  before: HeartbeatClock,
  now: Date,
  receipt: PingReceipt,
): HeartbeatVerdict | undefined {
  const clock = withOutages(rule, before, receipt.outages)
  const deadline = clock.missedAt ?? deadlineAt(rule, clock)
  if (now >= deadline) return receipt.until < deadline ? undefined : missed(deadline)
  // Past the ping deadline, only an open run keeps the monitor from failing, and its outcome is not known yet.
  const { lastPing } = clock
  if (lastPing === null || now >= pingDeadline(rule, clock)) return undefined
  if (lastPing.passed) return { verdict: 'PASSED' }
  return { verdict: 'FAILED', cause: 'HEARTBEAT_FAILED', failedAt: lastPing.at }
}

/** The clock with our own downtime included. Returns the same object if nothing is new. */
function withOutages(
  rule: HeartbeatRule,
  clock: HeartbeatClock,
  outages: readonly PingOutage[],
): HeartbeatClock {
  if (outages.length === 0 || clock.missedAt !== null) return clock
  const lostMs = lostBefore(
    pingDeadline(rule, { ...clock, lostMs: 0 }),
    silentSince(clock),
    outages,
  )
  const runs = clock.runs.map((run) => {
    const deadline = runDeadline(rule, { ...run, lostMs: 0 })
    return { ...run, lostMs: lostBefore(deadline, run.startedAt, outages) }
  })
  const isNew =
    lostMs !== (clock.lostMs ?? 0) ||
    runs.some((run, i) => run.lostMs !== (clock.runs[i]?.lostMs ?? 0))
  return isNew ? { ...clock, lostMs, runs } : clock
}

/** Downtime between `since` and the deadline, which each loss moves. Later downtime changes nothing. */
function lostBefore(deadline: Date, since: Date, outages: readonly PingOutage[]): number {
  const inOrder = outages.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  let lostMs = 0
  let countedMs = since.getTime()
  for (const { startedAt, endedAt } of inOrder) {
    if (startedAt.getTime() >= deadline.getTime() + lostMs) break
    const fromMs = Math.max(startedAt.getTime(), countedMs)
    lostMs += Math.max(0, endedAt.getTime() - fromMs)
    countedMs = Math.max(countedMs, endedAt.getTime())
  }
  return lostMs
}

function withoutLoss(clock: HeartbeatClock): HeartbeatClock {
  const { lostMs: _, ...rest } = clock
  return rest
}

/** Time of the last ping, for "No heartbeat since …". */
export function silentSince(clock: HeartbeatClock): Date {
  return clock.lastPing?.at ?? clock.startedAt
}

function missed(deadline: Date): HeartbeatVerdict {
  return { verdict: 'FAILED', cause: 'HEARTBEAT_MISSED', failedAt: deadline }
}

function pingDeadline(rule: HeartbeatRule, clock: HeartbeatClock): Date {
  const periodSeconds = rule.expectedPeriodSec ?? rule.intervalSeconds
  return later(silentSince(clock), periodSeconds + rule.graceSeconds, clock.lostMs)
}

function runDeadline({ graceSeconds }: HeartbeatRule, { startedAt, lostMs }: JobRun): Date {
  return later(startedAt, Math.max(graceSeconds, MIN_RUN_SECONDS), lostMs)
}

function later(at: Date, seconds: number, lostMs = 0): Date {
  return new Date(at.getTime() + seconds * 1000 + lostMs)
}
