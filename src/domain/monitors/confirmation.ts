// Decides which attempt comes next, or what the check found if no further one is needed. A pure function of the
// attempts so far, so the same code serves every probe, region and replay.

export type Attempt = {
  region: string
  startedAt: Date
  endedAt: Date
  /** The probe's event loop stalled for more than 200 ms, so its timings cannot be trusted. */
  stalled: boolean
} & (
  | { outcome: 'OK'; responseMs: number | null }
  | { outcome: 'FAILED'; failure: CheckFailure }
  | { outcome: 'FAULT'; reason: string } // ours, never the target's
)

export type CheckFailure = {
  cause: string
  httpStatus?: number
  /** At least one byte of the request was sent, so the target may have acted on it. */
  bytesSent: boolean
  /** Whether a control target accepted TCP. Null if none is configured, which disables the egress rule. */
  controlReached: boolean | null
}

type FailedAttempt = Attempt & { outcome: 'FAILED' }

export type CheckPlan = {
  timeoutSeconds: number
  /** Null for types that send no HTTP request. */
  method: string | null
  /** Undefined if no region has a probe. */
  homeRegion: string | undefined
  liveRegions: readonly string[]
}

export type CheckOutcome =
  | { result: 'OK'; responseMs: number | null; sampled: boolean }
  | { result: 'FAILED'; failure: CheckFailure; failedSince: Date }
  | { result: 'INCONCLUSIVE'; reason: string }

export type ConfirmationStep =
  | { do: 'ATTEMPT'; region: string; delayMs: number; budgetMs: number }
  | { do: 'FINISH'; check: CheckOutcome }

/** The probe reported something that is no finding. */
export const PROBE_FAULT = 'PROBE_FAULT'

const CONFIRM_DELAY_MS = 1_000
const MAX_CONFIRM_BUDGET_MS = 10_000
const MIN_BUDGET_MS = 1_000

const TRANSPORT = new Set([
  'TIMEOUT',
  'DNS_ERROR',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'CONNECTION_FAILED',
  'TLS_ERROR',
  'PING_NO_REPLY',
])
// Silence looks the same whether the target or our own network is down. Any response, even a refusal, proves that our
// network works; DNS_ERROR has its own control query inside the check.
const SILENCE = new Set(['TIMEOUT', 'CONNECTION_FAILED', 'PING_NO_REPLY'])
const SENDS_ONCE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A request with side effects must not reach its target twice. */
export function sendsOnce(method: string | null): boolean {
  return method !== null && SENDS_ONCE.has(method)
}

/** Upper bound for the duration of a check. */
export function maxCheckMs(timeoutSeconds: number): number {
  return timeoutSeconds * 1000 + CONFIRM_DELAY_MS + confirmBudgetMs(timeoutSeconds)
}

export function nextStep(plan: CheckPlan, attempts: readonly Attempt[]): ConfirmationStep {
  const last = attempts.at(-1)
  if (last === undefined) return firstAttempt(plan)
  if (last.outcome === 'FAULT') return afterFault(plan, attempts, last.reason)
  if (last.outcome === 'OK') return passed(plan, last)

  if (isSpoiled(last)) return afterSpoiled(plan, attempts, last.failure)
  const isFirst = attempts.filter(isVerdict).length === 1
  if (isFirst && isConfirmable(last.failure) && mayRepeat(plan, last.failure))
    return attemptAgain(plan, attempts, CONFIRM_DELAY_MS, confirmBudgetMs(plan.timeoutSeconds))
  if (isEgressInDoubt(attempts, last)) return inconclusive('EGRESS')
  return failed(attempts, last)
}

function firstAttempt({ timeoutSeconds, homeRegion, liveRegions }: CheckPlan): ConfirmationStep {
  const region = liveRegions.find((live) => live === homeRegion) ?? liveRegions[0]
  if (region === undefined) return inconclusive('NO_PROBE')
  return { do: 'ATTEMPT', region, delayMs: 0, budgetMs: timeoutSeconds * 1000 }
}

// A probe that reports nonsense has taken the job, so that only a request without side effects may be sent again, and
// only to a region that was not asked yet.
function afterFault(
  plan: CheckPlan,
  attempts: readonly Attempt[],
  reason: string,
): ConfirmationStep {
  const region = regionNotAsked(plan, attempts)
  const leftMs = maxCheckMs(plan.timeoutSeconds) - elapsedMs(attempts)
  if (reason !== PROBE_FAULT || region === undefined || leftMs < MIN_BUDGET_MS)
    return inconclusive(reason)
  if (sendsOnce(plan.method)) return inconclusive(reason)
  const budgetMs = Math.min(plan.timeoutSeconds * 1000, leftMs)
  return { do: 'ATTEMPT', region, delayMs: 0, budgetMs }
}

