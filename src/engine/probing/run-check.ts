// Runs one check from its first attempt to its outcome. The domain decides which attempt comes next.
import { setTimeout as delay } from 'node:timers/promises'
import { type CheckTarget, toTarget } from '../../checks/registry.ts'
import type { Observation } from '../../domain/incidents/apply-result.ts'
import type { EvidenceInput } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import {
  type CheckOutcome,
  type CheckPlan,
  nextStep,
  sendsOnce,
} from '../../domain/monitors/confirmation.ts'
import { toIssuer } from '../../domain/monitors/issuer.ts'
import type { MonitorSettings, MonitorState } from '../../domain/monitors/monitor.ts'
import { placeOfChoice } from '../../domain/regions/chosen-regions.ts'
import type { RegionAnswer } from '../../domain/regions/each-verdict.ts'
import { resolveHomeRegion } from '../../domain/regions/home-region.ts'
import {
  baseRegion,
  isPrivateTarget,
  provenRegions,
  type RegionFinding,
  type RegionProof,
  wasReachedAt,
} from '../../domain/regions/reach.ts'
import type { SpanContext } from '../../platform/observability/trace-context.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import type { RegionChoice } from '../../store/monitors/region-settings.ts'
import type { EgressWatch } from './egress-watch.ts'
import type { JobSender } from './job-sender.ts'
import { isWrittenPrivate, toRegionFinding } from './region-finding.ts'
import type { ObservedAttempt } from './to-attempt.ts'

export type RunDeps = {
  sender: JobSender
  /** Regions with a live probe that can check this type. */
  liveRegions(type: string): string[]
  /** Regions that had such a probe within the last hour, oldest first. */
  presentRegions(type: string): string[]
  /** When a probe of the region was last seen. */
  seenAt(region: string): Date | null
  egress: EgressWatch
}

/** A monitor, or a draft of one, with what its organization's settings say about checking it. */
export type CheckedMonitor = MonitorSettings &
  Pick<
    DueMonitor,
    'orgId' | 'privateTargets' | 'homeRegion' | 'homeChosenAt' | keyof RegionChoice
  > & {
    /** None for a draft. */
    proofs: readonly RegionProof[]
    state?: MonitorState
    no?: number
    shard?: number
    lastCheckedAt?: Date | null
    lastStatusChangedAt?: Date | null
    epoch?: number
    /** Check from there and from nowhere else. */
    onlyRegion?: string
  }

export type FinishedCheck = {
  outcome: CheckOutcome
  beganAt: Date
  endedAt: Date
  region: string | null
  home: string | undefined
  /** Where the check should run. */
  base: string | undefined
  isPrivate: boolean
  findings: readonly RegionFinding[]
  observation: Observation
  /** What each region said, if it ran in several at once. */
  regions?: readonly RegionReport[]
  /** A chosen region that had no part in it, although others had. */
  leftOut?: LeftOut
  /** Lazy, because it is rarely stored. */
  evidence(): EvidenceInput
}

/** `since`: when it last had a probe, if known. */
export type LeftOut = { region: string; reason: 'NO_PROBE' | 'NOT_PROVEN'; since: Date | null }

/** Of one region of a check that ran in several at once. */
export type RegionReport = RegionAnswer & { observation: Observation }

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
  const beganAt = now()
  const place = placeOf(deps, monitor, target, beganAt)
  const { plan } = place
  const doubted = { ...monitor, ...plan, sendsOnce: sendsOnce(plan.method) }
  const attempts: ObservedAttempt[] = []
  const end = (outcome: CheckOutcome) =>
    finish(
      deps.egress.settle(doubted, { target, attempts }, outcome),
      attempts,
      { beganAt, endedAt: now() },
      { ...place, target },
    )
  for (let number = 1; number <= MAX_ATTEMPTS; number++) {
    const liveRegions = deps.liveRegions(target.type)
    const doubt = deps.egress.doubtOf(plan.base)
    const step = nextStep({ ...plan, liveRegions, doubt }, attempts)
    if (step.do === 'FINISH') return end(step.check)
    if (step.delayMs > 0) await delay(step.delayMs)
    const attempt = await deps.sender.attempt(step.region, {
      orgId: monitor.orgId,
      number,
      budgetMs: step.budgetMs,
      task: {
        target,
        privateTargets: monitor.privateTargets,
        egress: deps.egress.taskFor(doubted, step.region, attempts),
      },
      sendsOnce: doubted.sendsOnce,
      trace,
    })
    attempts.push(attempt)
  }
  return end({ result: 'INCONCLUSIVE', reason: 'TOO_MANY_ATTEMPTS' })
}

/** What does not change while the check runs. */
type FixedPlan = Omit<CheckPlan, 'liveRegions' | 'doubt'>
type Place = { home: string | undefined; plan: FixedPlan }

function placeOf(
  { presentRegions, liveRegions, seenAt }: RunDeps,
  monitor: CheckedMonitor,
  target: CheckTarget,
  now: Date,
): Place {
  const { timeoutSeconds, homeRegion, homeChosenAt, onlyRegion, proofs, state } = monitor
  const { type } = target
  // A registry says the same everywhere.
  const isAnywhere = type === 'DOMAIN'
  const home = resolveHomeRegion({ chosen: homeRegion, present: presentRegions(type) })
  const usual = baseRegion({ home, homeChosenAt, proofs, seenAt }, now)
  const chosen = isAnywhere ? [] : monitor.chosenRegions
  const plan = {
    timeoutSeconds,
    method: 'method' in target ? target.method : null,
    isDown: state === 'DOWN',
    isPrivate: isWrittenPrivate(target) || isPrivateTarget(proofs),
    wasReachedAt: (address: string | null) => wasReachedAt(proofs, address),
  }
  if (onlyRegion !== undefined) return { home, plan: { ...plan, base: onlyRegion, proven: [] } }
  if (chosen.length > 0) {
    const place = placeOfChoice({ chosen, proofs, liveRegions: liveRegions(type), usual }, now)
    const { base, others: proven, isBaseProven } = place
    return { home: chosen[0], plan: { ...plan, base, proven, isBaseUnproven: !isBaseProven } }
  }
  const base = isAnywhere ? home : usual
  const proven = isAnywhere ? liveRegions(type) : provenRegions(proofs, now)
  return { home, plan: { ...plan, base, proven } }
}

type Times = { beganAt: Date; endedAt: Date }

function finish(
  outcome: CheckOutcome,
  attempts: readonly ObservedAttempt[],
  times: Times,
  { home, plan, target }: Place & { target: CheckTarget },
): FinishedCheck {
  const last = attempts.at(-1)
  const beganAt = attempts[0]?.startedAt ?? times.beganAt
  const endedAt = last?.endedAt ?? times.endedAt
  const seen = toObservation(last)
  // Resolvers answer differently in different places: only the base's answers are compared.
  const observation = last?.region === plan.base ? seen : { ...seen, dnsAnswers: null }
  return {
    outcome,
    beganAt,
    endedAt,
    region: last?.region ?? null,
    home,
    base: plan.base,
    isPrivate: plan.isPrivate,
    findings: attempts.flatMap((attempt) => toRegionFinding(target, attempt) ?? []),
    observation,
    evidence: () => toCheckEvidence(outcome, attempts, seen, endedAt),
  }
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
  const { timings = null, bodyExcerpt = null } = finding
  // A name that must not be checked may resolve to an address of the probe's own network.
  const isHidden = finding.outcome === 'FAILED' && finding.causeCode === 'TARGET_NOT_ALLOWED'
  const resolvedIp = isHidden ? null : (finding.resolvedIp ?? null)
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
