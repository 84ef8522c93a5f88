// Applies results to their monitors and collects the rows to write.
import { type Applied, applyResult, type CheckResult } from '../../domain/incidents/apply-result.ts'
import { type EvidenceInput, toEvidence } from '../../domain/incidents/evidence.ts'
import { heartbeatDueAt } from '../../domain/monitors/heartbeat.ts'
import { afterCheck, voidKeepsSlot } from '../../domain/monitors/schedule.ts'
import type { RegionProof } from '../../domain/regions/reach.ts'
import { newSpanId, nowMs, type SpanContext } from '../../platform/observability/trace-context.ts'
import { newUuid } from '../../store/core/new-uuid.ts'
import type { RegionRow } from '../../store/history/region-results.ts'
import type { MissedRow, MissedSlots, ResultRow } from '../../store/history/results.ts'
import type { SpanRow } from '../../store/history/state-spans.ts'
import type { ProofWrite } from '../../store/monitors/region-proofs.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import type { Transition } from './publish-transitions.ts'

/** One event of one monitor. `resolve` decides under the lock, which the clock of a CRON monitor requires. */
export type ResultWrite = {
  monitorNo: number
  regionNo: number | null
  /** Undefined if, under the lock, there is nothing to record. */
  resolve(monitor: EngineMonitor, now: Date): DecidedWrite | undefined
  /** The monitor as read before the check, without its incident and windows. */
  known?: EngineMonitor
  missed?: MissedSlots
  /** What regions learned of the target with it. */
  proofs?: readonly RegionProof[]
  /** What each region found, if it ran in several at once. */
  regions?: readonly RegionFound[]
  /** The span that records it. Undefined if not traced. */
  trace?: SpanContext
  /** The same slot without the observation, for when that cannot be stored. */
  undecided?(): ResultWrite
}

export type RegionFound = Omit<RegionRow, 'monitorNo' | 'slot'>

/**
 * A result to record, or only a moved clock (a run of a CRON monitor has started). Evidence is computed only where it
 * is stored, which is rare.
 */
type DecidedWrite = DecidedResult | { moved: Pick<EngineMonitor, 'heartbeat'> }
export type DecidedResult = { result: CheckResult; evidence(): EvidenceInput }

export class ResultBatch {
  readonly results: ResultRow[] = []
  readonly missed: MissedRow[] = []
  readonly spans: SpanRow[] = []
  readonly proofs: ProofWrite[] = []
  readonly regions: RegionRow[] = []
  readonly steps: Transition[] = []
  readonly beganMs = nowMs()
  /** The current state, after everything applied so far. */
  readonly monitors = new Map<number, EngineMonitor>()
  readonly #before = new Map<number, EngineMonitor>()
  readonly #now: Date

  constructor(now: Date) {
    this.#now = now
  }

  load(monitors: ReadonlyMap<number, EngineMonitor>): void {
    for (const [no, monitor] of monitors) this.monitors.set(no, monitor)
  }

  /** The monitors that have changed. */
  changes(): { before: EngineMonitor; after: EngineMonitor }[] {
    return [...this.#before].map(([no, before]) => {
      return { before, after: this.monitors.get(no) ?? before }
    })
  }

  /**
   * Applies a write that changes only the latest values, as most checks do, where incidents and windows are irrelevant.
   * An incident is open only while its monitor is DOWN, and the DNS baseline is not learned during a window.
   */
  applyFast(write: ResultWrite): boolean {
    const { known: snapshot } = write
    if (snapshot?.state !== 'UP' && snapshot?.state !== 'DEGRADED') return false
    const decided = write.resolve(snapshot, this.#now)
    if (decided === undefined) return false
    if ('moved' in decided) return this.#set(snapshot, withDue({ ...snapshot, ...decided.moved }))
    const applied = applyResult(snapshot, decided.result)
    const isPlain = isUneventful(applied) && applied.snapshot.dnsBaseline === snapshot.dnsBaseline
    return isPlain && this.#set(snapshot, this.#advance(write, snapshot, applied))
  }

  /** Applies everything in order of arrival. A monitor that was not loaded has been deleted. */
  applyAll(writes: readonly ResultWrite[]): void {
    for (const write of writes) {
      const monitor = this.monitors.get(write.monitorNo)
      const decided = monitor && write.resolve(monitor, this.#now)
      if (monitor === undefined || decided === undefined) continue
      const next =
        'moved' in decided
          ? withDue({ ...monitor, ...decided.moved })
          : this.#applyOne(write, monitor, decided)
      this.#set(monitor, next)
    }
  }

  #set(before: EngineMonitor, after: EngineMonitor): true {
    if (!this.#before.has(before.no)) this.#before.set(before.no, before)
    this.monitors.set(before.no, after)
    return true
  }

  #applyOne(
    write: ResultWrite,
    monitor: EngineMonitor,
    { result, evidence }: DecidedResult,
  ): EngineMonitor {
    const applied = applyResult(monitor, result)
    // A superseded result must not take the slot in which the changed monitor is due.
    if (applied.fate === 'SUPERSEDED' && !voidKeepsSlot(result.slot, monitor.nextDueAt))
      return monitor
    const next = this.#advance(write, monitor, applied)
    const { monitorNo } = write
    if (applied.spanFrom !== null)
      this.spans.push({ monitorNo, state: next.state, at: applied.spanFrom })
    if (applied.incident === null && applied.notices.length === 0) return next
    const transition = withTrace(
      toTransition(next, applied, evidence(), this.steps.length),
      write.trace,
    )
    this.steps.push(transition)
    return { ...next, incident: openAfter(next, transition) }
  }

  #advance(write: ResultWrite, monitor: EngineMonitor, applied: Applied): EngineMonitor {
    const { monitorNo, regionNo, missed, proofs = [], regions = [] } = write
    const { result, verdict, fate } = applied
    const { slot, kind, seen } = result
    const { responseMs, httpStatus: statusCode, causeCode, timings = null } = seen
    const found = { responseMs, statusCode, causeCode, timings }
    this.results.push({ monitorNo, slot, kind, verdict, fate, regionNo, ...found })
    if (missed !== undefined) this.missed.push({ monitorNo, ...missed })
    if (fate === 'FOLDED') {
      for (const proof of proofs) this.proofs.push({ monitorNo, epoch: result.epoch, proof })
      for (const found of regions) this.regions.push({ monitorNo, slot, ...found })
    }
    // Safe because a snapshot after a result has the same properties as before, with other values.
    const snapshot = applied.snapshot as EngineMonitor
    const next = snapshot === monitor ? { ...monitor } : snapshot
    next.nextDueAt = nextDue(monitor, applied, this.missed)
    return next
  }
}