// A timeout on a stalled probe says nothing about the target. Retry immediately, but only once, and within the time a
// check may take.
function afterSpoiled(
  plan: CheckPlan,
  attempts: readonly Attempt[],
  failure: CheckFailure,
): ConfirmationStep {
  const stalledTwice = attempts.filter(isSpoiled).length > 1
  const leftMs = maxCheckMs(plan.timeoutSeconds) - elapsedMs(attempts)
  if (stalledTwice || leftMs < MIN_BUDGET_MS || !mayRepeat(plan, failure))
    return inconclusive('STALLED')
  return attemptAgain(plan, attempts, 0, Math.min(confirmBudgetMs(plan.timeoutSeconds), leftMs))
}

function attemptAgain(
  plan: CheckPlan,
  attempts: readonly Attempt[],
  delayMs: number,
  budgetMs: number,
): ConfirmationStep {
  const region = regionForNext(plan, attempts)
  return region === undefined
    ? inconclusive('NO_PROBE')
    : { do: 'ATTEMPT', region, delayMs, budgetMs }
}

// A second region proves more than the same one twice.
function regionForNext(plan: CheckPlan, attempts: readonly Attempt[]) {
  const sound = new Set(attempts.filter(isVerdict).map((attempt) => attempt.region))
  const again = plan.liveRegions.find((region) => sound.has(region)) ?? plan.liveRegions[0]
  return regionNotAsked(plan, attempts) ?? again
}

function regionNotAsked({ liveRegions }: CheckPlan, attempts: readonly Attempt[]) {
  const asked = new Set(attempts.map((attempt) => attempt.region))
  return liveRegions.find((region) => !asked.has(region))
}

const isVerdict = ({ outcome }: Attempt): boolean => outcome !== 'FAULT'

function isSpoiled(attempt: Attempt): boolean {
  return attempt.outcome === 'FAILED' && attempt.stalled && attempt.failure.cause === 'TIMEOUT'
}

function isConfirmable({ cause, httpStatus }: CheckFailure): boolean {
  return TRANSPORT.has(cause) || (cause === 'UNEXPECTED_STATUS' && (httpStatus ?? 0) >= 500)
}

function mayRepeat(plan: CheckPlan, failure: CheckFailure): boolean {
  return !(sendsOnce(plan.method) && failure.bytesSent)
}

// The last attempt met silence, no other region confirms it, and no control target responded: our own network may be
// down. Control targets are probed after the attempt, so a later success does not clear an earlier doubt: the network
// may have recovered in between.
function isEgressInDoubt(attempts: readonly Attempt[], last: FailedAttempt): boolean {
  const confirmed = attempts.some(
    (other) => other.region !== last.region && isSilence(other) && !isSpoiled(other),
  )
  const doubted = attempts.some(
    (other) =>
      other.region === last.region &&
      other.outcome === 'FAILED' &&
      other.failure.controlReached === false,
  )
  return isSilence(last) && !confirmed && doubted
}

function isSilence(attempt: Attempt): boolean {
  return attempt.outcome === 'FAILED' && SILENCE.has(attempt.failure.cause)
}

// The response time is a sample only if the probe did not stall and ran in the region the other samples come from.
function passed(plan: CheckPlan, last: Attempt & { outcome: 'OK' }): ConfirmationStep {
  const sampled = last.responseMs !== null && !last.stalled && last.region === plan.homeRegion
  const responseMs = last.stalled ? null : last.responseMs
  return { do: 'FINISH', check: { result: 'OK', responseMs, sampled } }
}

function failed(attempts: readonly Attempt[], last: FailedAttempt): ConfirmationStep {
  const first = attempts.find((attempt) => isVerdict(attempt) && !isSpoiled(attempt)) ?? last
  const check = { failure: last.failure, failedSince: first.startedAt }
  return { do: 'FINISH', check: { result: 'FAILED', ...check } }
}

function inconclusive(reason: string): ConfirmationStep {
  return { do: 'FINISH', check: { result: 'INCONCLUSIVE', reason } }
}

function confirmBudgetMs(timeoutSeconds: number): number {
  return Math.min(timeoutSeconds * 1000, MAX_CONFIRM_BUDGET_MS)
}

function elapsedMs(attempts: readonly Attempt[]): number {
  const began = attempts[0]?.startedAt.getTime() ?? 0
  return (attempts.at(-1)?.endedAt.getTime() ?? began) - began
}
