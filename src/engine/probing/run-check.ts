// One check from its first attempt to its outcome. Which attempt comes next is decided in the domain.
import { setTimeout as delay } from 'node:timers/promises'
import type { Seen } from '../../domain/incidents/apply-result.ts'
import type { CheckFacts } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import { type CheckOutcome, nextStep, sendsOnce } from '../../domain/monitors/confirmation.ts'
import { resolveHomeRegion } from '../../domain/monitors/home-region.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { SpanContext } from '../../platform/observability/trace-context.ts'
import type { Subject } from '../../store/monitors/due.ts'
import type { JobSender, SeenAttempt } from './job-sender.ts'
import { toTarget } from './to-target.ts'

type RunDeps = {
  sender: JobSender
  /** Regions with a live probe that can check this type. */
  liveRegions(type: string): string[]
  /** Regions that had such a probe within the last hour, oldest first. */
  presentRegions(type: string): string[]
}

/** What is looked at, and for whom: a monitor, or what may become one. */
export type Looked = MonitorSettings & Pick<Subject, 'orgId' | 'privateTargets' | 'homeRegion'>

export type FinishedCheck = {
  outcome: CheckOutcome
  beganAt: Date
  endedAt: Date
  region: string | null
  seen: Seen
  /** Asked for where they are kept, which is rare. */
  facts(): CheckFacts
}

// Two attempts, and one that a stall of ours may spoil.
const MAX_ATTEMPTS = 4

export async function runCheck(
  deps: RunDeps,
  subject: Looked,
  now: () => Date,
  trace?: SpanContext,
): Promise<FinishedCheck> {
  const target = toTarget(subject)
  const present = deps.presentRegions(target.type)
  const homeRegion = resolveHomeRegion({ chosen: subject.homeRegion, present })
  const method = target.type === 'HTTP' || target.type === 'KEYWORD' ? target.method : null
  const attempts: SeenAttempt[] = []
  const beganAt = now()
  for (let number = 1; number <= MAX_ATTEMPTS; number++) {
    const liveRegions = deps.liveRegions(target.type)
    const { timeoutSeconds } = subject
    const step = nextStep({ timeoutSeconds, method, homeRegion, liveRegions }, attempts)
    if (step.do === 'FINISH') return finish(step.check, attempts, { beganAt, endedAt: now() })
    if (step.delayMs > 0) await delay(step.delayMs)
    const attempt = await deps.sender.attempt(step.region, {
      orgId: subject.orgId,
      number,
      budgetMs: step.budgetMs,
      task: { target, privateTargets: subject.privateTargets },
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
  attempts: readonly SeenAttempt[],
  times: Times,
): FinishedCheck {
  const last = attempts.at(-1)
  const beganAt = attempts[0]?.startedAt ?? times.beganAt
  const endedAt = last?.endedAt ?? times.endedAt
  const seen = toSeen(last)
  const facts = () => toFacts(outcome, attempts, seen, endedAt)
  return { outcome, beganAt, endedAt, region: last?.region ?? null, seen, facts }
}

function toSeen(attempt: SeenAttempt | undefined): Seen {
  const finding = attempt?.finding
  if (!finding || finding.outcome === 'INCONCLUSIVE') return NOTHING_SEEN
  const failed = finding.outcome === 'FAILED'
  const instant = (text: string | undefined) => (text === undefined ? null : new Date(text))
  return {
    causeCode: failed ? finding.causeCode : null,
    cause: failed ? finding.cause : null,
    responseMs: finding.stalled ? null : (finding.responseMs ?? null),
    httpStatus: finding.httpStatus ?? null,
    certExpiresAt: instant(finding.certExpiresAt),
    domainExpiresAt: instant(finding.domainExpiresAt),
    dnsAnswers: finding.dnsAnswers ?? null,
    timings: finding.timings ?? null,
  }
}

export const NOTHING_SEEN: Seen = {
  causeCode: null,
  cause: null,
  responseMs: null,
  httpStatus: null,
  certExpiresAt: null,
  domainExpiresAt: null,
  dnsAnswers: null,
}

function toFacts(
  outcome: CheckOutcome,
  attempts: readonly SeenAttempt[],
  seen: Seen,
  checkedAt: Date,
): CheckFacts {
  const last = attempts.at(-1)
  const { domainExpiresAt: _, ...shown } = seen
  return {
    ...shown,
    ...toTrace(last?.finding),
    checkedAt,
    location: last?.region ?? 'none',
    outcome: outcome.result === 'OK' ? 'OK' : 'FAILED',
    attempts: attempts.map(toEvidenceAttempt),
  }
}

function toTrace(finding: SeenAttempt['finding'] | undefined) {
  if (!finding || finding.outcome === 'INCONCLUSIVE')
    return { resolvedIp: null, timings: null, bodyExcerpt: null }
  const { resolvedIp = null, timings = null, bodyExcerpt = null } = finding
  return { resolvedIp, timings, bodyExcerpt }
}

function toEvidenceAttempt({ startedAt, region, outcome, finding }: SeenAttempt) {
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
