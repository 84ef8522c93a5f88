// What a finished check, a ping or a missed deadline does to a monitor. All of them pass through here: the verdict, the
// state, the incident and the notices are decided in this one place.
import type { CheckOutcome } from '../monitors/confirmation.ts'
import { type DnsBaseline, type DnsChange, observeAnswer } from '../monitors/dns-baseline.ts'
import type { HeartbeatClock } from '../monitors/heartbeat-clock.ts'
import { hasIssuer } from '../monitors/issuer.ts'
import type { MonitorSettings, MonitorState, MonitorStatus } from '../monitors/monitor.ts'
import {
  applyVerdict,
  type Fate,
  type IncidentEffect,
  type MonitorPosition,
} from '../monitors/monitor-state.ts'
import {
  type ExpiryNotice,
  expiryNotice,
  judge,
  type Verdict,
  type VerdictInput,
} from '../monitors/verdict.ts'
import type { EvidenceTimings } from './evidence.ts'
import type { CauseCode } from './incident.ts'

export type ResultKind = 'SCHEDULED' | 'REQUESTED' | 'PING' | 'DEADLINE'

/** The settings that decide what a result means. */
export const SNAPSHOT_SETTINGS = [
  'type',
  'dnsAlertOnChange',
  'sslExpiryThresholdDays',
  'degradedThresholdMs',
  'degradedThresholdMode',
  'degradedSamples',
] as const satisfies readonly (keyof MonitorSettings)[]

/** A monitor as stored, read after its state row was locked. */
export type MonitorSnapshot = MonitorStatus &
  Pick<MonitorSettings, (typeof SNAPSHOT_SETTINGS)[number]> & {
    lastSlot: Date | null
    samplesMs: readonly number[]
    /** Where the samples were measured; null if not recorded. */
    samplesRegion: number | null
    dnsBaseline: DnsBaseline | null
    expiryToldFor: Date | null
    /** Expiry of the registration as last seen. DOMAIN only. */
    domainExpiresAt: Date | null
    /** Of the certificate (SSL), or the registrar (DOMAIN), as last seen. Null for other types. */
    issuer: string | null
    incident: OpenIncident | null
    /** Maintenance windows that are or were open around this time. */
    maintenance: readonly { from: Date; to: Date | null }[]
  }

type OpenIncident = { uuid: string; lastCauseCode: CauseCode; lastLineAt: Date }

/** What was observed, in the terms of the contract: the probe's finding without the fields only the probe needs. */
export type Observation = {
  causeCode: CauseCode | null
  cause: string | null
  responseMs: number | null
  httpStatus: number | null
  certExpiresAt: Date | null
  domainExpiresAt: Date | null
  /** Of the certificate, or the registrar, if seen. */
  issuer?: string | null
  dnsAnswers: string[] | null
  /** How long each phase took, if measured. */
  timings?: EvidenceTimings | null
}

export type CheckResult = {
  kind: ResultKind
  slot: Date
  epoch: number
  /** Number of the region the last attempt ran in; absent if no probe was involved. */
  regionNo?: number | null
  /** The moment that decides whether a maintenance window covers it: its first attempt, or its deadline. */
  beganAt: Date
  endedAt: Date
  outcome: CheckOutcome
  seen: Observation
  /** CRON: the clock after this ping or deadline. */
  heartbeat?: HeartbeatClock
}

export type MonitorNotice =
  /** `reason`: why it is degraded, if not because it is slow. */
  | { kind: 'STATE'; previousState: MonitorState; reason?: string }
  | { kind: 'EXPIRY'; what: 'ssl' | 'domain'; notice: ExpiryNotice }
  | { kind: 'DNS'; change: DnsChange }

type IncidentTransition =
  | { do: 'OPEN'; startedAt: Date; causeCode: CauseCode; cause: string }
  | { do: 'RESOLVE'; uuid: string; resolvedAt: Date }
  | { do: 'CONTINUE'; uuid: string; line: 'STILL_FAILING' | 'CAUSE_CHANGED' | null }

