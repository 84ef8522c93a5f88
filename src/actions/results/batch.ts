// Folds what landed into the monitors it is about, and gathers what is to be written of it.
import { randomBytes } from 'node:crypto'
import { type Landed, type Landing, land } from '../../domain/incidents/apply-result.ts'
import { type CheckFacts, toEvidence } from '../../domain/incidents/evidence.ts'
import { heartbeatDueAt } from '../../domain/monitors/heartbeat.ts'
import { afterCheck, voidKeepsSlot } from '../../domain/monitors/schedule.ts'
import { uuidV7 } from '../../domain/values/id.ts'
import { newSpanId, nowMs, type SpanContext } from '../../platform/observability/trace-context.ts'
import type { MissedReason, MissedRow, ResultRow } from '../../store/history/results.ts'
import type { SpanRow } from '../../store/history/state-spans.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import type { Step } from './publish-transitions.ts'

/** One thing that happened to one monitor. `resolve` decides under the lock, as the clock of a CRON monitor must. */
export type Recording = {
  monitorNo: number
  regionNo: number | null
  /** Undefined when, seen under the lock, there is nothing to record after all. */
  resolve(monitor: EngineMonitor, now: Date): Decided | undefined
  /** The monitor as it was before it was looked at, but for its incident and windows. */
  known?: EngineMonitor
  missed?: { fromSlot: Date; toSlot: Date; count: number; reason: MissedReason }
  /** The span that records it; left out when it is not traced. */
  trace?: SpanContext
  /** The same slot without what was seen, for when that cannot be stored. */
  undecided?(): Recording
}

/**
 * Something to record, or only a clock that moved (a run of a CRON monitor that has begun). The facts are
 * asked for where they are kept, which is rare.
 */
type Decided =
  | { landing: Landing; facts(): CheckFacts }
  | { moved: Pick<EngineMonitor, 'heartbeat'> }

export class Batch {
  readonly results: ResultRow[] = []
  readonly missed: MissedRow[] = []
  readonly spans: SpanRow[] = []
  readonly steps: Step[] = []
  readonly beganMs = nowMs()
  /** As they stand after everything that was folded so far. */
  readonly monitors = new Map<number, EngineMonitor>()
  readonly #before = new Map<number, EngineMonitor>()
  readonly #now: Date

  constructor(now: Date) {
    this.#now = now
  }

  know(monitors: ReadonlyMap<number, EngineMonitor>): void {
    for (const [no, monitor] of monitors) this.monitors.set(no, monitor)
  }

  /** The monitors of which something was decided. */
  changes(): { before: EngineMonitor; after: EngineMonitor }[] {
    return [...this.#before].map(([no, before]) => {
      return { before, after: this.monitors.get(no) ?? before }
    })
  }

  /**
   * Folds it if it changes nothing but the latest values, as most checks do: then neither incidents nor
   * windows have a say. An incident is open only while its monitor is DOWN; what DNS answers are usual is
   * not learned in a window.
   */
  foldPlain(recording: Recording): boolean {
    const { known } = recording
    if (known?.state !== 'UP' && known?.state !== 'DEGRADED') return false
    const decided = recording.resolve(known, this.#now)
    if (decided === undefined) return false
    if ('moved' in decided) return this.#set(known, withDue({ ...known, ...decided.moved }))
    const landed = land(known, decided.landing)
    const isPlain = isUneventful(landed) && landed.known.dnsBaseline === known.dnsBaseline
    return isPlain && this.#set(known, this.#advance(recording, known, landed))
  }

  /** Everything, in the order it came. A monitor that is not known is gone. */
  fold(recordings: readonly Recording[]): void {
    for (const recording of recordings) {
      const monitor = this.monitors.get(recording.monitorNo)
      const decided = monitor && recording.resolve(monitor, this.#now)
      if (monitor === undefined || decided === undefined) continue
      const next =
        'moved' in decided
          ? withDue({ ...monitor, ...decided.moved })
          : this.#foldOne(recording, monitor, decided)
      this.#set(monitor, next)
    }
  }

  #set(before: EngineMonitor, after: EngineMonitor): true {
    if (!this.#before.has(before.no)) this.#before.set(before.no, before)
    this.monitors.set(before.no, after)
    return true
  }

  #foldOne(
    recording: Recording,
    monitor: EngineMonitor,
    { landing, facts }: { landing: Landing; facts(): CheckFacts },
  ): EngineMonitor {
    const landed = land(monitor, landing)
    // A void result must not take the slot that the monitor is to run in its new form.
    if (landed.fate === 'SUPERSEDED' && !voidKeepsSlot(landing.slot, monitor.nextDueAt))
      return monitor
    const next = this.#advance(recording, monitor, landed)
    const { monitorNo } = recording
    if (landed.spanFrom !== null)
      this.spans.push({ monitorNo, state: next.state, at: landed.spanFrom })
    if (landed.incident === null && landed.notices.length === 0) return next
    const step = withTrace(toStep(next, landed, facts(), this.steps.length), recording.trace)
    this.steps.push(step)
    return { ...next, incident: openAfter(next, step) }
  }

  #advance(recording: Recording, monitor: EngineMonitor, landed: Landed): EngineMonitor {
    const { monitorNo, regionNo, missed } = recording
    const { landing, verdict, fate } = landed
    const { slot, kind, seen } = landing
    const { responseMs, httpStatus: statusCode, causeCode, timings = null } = seen
    const found = { responseMs, statusCode, causeCode, timings }
    this.results.push({ monitorNo, slot, kind, verdict, fate, regionNo, ...found })
    if (missed !== undefined) this.missed.push({ monitorNo, ...missed })
    // Safe because what is known after a landing is what was known before it, with other values.
    const known = landed.known as EngineMonitor
    const next = known === monitor ? { ...monitor } : known
    next.nextDueAt = nextDue(monitor, landed, this.missed)
    return next
  }
}

