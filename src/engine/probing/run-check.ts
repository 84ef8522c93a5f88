// Runs one check from its first attempt to its outcome. The domain decides which attempt comes next.
import { setTimeout as delay } from 'node:timers/promises'
import { toTarget } from '../../checks/registry.ts'
import type { Observation } from '../../domain/incidents/apply-result.ts'
import type { EvidenceInput } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import { type CheckOutcome, nextStep, sendsOnce } from '../../domain/monitors/confirmation.ts'
import { resolveHomeRegion } from '../../domain/monitors/home-region.ts'
import { toIssuer } from '../../domain/monitors/issuer.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { SpanContext } from '../../platform/observability/trace-context.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import type { JobSender, ObservedAttempt } from './job-sender.ts'

type RunDeps = {
  sender: JobSender
  /** Regions with a live probe that can check this type. */
  liveRegions(type: string): string[]
  /** Regions that had such a probe within the last hour, oldest first. */
  presentRegions(type: string): string[]
}

/** A monitor, or a draft of one, with what its organization's settings say about checking it. */
export type CheckedMonitor = MonitorSettings &
  Pick<DueMonitor, 'orgId' | 'privateTargets' | 'homeRegion'> & {
    /** Check from there and from nowhere else. */
    onlyRegion?: string
  }

export type FinishedCheck = {
  outcome: CheckOutcome
  beganAt: Date
  endedAt: Date
  region: string | null
  observation: Observation
  /** Lazy, because it is rarely stored. */
  evidence(): EvidenceInput
}

// Two attempts, plus one if a stall of ours spoils one of them, plus one if a probe reports no finding. The fifth pass
// only finishes.
const MAX_ATTEMPTS = 5

export async function runCheck(
  deps: RunDeps,
  monitor: CheckedMonitor,
  now: () => Date,
  trace?: SpanContext,
): Promise<FinishedCheck> {
  const target = toTarget(monitor)
  const present = deps.presentRegions(target.type)
  const { homeRegion: chosen, onlyRegion } = monitor
  const homeRegion = onlyRegion ?? resolveHomeRegion({ chosen, present })
  const method = 'method' in target ? target.method : null
  const attempts: ObservedAttempt[] = []
  const beganAt = now()
  for (let number = 1; number <= MAX_ATTEMPTS; number++) {
    const live = deps.liveRegions(target.type)
    const liveRegions = live.filter((region) => region === (onlyRegion ?? region))
    const { timeoutSeconds } = monitor
    const step = nextStep({ timeoutSeconds, method, homeRegion, liveRegions }, attempts)
    if (step.do === 'FINISH') return finish(step.check, attempts, { beganAt, endedAt: now() })
    if (step.delayMs > 0) await delay(step.delayMs)
    const attempt = await deps.sender.attempt(step.region, {
      orgId: monitor.orgId,
      number,
      budgetMs: step.budgetMs,
      task: { target, privateTargets: monitor.privateTargets },
      sendsOnce: sendsOnce(method),
      trace,
    })
    attempts.push(attempt)
  }
  const outcome = { result: 'INCONCLUSIVE', reason: 'TOO_MANY_ATTEMPTS' } as const
  return finish(outcome, attempts, { beganAt, endedAt: now() })
}

type Times = { beganAt: Date; endedAt: Date }

function finish(
  outcome: CheckOutcome,
  attempts: readonly ObservedAttempt[],
  times: Times,
): FinishedCheck {
  const last = attempts.at(-1)
  const beganAt = attempts[0]?.startedAt ?? times.beganAt
  const endedAt = last?.endedAt ?? times.endedAt
  const observation = toObservation(last)
  const facts = () => toCheckEvidence(outcome, attempts, observation, endedAt)
  return { outcome, beganAt, endedAt, region: last?.region ?? null, observation, evidence: facts }
}

function toObservation(attempt: ObservedAttempt | undefined): Observation {
  const finding = attempt?.finding
  if (!finding || finding.outcome === 'INCONCLUSIVE') return NO_OBSERVATION
  const failed = finding.outcome === 'FAILED'
  const instant = (text: string | undefined) => (text === undefined ? null : new Date(text))
  return {
    causeCode: failed ? finding.causeCode : null,
    cause: failed ? finding.cause : null,
    responseMs: finding.stalled ? null : (finding.responseMs ?? null),
    httpStatus: finding.httpStatus ?? null,
    certExpiresAt: instant(finding.certExpiresAt),
    domainExpiresAt: instant(finding.domainExpiresAt),
    // A probe may send anything.
    issuer: toIssuer(finding.issuer),
    dnsAnswers: finding.dnsAnswers ?? null,
    timings: finding.timings ?? null,
  }
}

export const NO_OBSERVATION: Observation = {
  causeCode: null,
  cause: null,
  responseMs: null,
  httpStatus: null,
  certExpiresAt: null,
  domainExpiresAt: null,
  dnsAnswers: null,
}

function toCheckEvidence(
  outcome: CheckOutcome,
  attempts: readonly ObservedAttempt[],
  observation: Observation,
  checkedAt: Date,
): EvidenceInput {
  const last = attempts.at(-1)
  const { domainExpiresAt: _, issuer: _issuer, ...shown } = observation
  return {
    ...shown,
    ...toTrace(last?.finding),
    checkedAt,
    location: last?.region ?? 'none',
    outcome: outcome.result === 'OK' ? 'OK' : 'FAILED',
    attempts: attempts.map(toEvidenceAttempt),
  }
}

function toTrace(finding: ObservedAttempt['finding'] | undefined) {
  if (!finding || finding.outcome === 'INCONCLUSIVE')
    return { resolvedIp: null, timings: null, bodyExcerpt: null }
  const { resolvedIp = null, timings = null, bodyExcerpt = null } = finding
  return { resolvedIp, timings, bodyExcerpt }
}

function toEvidenceAttempt({ startedAt, region, outcome, finding }: ObservedAttempt) {
  const known = finding && finding.outcome !== 'INCONCLUSIVE' ? finding : null
  const causeCode: CauseCode | null = known?.outcome === 'FAILED' ? known.causeCode : null
  return {
    startedAt,
    region,
    outcome: outcome === 'OK' ? ('OK' as const) : ('FAILED' as const),
    causeCode,
    responseMs: known?.responseMs ?? null,
    httpStatus: known?.httpStatus ?? null,
  }
}
