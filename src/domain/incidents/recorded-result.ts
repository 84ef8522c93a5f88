// A stored result, and the check result that it was: what the engine decided from.
import type { DegradedRule } from '../monitors/degraded.ts'
import type { MonitorState, MonitorType } from '../monitors/monitor.ts'
import type { Interval } from '../monitors/uptime.ts'
import type { Verdict } from '../monitors/verdict.ts'
import type { CheckResult } from './apply-result.ts'
import type { CauseCode, Incident } from './incident.ts'

/** A result as it is stored: only the slot of its check is known, not when its attempts began and ended. */
export type RecordedResult = {
  at: Date
  verdict: Verdict
  responseMs: number | null
  httpStatus: number | null
  regionNo: number | null
  causeCode: CauseCode | null
}

export type RecordedIncident = Pick<
  Incident,
  'uuid' | 'startedAt' | 'resolvedAt' | 'resolution' | 'causeCode' | 'acknowledgedAt'
>

/** A pause, or a resume or change of type after which the monitor was PENDING. */
export type RecordedChange = { at: Date; state: 'PAUSED' | 'PENDING' }

export type ReplayHistory = Interval & {
  /** At the beginning. */
  state: MonitorState
  /** In the order of their slots, each slot once. */
  results: readonly RecordedResult[]
  changes: readonly RecordedChange[]
  /** Those that were open at some time of the period. */
  incidents: readonly RecordedIncident[]
  maintenance: readonly Interval[]
}

export type ReplaySettings = DegradedRule & {
  type: MonitorType
  /** Null judges statuses as they were judged. */
  expectedStatus: readonly number[] | null
}

/** When checks of known incidents began to fail, or ended well, by their slot in milliseconds. */
export type ExactTimes = {
  started: ReadonlyMap<number, RecordedIncident>
  resolved: ReadonlyMap<number, Date>
}

/** No other check of a monitor runs meanwhile, so a time belongs to the last slot before it. */
export function exactTimes({ results, incidents }: ReplayHistory): ExactTimes {
  const started = new Map<number, RecordedIncident>()
  const resolved = new Map<number, Date>()
  for (const incident of incidents) {
    const first = lastBefore(results, incident.startedAt)
    if (first?.verdict === 'FAILED') started.set(first.at.getTime(), incident)
    const { resolvedAt, resolution } = incident
    if (resolvedAt === null || resolution !== 'RECOVERED') continue
    const last = lastBefore(results, resolvedAt)
    if (last !== undefined) resolved.set(last.at.getTime(), resolvedAt)
  }
  return { started, resolved }
}

function lastBefore(results: readonly RecordedResult[], at: Date): RecordedResult | undefined {
  let [low, high] = [0, results.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = results[middle]
    if (found !== undefined && found.at <= at) low = middle + 1
    else high = middle
  }
  return results[low - 1]
}

/** Without what happened by checks that are not among the results, because they were recorded meanwhile. */
export function knownIncidents(
  results: readonly RecordedResult[],
  incidents: readonly RecordedIncident[],
): RecordedIncident[] {
  const last = results.at(-1)
  if (last === undefined) return [...incidents]
  const isFailed = last.verdict === 'FAILED'
  const begun = incidents.filter(({ startedAt }) => isFailed || startedAt <= last.at)
  return begun.map((incident) => {
    const { resolvedAt, resolution } = incident
    const isOpen = isFailed && resolution === 'RECOVERED' && resolvedAt && resolvedAt > last.at
    return isOpen ? { ...incident, resolvedAt: null, resolution: null } : incident
  })
}

/** Whether a keyword was on a page with an unexpected status is not known, so such a failure stays one. */
export function rejudged(result: RecordedResult, settings: ReplaySettings): RecordedResult {
  const { type, expectedStatus } = settings
  const { httpStatus, verdict } = result
  if (expectedStatus === null || httpStatus === null || verdict === 'INCONCLUSIVE') return result
  if (type !== 'HTTP' && type !== 'KEYWORD') return result
  const isExpected = expectedStatus.includes(httpStatus)
  if (verdict !== 'FAILED')
    return isExpected ? result : { ...result, verdict: 'FAILED', causeCode: 'UNEXPECTED_STATUS' }
  const isForgiven = isExpected && type === 'HTTP' && result.causeCode === 'UNEXPECTED_STATUS'
  return isForgiven ? { ...result, verdict: 'PASSED', causeCode: null } : result
}

const UNKNOWN_CAUSE: CauseCode = 'INVALID_RESPONSE'
/** The warning before expiry that `toCheckResult` expects. */
export const WARNING_DAYS = 1

export function toCheckResult(
  type: MonitorType,
  recorded: RecordedResult,
  exact: ExactTimes,
): CheckResult {
  const { at, verdict, responseMs, httpStatus, regionNo } = recorded
  const isFailed = verdict === 'FAILED'
  const beganAt = (isFailed && exact.started.get(at.getTime())?.startedAt) || at
  const endedAt = isFailed ? beganAt : (exact.resolved.get(at.getTime()) ?? later(at, responseMs))
  // The dates themselves are not stored: one that expires right after the check gives the same verdict.
  const expiresAt = verdict === 'SLOW' ? later(endedAt, 1) : null
  const causeCode = isFailed ? (recorded.causeCode ?? UNKNOWN_CAUSE) : null
  return {
    kind: 'SCHEDULED',
    slot: at,
    epoch: 0,
    regionNo,
    beganAt,
    endedAt,
    outcome: outcomeOf(recorded, beganAt),
    seen: {
      causeCode,
      cause: causeCode,
      responseMs,
      httpStatus,
      certExpiresAt: type === 'SSL' ? expiresAt : null,
      domainExpiresAt: type === 'DOMAIN' ? expiresAt : null,
      dnsAnswers: null,
    },
  }
}

function outcomeOf(
  { verdict, responseMs, causeCode }: RecordedResult,
  failedSince: Date,
): CheckResult['outcome'] {
  if (verdict === 'INCONCLUSIVE') return { result: 'INCONCLUSIVE', reason: 'recorded' }
  if (verdict !== 'FAILED') return { result: 'OK', responseMs, sampled: responseMs !== null }
  const cause = causeCode ?? UNKNOWN_CAUSE
  return {
    result: 'FAILED',
    failure: { cause, bytesSent: false, controlReached: null },
    failedSince,
  }
}

const later = (at: Date, ms: number | null) => new Date(at.getTime() + (ms ?? 0))
