// Runs one check in every chosen region at the same moment, and makes one result of what they say. Each region confirms
// its failure in itself and judges its own doubt, as if it were alone.
import { setTimeout as delay } from 'node:timers/promises'
import { toTarget } from '../../checks/registry.ts'
import type { Observation } from '../../domain/incidents/apply-result.ts'
import { type CheckOutcome, sendsOnce } from '../../domain/monitors/confirmation.ts'
import { downFromText } from '../../domain/regions/each-text.ts'
import {
  type EachVerdict,
  lowerMedian,
  type RegionOutcome,
  regionsThatCount,
  verdictOfEach,
} from '../../domain/regions/each-verdict.ts'
import type { SpanContext } from '../../platform/observability/trace-context.ts'
import {
  type CheckedMonitor,
  type FinishedCheck,
  type LeftOut,
  type RegionReport,
  type RunDeps,
  runCheck,
} from './run-check.ts'

type Report = RegionReport & { check: FinishedCheck }

// What kept a region from answering may be over by then.
const ASK_AGAIN_MS = 5_000
const OUTCOMES = { OK: 'OK', FAILED: 'FAILED', INCONCLUSIVE: 'NONE' } as const

export async function runEach(
  deps: RunDeps,
  monitor: CheckedMonitor,
  now: () => Date,
  trace?: SpanContext,
): Promise<FinishedCheck> {
  const { chosenRegions, eachRegion } = monitor
  const downWhen = eachRegion?.downWhen ?? null
  const live = deps.liveRegions(monitor.type)
  const asked = chosenRegions.filter((region) => live.includes(region))
  const absent = chosenRegions.filter((region) => !asked.includes(region))
  const askOne = async (onlyRegion: string): Promise<Report> =>
    toReport(monitor, onlyRegion, await runCheck(deps, { ...monitor, onlyRegion }, now, trace))
  const [first] = chosenRegions
  // Says that there is no probe.
  if (asked.length === 0 && first !== undefined)
    return { ...(await askOne(first)).check, regions: [] }

  let reports = await Promise.all(asked.map(askOne))
  let verdict = verdictOfEach(reports, { downWhen, isLastRound: mayNotRepeat(monitor) })
  if (verdict === 'ASK_AGAIN') {
    await delay(ASK_AGAIN_MS)
    reports = await Promise.all(
      reports.map((report) => (report.outcome === 'NONE' ? askOne(report.region) : report)),
    )
    verdict = verdictOfEach(reports, { downWhen, isLastRound: true })
  }
  const check = combine(verdict, reports, absent)
  const leftOut = leftOutOf(reports, absent, deps)
  return leftOut === undefined ? check : { ...check, leftOut }
}

/** Only the first: the owners look after one at a time. */
function leftOutOf(
  reports: readonly Report[],
  [absent]: readonly string[],
  { seenAt }: Pick<RunDeps, 'seenAt'>,
): LeftOut | undefined {
  if (absent !== undefined) return { region: absent, reason: 'NO_PROBE', since: seenAt(absent) }
  const counted = regionsThatCount(reports)
  const never = reports.find((report) => !counted.includes(report))
  return never && { region: never.region, reason: 'NOT_PROVEN', since: null }
}

/** A request with side effects may have reached its target from a region that gave no verdict. */
function mayNotRepeat(monitor: CheckedMonitor): boolean {
  const target = toTarget(monitor)
  return sendsOnce('method' in target ? target.method : null)
}

function toReport({ proofs }: CheckedMonitor, region: string, check: FinishedCheck): Report {
  const outcome: RegionOutcome = OUTCOMES[check.outcome.result]
  const hasPassed = proofs.some((proof) => proof.region === region && proof.passedAt !== null)
  return { region, outcome, hasPassed, observation: check.observation, check }
}

