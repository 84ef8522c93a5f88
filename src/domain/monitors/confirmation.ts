// Decides which attempt comes next, or what the check found if no further one is needed. A pure function of the
// attempts so far, so the same code serves every probe, region and replay.
import { type Doubt, isSilent } from './egress-doubt.ts'

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
  /** Whether anything else answered the probe. Null if it asked nothing, which disables the egress rule. */
  controlReached: boolean | null
  /** Nothing answered. Undefined if the probe does not say: then the cause does. */
  silent?: boolean
  /** The address the probe refused to connect to, or connected to. */
  address?: string | null
}

type FailedAttempt = Attempt & { outcome: 'FAILED' }

export type CheckPlan = {
  timeoutSeconds: number
  /** Null for types that send no HTTP request. */
  method: string | null
  /** Where the check runs. Undefined if no region has a probe. */
  base: string | undefined
  /**
   * The base was chosen and has not reached the target yet, though another region has: its failure counts only if a
   * proven region says the same.
   */
  isBaseUnproven?: boolean
  /** Other regions that may decide about the target: see regions/reach.ts. */
  proven: readonly string[]
  liveRegions: readonly string[]
  /** The monitor is DOWN: silence is no news. */
  isDown: boolean
  /** Its silence says nothing about the network that leads to public addresses. */
  isPrivate: boolean
  /** Whether the base's own network is in doubt. OVER: for so long that failures count until something answers. */
  doubt: Doubt
  /** Whether the target has passed at this address. */
  wasReachedAt(address: string | null): boolean
}

export type CheckOutcome =
  | {
      result: 'OK'
      responseMs: number | null
      sampled: boolean
      /** From where it is down, if it is down from too few regions to be DOWN. */
      downFrom?: string
    }
  | { result: 'FAILED'; failure: CheckFailure; failedSince: Date }
  | { result: 'INCONCLUSIVE'; reason: string }

export type ConfirmationStep =
  | { do: 'ATTEMPT'; region: string; delayMs: number; budgetMs: number }
  | { do: 'FINISH'; check: CheckOutcome }

/** The probe reported something that is no finding. */
export const PROBE_FAULT = 'PROBE_FAULT'
const NOT_ALLOWED = 'TARGET_NOT_ALLOWED'
/** Only a region that has never reached the target says that it fails. */
const NOT_PROVEN = 'NOT_PROVEN'
/** What only this probe cannot do: the next region that may decide is asked. */
const ELSEWHERE = new Set([PROBE_FAULT, 'NO_ROUTE', NOT_ALLOWED])

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
  // The rules of this probe changed, and not the target.
  if (last.failure.cause === NOT_ALLOWED && plan.wasReachedAt(last.failure.address ?? null))
    return afterFault(plan, attempts, NOT_ALLOWED)
  if (plan.isBaseUnproven && last.region === plan.base) return afterUnproven(plan, attempts, last)
  return afterFailure(plan, attempts, last)
}

const isFirst = (attempts: readonly Attempt[]) => attempts.filter(isVerdict).length === 1

function afterFailure(
  plan: CheckPlan,
  attempts: readonly Attempt[],
  last: FailedAttempt,
): ConfirmationStep {
  if (isFirst(attempts) && isConfirmable(last.failure) && mayRepeat(plan, last.failure))
    return attemptAgain(plan, attempts, CONFIRM_DELAY_MS, confirmBudgetMs(plan.timeoutSeconds))
  if (isEgressInDoubt(plan, attempts, last)) return inconclusive('EGRESS')
  return failed(attempts, last)
}

/** Only a proven region can tell whether it is the target. */
function afterUnproven(
  plan: CheckPlan,
  attempts: readonly Attempt[],
  last: FailedAttempt,
): ConfirmationStep {
  const isAnyoneLeft = regionNotAsked(plan, attempts) !== undefined
  if (!isFirst(attempts) || !isAnyoneLeft || !mayRepeat(plan, last.failure))
    return inconclusive(NOT_PROVEN)
  return attemptAgain(plan, attempts, CONFIRM_DELAY_MS, confirmBudgetMs(plan.timeoutSeconds))
}

function firstAttempt(plan: CheckPlan): ConfirmationStep {
  const [region] = mayDecide(plan)
  if (region === undefined) return inconclusive('NO_PROBE')
  return { do: 'ATTEMPT', region, delayMs: 0, budgetMs: plan.timeoutSeconds * 1000 }
}

/** The live regions that may decide about the target, its base first. */
function mayDecide({ base, proven, liveRegions }: CheckPlan): string[] {
  const isLive = (region: string | undefined) => liveRegions.some((live) => live === region)
  const others = proven.filter((region) => region !== base && isLive(region))
  return base !== undefined && isLive(base) ? [base, ...others] : others
}

// The probe has taken the job, so that only a request without side effects may be sent again, and only to a region that
// was not asked yet.
function afterFault(
  plan: CheckPlan,
  attempts: readonly Attempt[],
  reason: string,
): ConfirmationStep {
  const region = regionNotAsked(plan, attempts)
  const leftMs = maxCheckMs(plan.timeoutSeconds) - elapsedMs(attempts)
  if (!ELSEWHERE.has(reason) || region === undefined || leftMs < MIN_BUDGET_MS)
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
  const regions = mayDecide(plan)
  const sound = new Set(attempts.filter(isVerdict).map((attempt) => attempt.region))
  const again = regions.find((region) => sound.has(region)) ?? regions[0]
  return regionNotAsked(plan, attempts) ?? again
}

function regionNotAsked(plan: CheckPlan, attempts: readonly Attempt[]) {
  const asked = new Set(attempts.map((attempt) => attempt.region))
  return mayDecide(plan).find((region) => !asked.has(region))
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

// The last attempt met silence, no other region confirms it, and nothing else answered that region: our own network may
// be down. For a private target only the operator's control targets are asked, never public addresses: so it waits until
// others have found out.
function isEgressInDoubt(
  { isDown, isPrivate, doubt }: CheckPlan,
  attempts: readonly Attempt[],
  last: FailedAttempt,
): boolean {
  if (!isSilence(last) || isDown || doubt === 'OVER') return false
  const confirmed = attempts.some(
    (other) => other.region !== last.region && isSilence(other) && !isSpoiled(other),
  )
  if (confirmed) return false
  const isAlone = attempts.some(
    (other) =>
      other.region === last.region &&
      other.outcome === 'FAILED' &&
      other.failure.controlReached === false,
  )
  return isAlone || (isPrivate && doubt === 'DOUBT')
}

function isSilence(attempt: Attempt): boolean {
  return attempt.outcome === 'FAILED' && isSilent(attempt.failure)
}

// The response time is a sample only if the probe did not stall and ran in the base, as the other samples did.
function passed(plan: CheckPlan, last: Attempt & { outcome: 'OK' }): ConfirmationStep {
  const sampled = last.responseMs !== null && !last.stalled && last.region === plan.base
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