function isUneventful({ fate, spanFrom, incident, notices }: Applied): boolean {
  return fate === 'FOLDED' && spanFrom === null && incident === null && notices.length === 0
}

function withDue(monitor: EngineMonitor): EngineMonitor {
  const { heartbeat } = monitor
  return { ...monitor, nextDueAt: heartbeat === null ? null : heartbeatDueAt(monitor, heartbeat) }
}

function toTransition(
  monitor: EngineMonitor,
  applied: Applied,
  evidenceInput: EvidenceInput,
  sequence: number,
): Transition {
  const { result } = applied
  const { endedAt: checkedAt } = result
  const uuid = newUuid(checkedAt, sequence)
  const evidence = toEvidence(uuid, { ...evidenceInput, ...verdictOf(result) })
  const incidentUuid = incidentUuidOf(applied, uuid)
  return { monitor, applied, evidence: { uuid, checkedAt, evidence }, incidentUuid }
}

function withTrace(transition: Transition, parent: SpanContext | undefined): Transition {
  if (parent === undefined) return transition
  const spans = { stateSpanId: newSpanId(), incidentSpanId: newSpanId() }
  return { ...transition, trace: { parent, ...spans, events: [] } }
}

/** Evidence states the verdict, even if it was decided here and not by the probe. */
function verdictOf({
  outcome,
  seen,
}: CheckResult): Pick<EvidenceInput, 'outcome' | 'causeCode' | 'cause'> {
  const { causeCode, cause } = seen
  return { outcome: outcome.result === 'OK' ? 'OK' : 'FAILED', causeCode, cause }
}

/** An incident shares the id of the evidence that opens it; the two kinds of id never mix. */
function incidentUuidOf({ incident }: Applied, evidenceUuid: string): string | null {
  if (incident === null) return null
  return incident.do === 'OPEN' ? evidenceUuid : incident.uuid
}

function openAfter(
  monitor: EngineMonitor,
  { applied, incidentUuid }: Transition,
): EngineMonitor['incident'] {
  const { incident, result } = applied
  // The next result of this batch must not write the same timeline entry again.
  if (incident?.do === 'CONTINUE' && monitor.incident !== null) {
    const { causeCode } = result.seen
    return {
      ...monitor.incident,
      ...(causeCode !== null && { lastCauseCode: causeCode }),
      ...(incident.line !== null && { lastLineAt: result.endedAt }),
    }
  }
  if (incident?.do === 'OPEN' && incidentUuid !== null)
    return { uuid: incidentUuid, lastCauseCode: incident.causeCode, lastLineAt: incident.startedAt }
  return incident?.do === 'RESOLVE' ? null : monitor.incident
}

/** A slot advances the schedule only if it is the one that is due. A later change of the schedule takes precedence. */
function nextDue(monitor: EngineMonitor, applied: Applied, missed: MissedRow[]): Date | null {
  const { result } = applied
  if (monitor.type === 'CRON') {
    const clock = applied.fate === 'FOLDED' ? applied.snapshot.heartbeat : monitor.heartbeat
    return monitor.state === 'PAUSED' || clock === null ? null : heartbeatDueAt(monitor, clock)
  }
  const isDue = monitor.nextDueAt !== null && monitor.nextDueAt <= result.slot
  const moves = result.kind === 'SCHEDULED' && applied.fate !== 'SUPERSEDED' && isDue
  if (!moves) return monitor.nextDueAt
  const { slot, endedAt, outcome } = result
  const isInDoubt = outcome.result === 'INCONCLUSIVE' && outcome.reason === 'EGRESS'
  const { nextDueAt, overlapped } = afterCheck(monitor, { slot, endedAt, isInDoubt })
  if (overlapped !== undefined)
    missed.push({ monitorNo: monitor.no, ...overlapped, reason: 'OVERLAP' })
  return nextDueAt
}
