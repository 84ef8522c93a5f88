// What a finished check, a ping or a missed deadline does to a monitor. All of them end up here: the
// verdict, the state, the incident and what there is to tell are decided in this one place.
import type { CheckOutcome } from '../monitors/confirmation.ts'
import { type DnsBaseline, type DnsChange, observeAnswer } from '../monitors/dns-baseline.ts'
import type { HeartbeatClock } from '../monitors/heartbeat.ts'
import type { MonitorSettings, MonitorState, Standing } from '../monitors/monitor.ts'
import { type Fate, fold, type IncidentEffect, type Position } from '../monitors/monitor-state.ts'
import {
  type ExpiryNotice,
  expiryNotice,
  type Finding,
  judge,
  type Verdict,
} from '../monitors/verdict.ts'
import type { EvidenceTimings } from './evidence.ts'
import type { CauseCode } from './incident.ts'

export type ResultKind = 'SCHEDULED' | 'REQUESTED' | 'PING' | 'DEADLINE'

/** A monitor as its rows say, read after its state row was locked. */
export type Known = Standing &
  Pick<
    MonitorSettings,
    | 'type'
    | 'dnsAlertOnChange'
    | 'sslExpiryThresholdDays'
    | 'degradedThresholdMs'
    | 'degradedThresholdMode'
    | 'degradedSamples'
  > & {
    lastSlot: Date | null
    samplesMs: readonly number[]
    /** Where they were measured; null when that was not written down. */
    samplesRegion: number | null
    dnsBaseline: DnsBaseline | null
    expiryToldFor: Date | null
    /** Of the registration that was seen last; DOMAIN only. */
    domainExpiresAt: Date | null
    incident: OpenIncident | null
    /** Windows that were or are open around this time. */
    maintenance: readonly { from: Date; to: Date | null }[]
  }

type OpenIncident = { uuid: string; lastCauseCode: CauseCode; lastLineAt: Date }

/** What was seen, in the words of the contract; the probe's finding without what only it needs. */
export type Seen = {
  causeCode: CauseCode | null
  cause: string | null
  responseMs: number | null
  httpStatus: number | null
  certExpiresAt: Date | null
  domainExpiresAt: Date | null
  dnsAnswers: string[] | null
  /** Where the time went, where that was measured. */
  timings?: EvidenceTimings | null
}

export type Landing = {
  kind: ResultKind
  slot: Date
  epoch: number
  /** Where the last attempt ran, by its number; absent for what no probe has seen. */
  regionNo?: number | null
  /** The instant that decides whether a window covers it: its first attempt, or its deadline. */
  beganAt: Date
  endedAt: Date
  outcome: CheckOutcome
  seen: Seen
  /** CRON: the clock after this call or deadline. */
  heartbeat?: HeartbeatClock
}

export type Notice =
  | { tell: 'STATE'; previousState: MonitorState }
  | { tell: 'EXPIRY'; what: 'ssl' | 'domain'; notice: ExpiryNotice }
  | { tell: 'DNS'; change: DnsChange }

type IncidentStep =
  | { do: 'OPEN'; startedAt: Date; causeCode: CauseCode; cause: string }
  | { do: 'RESOLVE'; uuid: string; resolvedAt: Date }
  | { do: 'CONTINUE'; uuid: string; line: 'STILL_FAILING' | 'CAUSE_CHANGED' | null }

export type Landed = {
  /** What landed, as it was judged: what had just run out has become a failure. */
  landing: Landing
  fate: Fate
  verdict: Verdict
  known: Known
  /** The state began here; null when it did not change. */
  spanFrom: Date | null
  incident: IncidentStep | null
  notices: Notice[]
}

const STILL_FAILING_MS = 3_600_000

export function land(known: Known, arrived: Landing): Landed {
  const samples = comparableSamples(known, arrived)
  const judged = judge(known, findingOf(known, arrived), samples, arrived.endedAt)
  const { verdict } = judged
  const landing = judged.cause === undefined ? arrived : expired(known, arrived, judged.cause)
  const inMaintenance = isCovered(known, landing.beganAt)
  const folded = fold(positionOf(known), [{ ...landing, verdict, inMaintenance }])
  const [step] = folded.steps
  if (step === undefined) throw new Error('A fold of one result has one step')
  if (step.fate !== 'FOLDED') return untouched(landing, step.fate, verdict, known)
  if (verdict === 'INCONCLUSIVE')
    return untouched(landing, 'FOLDED', verdict, { ...known, lastSlot: landing.slot })

  const told = noticesOf(known, landing, inMaintenance)
  const moved = step.state !== known.state
  const next: Known = {
    ...known,
    ...told.known,
    state: step.state,
    lastSlot: landing.slot,
    lastCheckedAt: landing.endedAt,
    lastStatusChangedAt: moved ? landing.endedAt : known.lastStatusChangedAt,
    lastResponseMs: landing.seen.responseMs,
    certExpiresAt: landing.seen.certExpiresAt ?? known.certExpiresAt,
    domainExpiresAt: landing.seen.domainExpiresAt ?? known.domainExpiresAt,
    samplesMs: judged.samplesMs,
    samplesRegion: samplesRegion(known, arrived),
    heartbeat: landing.heartbeat ?? known.heartbeat,
  }
  const state: Notice = { tell: 'STATE', previousState: known.state }
  return {
    landing,
    fate: 'FOLDED',
    verdict,
    known: next,
    spanFrom: moved ? spanStart(landing) : null,
    incident: incidentStep(known, landing, step.incident),
    notices: step.announced ? [state, ...told.notices] : told.notices,
  }
}