function combine(
  verdict: EachVerdict,
  reports: readonly Report[],
  absent: readonly string[],
): FinishedCheck {
  const text = () => downFromText(reports, absent)
  const together = togetherOf(reports)
  const counted = regionsThatCount(reports)
  const failed = counted.filter(({ outcome }) => outcome === 'FAILED')
  const [firstFailed] = failed
  if (verdict === 'DOWN' && firstFailed !== undefined)
    return { ...firstFailed.check, ...together, ...toDown(firstFailed, failed, text()) }
  const main = medianOf(reports)
  if (verdict === 'NOT_DOWN' && main !== undefined)
    return {
      ...main.check,
      ...together,
      ...toPassed(main, reports, failed.length > 0 ? text() : undefined),
      // Times are the median of all regions, so that they are compared whichever it is.
      region: null,
    }
  return { ...toUndecided(reports), ...together }
}

/** What does not depend on the verdict. */
function togetherOf(reports: readonly Report[]) {
  const decided = reports.filter(({ outcome }) => outcome !== 'NONE')
  const times = (of: (check: FinishedCheck) => Date) =>
    reports.map(({ check }) => of(check).getTime())
  return {
    beganAt: new Date(Math.min(...times(({ beganAt }) => beganAt))),
    endedAt: new Date(Math.max(...times(({ endedAt }) => endedAt))),
    // No region is home: it is known from which ones the target can be reached.
    home: undefined,
    isPrivate: reports.some(({ check }) => check.isPrivate),
    findings: decided.flatMap(({ check }) => check.findings),
    regions: reports.map(({ region, outcome, hasPassed, observation }) => {
      return { region, outcome, hasPassed, observation }
    }),
  }
}

function toDown({ check }: Report, failed: readonly Report[], text: string) {
  const { outcome, observation } = check
  const since = failed.flatMap(({ check: { outcome: one } }) =>
    one.result === 'FAILED' ? one.failedSince.getTime() : [],
  )
  const cause = observation.cause === null ? null : `${observation.cause}. ${text}`
  return {
    outcome: { ...outcome, failedSince: new Date(Math.min(...since)) } as CheckOutcome,
    observation: { ...observation, cause },
  }
}

function toPassed(main: Report, reports: readonly Report[], downFrom: string | undefined) {
  const passed = reports.filter(({ outcome }) => outcome === 'OK')
  const { responseMs } = main.observation
  const outcome: CheckOutcome = {
    result: 'OK',
    responseMs,
    sampled: responseMs !== null,
    ...(downFrom !== undefined && { downFrom }),
  }
  const seen = passed.map(({ observation }) => observation)
  return { outcome, observation: { ...main.observation, ...earliestOf(seen), ...answersOf(seen) } }
}

/** The region with the median time, of those that passed. */
function medianOf(reports: readonly Report[]): Report | undefined {
  const passed = reports.filter(({ outcome }) => outcome === 'OK')
  const medianMs = lowerMedian(passed.flatMap(({ observation }) => observation.responseMs ?? []))
  return passed.find(({ observation }) => observation.responseMs === medianMs) ?? passed[0]
}

/** Of a target with several certificates, the one that expires first. */
function earliestOf(seen: readonly Observation[]): Pick<Observation, 'certExpiresAt' | 'issuer'> {
  const dated = seen.filter(({ certExpiresAt }) => certExpiresAt !== null)
  const [first] = dated.toSorted((a, b) => Number(a.certExpiresAt) - Number(b.certExpiresAt))
  const { certExpiresAt = null, issuer = null } = first ?? {}
  return { certExpiresAt, issuer }
}

/** Resolvers answer differently in different places, so all of their answers are usual. */
function answersOf(seen: readonly Observation[]): Pick<Observation, 'dnsAnswers'> {
  const answers = seen.flatMap(({ dnsAnswers }) => dnsAnswers ?? [])
  const isKnown = seen.some(({ dnsAnswers }) => dnsAnswers !== null)
  return { dnsAnswers: isKnown ? [...new Set(answers)] : null }
}

/** Why the first region says nothing; before all others one whose own network is in doubt. */
function toUndecided(reports: readonly Report[]): FinishedCheck {
  const isInDoubt = ({ check: { outcome } }: Report) =>
    outcome.result === 'INCONCLUSIVE' && outcome.reason === 'EGRESS'
  const report = reports.find(isInDoubt) ?? reports.find(({ outcome }) => outcome === 'NONE')
  if (report === undefined) throw new Error('Every region has a verdict, but the check has none')
  return report.check
}
