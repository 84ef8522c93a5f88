// CRON monitors are not looked at: they call us, and silence is the failure.
import type { HeartbeatClock, JobRun } from './heartbeat-clock.ts'
import type { MonitorState } from './monitor.ts'

/** What a call to `/hb/{token}/…` says. */
export type PingSignal = 'SUCCESS' | 'START' | 'FAIL' | 'LOG'

export type HeartbeatRule = {
  expectedPeriodSec: number | null
  intervalSeconds: number
  graceSeconds: number
}

/** A time in which no process of ours could receive pings. */
type PingOutage = { startedAt: Date; endedAt: Date }

/** What is on record about receiving pings: nothing is known yet of the time after `until`. */
export type PingReceipt = { until: Date; outages: readonly PingOutage[] }

type HeartbeatCause = 'HEARTBEAT_MISSED' | 'HEARTBEAT_FAILED'
export type HeartbeatVerdict =
  | { verdict: 'PASSED' }
  | { verdict: 'FAILED'; cause: HeartbeatCause; failedAt: Date }

const MIN_RUN_SECONDS = 60
const MAX_RUNS = 20
const EXIT_CODE = /^(0|[1-9][0-9]{0,2})$/

/** undefined: there is no such address, so the answer is 404. */
export function parsePingSignal(suffix: string): PingSignal | undefined {
  if (suffix === '') return 'SUCCESS'
  if (suffix === 'start') return 'START'
  if (suffix === 'fail') return 'FAIL'
  if (suffix === 'log') return 'LOG'
  if (!EXIT_CODE.test(suffix) || Number(suffix) > 255) return undefined
  return suffix === '0' ? 'SUCCESS' : 'FAIL'
}

/** What a report makes of the state. While PAUSED it changes nothing. */
export function stateAfter(state: MonitorState, signal: PingSignal): MonitorState {
  if (state === 'PAUSED' || signal === 'START' || signal === 'LOG') return state
  return signal === 'SUCCESS' ? 'UP' : 'DOWN'
}

/** Created, resumed or turned into CRON: what came before no longer counts. */
export function startClock(at: Date): HeartbeatClock {
  return { startedAt: at, lastPing: null, runs: [], missedAt: null }
}

/** `at` is the receipt. While PAUSED a call is stored and must not come here. */
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
    clock: { ...withoutLoss(clock), lastPing: { at, passed }, runs, missedAt: null },
    verdict: passed
      ? { verdict: 'PASSED' }
      : { verdict: 'FAILED', cause: 'HEARTBEAT_FAILED', failedAt: at },
  }
}

// A run that starts again without having ended keeps its first start: a job that only ever starts
// would otherwise never be noticed.
function begin(runs: readonly JobRun[], rid: string | null, startedAt: Date): readonly JobRun[] {
  if (runs.length >= MAX_RUNS || runs.some((run) => run.rid === rid)) return runs
  return [...runs, { rid, startedAt }]
}

/** The instant at which silence becomes a failure. An open run has its own, and it comes first. */
export function deadlineAt(rule: HeartbeatRule, clock: HeartbeatClock): Date {
  const [first] = clock.runs
  return first === undefined ? pingDeadline(rule, clock) : runDeadline(rule, first)
}

/** `next_due_at` of a CRON monitor: nothing is due between a missed deadline and the next call. */
export function heartbeatDueAt(rule: HeartbeatRule, clock: HeartbeatClock): Date | null {
  return clock.missedAt === null ? deadlineAt(rule, clock) : null
}

/**
 * The deadline's verdict. `clock` must have been read under the lock of the state row: a call that
 * came first has moved the deadline, and then nothing is missed. Nor is it before the record shows that
 * a call could have been received until then.
 */
export function judgeDeadline(
  rule: HeartbeatRule,
  before: HeartbeatClock,
  now: Date,
  receipt: PingReceipt,
): { clock: HeartbeatClock; verdict?: HeartbeatVerdict } {
  const clock = withOutages(rule, before, receipt.outages)
  const deadline = heartbeatDueAt(rule, clock)
  if (deadline === null || now < deadline || receipt.until < deadline) return { clock }
  return { clock: { ...clock, runs: [], missedAt: deadline }, verdict: missed(deadline) }
}

/** POST /check: judges the clock as it stands. undefined: nothing to judge, nothing is stored. */
export function judgeNow(
  rule: HeartbeatRule,
  before: HeartbeatClock,
  now: Date,
  receipt: PingReceipt,
): HeartbeatVerdict | undefined {
  const clock = withOutages(rule, before, receipt.outages)
  const deadline = clock.missedAt ?? deadlineAt(rule, clock)
  if (now >= deadline) return receipt.until < deadline ? undefined : missed(deadline)
  // Only an open run keeps an overdue monitor alive: how it ends is not known yet.
  const { lastPing } = clock
  if (lastPing === null || now >= pingDeadline(rule, clock)) return undefined
  if (lastPing.passed) return { verdict: 'PASSED' }
  return { verdict: 'FAILED', cause: 'HEARTBEAT_FAILED', failedAt: lastPing.at }
}

/** The clock with our own downtime counted. The same object when nothing is new. */
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

/** What was lost between `since` and the deadline, which each loss moves. Later downtime changes nothing. */
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

/** Since when nothing was heard: "No heartbeat since …". */
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