/** Times from different regions are never compared: one from another region starts over. */
function comparableSamples(known: Known, arrived: Landing): readonly number[] {
  const region = samplesRegion(known, arrived)
  const isSame = known.samplesRegion === null || region === known.samplesRegion
  return isSame ? known.samplesMs : []
}

function samplesRegion({ samplesRegion: before }: Known, { outcome, regionNo }: Landing) {
  const isSample = outcome.result === 'OK' && outcome.sampled
  return isSample ? (regionNo ?? before) : before
}

function positionOf({ state, epoch, lastSlot, incident }: Known): Position {
  return { state, epoch, lastSlot, incidentOpen: incident !== null }
}

function untouched(landing: Landing, fate: Fate, verdict: Verdict, known: Known): Landed {
  return { landing, fate, verdict, known, spanFrom: null, incident: null, notices: [] }
}

/** A check belongs to a window if it began inside [from, to). */
function isCovered({ maintenance }: Known, at: Date): boolean {
  return maintenance.some(({ from, to }) => from <= at && (to === null || at < to))
}

function findingOf({ type }: Known, { outcome, seen }: Landing): Finding {
  if (outcome.result !== 'OK') return { result: outcome.result }
  const expiresAt = type === 'DOMAIN' ? seen.domainExpiresAt : seen.certExpiresAt
  const { responseMs, sampled } = outcome
  return { result: 'OK', responseMs, sampled, expiresAt }
}

// The probe still found it valid, but by the database's clock it had just run out.
function expired(
  known: Known,
  landing: Landing,
  causeCode: 'CERT_EXPIRED' | 'DOMAIN_EXPIRED',
): Landing {
  const { beganAt, seen } = landing
  const at = known.type === 'DOMAIN' ? seen.domainExpiresAt : seen.certExpiresAt
  const what = known.type === 'DOMAIN' ? 'Domain registration' : 'Certificate'
  const cause = `${what} expired on ${(at ?? beganAt).toISOString().slice(0, 10)}`
  const failure = { cause: causeCode, bytesSent: false, controlReached: null }
  return {
    ...landing,
    outcome: { result: 'FAILED', failure, failedSince: beganAt },
    seen: { ...seen, causeCode, cause },
  }
}

/** DOWN counts from the first failed attempt; everything else from the end of its check. */
function spanStart({ outcome, endedAt }: Landing): Date {
  return outcome.result === 'FAILED' ? outcome.failedSince : endedAt
}

function incidentStep(
  { incident }: Known,
  { outcome, seen, endedAt }: Landing,
  effect: IncidentEffect,
): IncidentStep | null {
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

/** In a window nothing is told and nothing counts as told: what still holds is told after it. */
function noticesOf(known: Known, landing: Landing, inMaintenance: boolean) {
  const notices: Notice[] = []
  let { expiryToldFor, dnsBaseline } = known
  if (landing.outcome.result !== 'OK' || inMaintenance)
    return { notices, known: { expiryToldFor, dnsBaseline } }

  const { certExpiresAt, domainExpiresAt, dnsAnswers } = landing.seen
  const notice = expiryNotice(
    known,
    domainExpiresAt ?? certExpiresAt,
    expiryToldFor,
    landing.endedAt,
  )
  if (notice !== undefined) {
    expiryToldFor = notice.expiresAt
    notices.push({ tell: 'EXPIRY', what: known.type === 'DOMAIN' ? 'domain' : 'ssl', notice })
  }
  if (known.type === 'DNS' && known.dnsAlertOnChange && dnsAnswers !== null) {
    const observed = observeAnswer(dnsBaseline, dnsAnswers, landing.endedAt)
    dnsBaseline = observed.baseline
    if (observed.change !== undefined) notices.push({ tell: 'DNS', change: observed.change })
  }
  return { notices, known: { expiryToldFor, dnsBaseline } }
}