export type Applied = {
  /** The result as judged: a certificate or domain that had just expired has become a failure. */
  result: CheckResult
  fate: Fate
  verdict: Verdict
  snapshot: MonitorSnapshot
  /** When the new state began; null if the state did not change. */
  spanFrom: Date | null
  incident: IncidentTransition | null
  notices: MonitorNotice[]
}

const STILL_FAILING_MS = 3_600_000

export function applyResult(snapshot: MonitorSnapshot, arrived: CheckResult): Applied {
  const samples = comparableSamples(snapshot, arrived)
  const judged = judge(snapshot, findingOf(snapshot, arrived), samples, arrived.endedAt)
  const { verdict } = judged
  const result = judged.cause === undefined ? arrived : expired(snapshot, arrived, judged.cause)
  const inMaintenance = isCovered(snapshot, result.beganAt)
  const { slot, epoch } = result
  const step = applyVerdict(positionOf(snapshot), { slot, epoch, verdict, inMaintenance })
  const { fate, position } = step
  if (fate !== 'FOLDED') return untouched(result, fate, verdict, snapshot)
  const { state, lastSlot } = position
  if (verdict === 'INCONCLUSIVE') return untouched(result, fate, verdict, { ...snapshot, lastSlot })

  const noticed = noticesOf(snapshot, result, inMaintenance)
  const moved = state !== snapshot.state
  const next: MonitorSnapshot = {
    ...snapshot,
    ...noticed.known,
    state,
    lastSlot,
    lastCheckedAt: result.endedAt,
    lastStatusChangedAt: moved ? result.endedAt : snapshot.lastStatusChangedAt,
    lastResponseMs: result.seen.responseMs,
    certExpiresAt: result.seen.certExpiresAt ?? snapshot.certExpiresAt,
    domainExpiresAt: result.seen.domainExpiresAt ?? snapshot.domainExpiresAt,
    issuer: issuerAfter(snapshot, result),
    samplesMs: judged.samplesMs,
    samplesRegion: samplesRegion(snapshot, arrived),
    heartbeat: result.heartbeat ?? snapshot.heartbeat,
  }
  const downFrom = result.outcome.result === 'OK' ? result.outcome.downFrom : undefined
  const change: MonitorNotice = {
    kind: 'STATE',
    previousState: snapshot.state,
    ...(downFrom !== undefined && { reason: downFrom }),
  }
  return {
    result,
    fate,
    verdict,
    snapshot: next,
    spanFrom: moved ? spanStart(result) : null,
    incident: incidentTransition(snapshot, result, step.incident),
    notices: step.announced ? [change, ...noticed.notices] : noticed.notices,
  }
}

/** Times from different regions are never compared: a sample from another region starts over. */
function comparableSamples(snapshot: MonitorSnapshot, arrived: CheckResult): readonly number[] {
  const region = samplesRegion(snapshot, arrived)
  const isSame = snapshot.samplesRegion === null || region === snapshot.samplesRegion
  return isSame ? snapshot.samplesMs : []
}

function samplesRegion(
  { samplesRegion: before }: MonitorSnapshot,
  { outcome, regionNo }: CheckResult,
) {
  const isSample = outcome.result === 'OK' && outcome.sampled
  return isSample ? (regionNo ?? before) : before
}

/** A registry does not always name the registrar, and older probes name nobody: the last known one stays. */
function issuerAfter({ type, issuer }: MonitorSnapshot, { seen }: CheckResult): string | null {
  return hasIssuer(type) ? (seen.issuer ?? issuer) : issuer
}

function positionOf({ state, epoch, lastSlot, incident }: MonitorSnapshot): MonitorPosition {
  return { state, epoch, lastSlot, incidentOpen: incident !== null }
}

function untouched(
  result: CheckResult,
  fate: Fate,
  verdict: Verdict,
  snapshot: MonitorSnapshot,
): Applied {
  return { result, fate, verdict, snapshot, spanFrom: null, incident: null, notices: [] }
}