function isUneventful({ fate, spanFrom, incident, notices }: Landed): boolean {
  return fate === 'FOLDED' && spanFrom === null && incident === null && notices.length === 0
}

function withDue(monitor: EngineMonitor): EngineMonitor {
  const { heartbeat } = monitor
  return { ...monitor, nextDueAt: heartbeat === null ? null : heartbeatDueAt(monitor, heartbeat) }
}

function toStep(monitor: EngineMonitor, landed: Landed, facts: CheckFacts, sequence: number): Step {
  const { landing } = landed
  const { endedAt: checkedAt } = landing
  const unixMicros = BigInt(checkedAt.getTime()) * 1000n
  const uuid = uuidV7({ unixMicros, sequence, random: randomBytes(8) })
  const evidence = toEvidence(uuid, { ...facts, ...verdictOf(landing) })
  const incidentUuid = incidentUuidOf(landed, uuid)
  return { monitor, landing, landed, evidence: { uuid, checkedAt, evidence }, incidentUuid }
}

function withTrace(step: Step, parent: SpanContext | undefined): Step {
  if (parent === undefined) return step
  const spans = { stateSpanId: newSpanId(), incidentSpanId: newSpanId() }
  return { ...step, trace: { parent, ...spans, events: [] } }
}

/** Evidence says what was decided, also when it was decided here and not where it was seen. */
function verdictOf({
  outcome,
  seen,
}: Landing): Pick<CheckFacts, 'outcome' | 'causeCode' | 'cause'> {
  const { causeCode, cause } = seen
  return { outcome: outcome.result === 'OK' ? 'OK' : 'FAILED', causeCode, cause }
}

/** The check that opens an incident lends it its id's time and randomness; the two kinds never mix. */
function incidentUuidOf({ incident }: Landed, evidenceUuid: string): string | null {
  if (incident === null) return null
  return incident.do === 'OPEN' ? evidenceUuid : incident.uuid
}

function openAfter(
  monitor: EngineMonitor,
  { landing, landed, incidentUuid }: Step,
): EngineMonitor['incident'] {
  const { incident } = landed
  // The next result of this batch must not write the same line again.
  if (incident?.do === 'CONTINUE' && monitor.incident !== null) {
    const { causeCode } = landing.seen
    return {
      ...monitor.incident,
      ...(causeCode !== null && { lastCauseCode: causeCode }),
      ...(incident.line !== null && { lastLineAt: landing.endedAt }),
    }
  }
  if (incident?.do === 'OPEN' && incidentUuid !== null)
    return { uuid: incidentUuid, lastCauseCode: incident.causeCode, lastLineAt: incident.startedAt }
  return incident?.do === 'RESOLVE' ? null : monitor.incident
}

/** A slot moves the schedule on only while it is the one that is due; whoever changed it since was right. */
function nextDue(monitor: EngineMonitor, landed: Landed, missed: MissedRow[]): Date | null {
  const { landing } = landed
  if (monitor.type === 'CRON') {
    const clock = landed.fate === 'FOLDED' ? landed.known.heartbeat : monitor.heartbeat
    return monitor.state === 'PAUSED' || clock === null ? null : heartbeatDueAt(monitor, clock)
  }
  const isDue = monitor.nextDueAt !== null && monitor.nextDueAt <= landing.slot
  const moves = landing.kind === 'SCHEDULED' && landed.fate !== 'SUPERSEDED' && isDue
  if (!moves) return monitor.nextDueAt
  const { nextDueAt, overlapped } = afterCheck(monitor, landing)
  if (overlapped !== undefined)
    missed.push({ monitorNo: monitor.no, ...overlapped, reason: 'OVERLAP' })
  return nextDueAt
}