/** A check belongs to a maintenance window if it began inside [from, to). */
function isCovered({ maintenance }: MonitorSnapshot, at: Date): boolean {
  return maintenance.some(({ from, to }) => from <= at && (to === null || at < to))
}

function findingOf({ type }: MonitorSnapshot, { outcome, seen }: CheckResult): VerdictInput {
  if (outcome.result !== 'OK') return { result: outcome.result }
  const expiresAt = type === 'DOMAIN' ? seen.domainExpiresAt : seen.certExpiresAt
  const { responseMs, sampled, downFrom } = outcome
  return { result: 'OK', responseMs, sampled, expiresAt, isPartlyDown: downFrom !== undefined }
}

// The probe still found it valid, but by the database's clock it had just expired.
function expired(
  snapshot: MonitorSnapshot,
  result: CheckResult,
  causeCode: 'CERT_EXPIRED' | 'DOMAIN_EXPIRED',
): CheckResult {
  const { beganAt, seen } = result
  const at = snapshot.type === 'DOMAIN' ? seen.domainExpiresAt : seen.certExpiresAt
  const what = snapshot.type === 'DOMAIN' ? 'Domain registration' : 'Certificate'
  const cause = `${what} expired on ${(at ?? beganAt).toISOString().slice(0, 10)}`
  const failure = { cause: causeCode, bytesSent: false, controlReached: null }
  return {
    ...result,
    outcome: { result: 'FAILED', failure, failedSince: beganAt },
    seen: { ...seen, causeCode, cause },
  }
}

/** DOWN counts from the first failed attempt, every other state from the end of its check. */
function spanStart({ outcome, endedAt }: CheckResult): Date {
  return outcome.result === 'FAILED' ? outcome.failedSince : endedAt
}

function incidentTransition(
  { incident }: MonitorSnapshot,
  { outcome, seen, endedAt }: CheckResult,
  effect: IncidentEffect,
): IncidentTransition | null {
  const { causeCode, cause } = seen
  if (effect === 'RESOLVE' && incident !== null)
    return { do: 'RESOLVE', uuid: incident.uuid, resolvedAt: endedAt }
  if (outcome.result !== 'FAILED' || causeCode === null || cause === null) return null
  if (effect === 'OPEN') return { do: 'OPEN', startedAt: outcome.failedSince, causeCode, cause }
  return (
    incident && { do: 'CONTINUE', uuid: incident.uuid, line: lineOf(incident, causeCode, endedAt) }
  )
}

function lineOf(incident: OpenIncident, causeCode: CauseCode, at: Date) {
  if (causeCode !== incident.lastCauseCode) return 'CAUSE_CHANGED'
  const quietMs = at.getTime() - incident.lastLineAt.getTime()
  return quietMs >= STILL_FAILING_MS ? 'STILL_FAILING' : null
}

/**
 * In a maintenance window nothing is reported and nothing counts as reported: what still holds is reported afterwards.
 */
function noticesOf(snapshot: MonitorSnapshot, result: CheckResult, inMaintenance: boolean) {
  const notices: MonitorNotice[] = []
  let { expiryToldFor, dnsBaseline } = snapshot
  if (result.outcome.result !== 'OK' || inMaintenance)
    return { notices, known: { expiryToldFor, dnsBaseline } }

  const { certExpiresAt, domainExpiresAt, dnsAnswers } = result.seen
  const notice = expiryNotice(
    snapshot,
    domainExpiresAt ?? certExpiresAt,
    expiryToldFor,
    result.endedAt,
  )
  if (notice !== undefined) {
    expiryToldFor = notice.expiresAt
    notices.push({ kind: 'EXPIRY', what: snapshot.type === 'DOMAIN' ? 'domain' : 'ssl', notice })
  }
  if (snapshot.type === 'DNS' && snapshot.dnsAlertOnChange && dnsAnswers !== null) {
    const observed = observeAnswer(dnsBaseline, dnsAnswers, result.endedAt)
    dnsBaseline = observed.baseline
    if (observed.change !== undefined) notices.push({ kind: 'DNS', change: observed.change })
  }
  return { notices, known: { expiryToldFor, dnsBaseline } }
}
