// What checks, pings and deadlines leave behind: results, states, spans, incidents and events of a whole
// batch, in one transaction. Nothing else moves a monitor's state by what was seen.
import { randomBytes } from 'node:crypto'
import { type CheckFacts, toEvidence } from '../domain/evidence.ts'
import { heartbeatDueAt } from '../domain/heartbeat.ts'
import { uuidV7 } from '../domain/id.ts'
import { type Landed, type Landing, land } from '../domain/landing.ts'
import { afterCheck, voidKeepsSlot } from '../domain/schedule.ts'
import type { Database, Tx } from '../store/db.ts'
import { assertLease, type Lease } from '../store/leases.ts'
import type { OrganizationSecrets } from '../store/organization-secrets.ts'
import {
  insertMissed,
  insertResults,
  type MissedReason,
  type MissedRow,
  type ResultRow,
} from '../store/results.ts'
import { type EngineMonitor, lockStandings, writeStandings } from '../store/standings.ts'
import { beginSpans, type SpanRow } from '../store/state-spans.ts'
import { type Step, tellSteps } from './tell-steps.ts'

/** One thing that happened to one monitor. `resolve` decides under the lock, as the clock of a CRON monitor must. */
export type Recording = {
  monitorNo: number
  regionNo: number | null
  /** Undefined when, seen under the lock, there is nothing to record after all. */
  resolve(monitor: EngineMonitor, now: Date): Decided | undefined
  missed?: { fromSlot: Date; toSlot: Date; count: number; reason: MissedReason }
  /** The same slot without what was seen, for when that cannot be stored. */
  undecided?(): Recording
}

/** Something to record, or only a clock that moved (a run of a CRON monitor that has begun). */
export type Decided =
  | { landing: Landing; facts: CheckFacts }
  | { moved: Pick<EngineMonitor, 'heartbeat'> }

export type RecordDeps = { database: Database; secrets: OrganizationSecrets }

// Windows that ended longer ago cannot cover a check that is landing now.
const WINDOW_MEMORY_MS = 10 * 60_000

/**
 * Returns each monitor as it then is; one that is gone is missing. Throws LeaseLost when fenced off.
 * What `beside` writes is committed together with it.
 */
export async function recordResults(
  { database, secrets }: RecordDeps,
  lease: Lease | undefined,
  recordings: readonly Recording[],
  beside: (tx: Tx) => Promise<void> = async () => {},
): Promise<Map<number, EngineMonitor>> {
  return database.transaction(undefined, async (tx) => {
    if (lease !== undefined) await assertLease(tx, lease)
    const numbers = [...new Set(recordings.map(({ monitorNo }) => monitorNo))]
    const since = new Date(tx.now.getTime() - WINDOW_MEMORY_MS)
    const monitors = await lockStandings(tx, numbers, since)

    const batch = decide(recordings, monitors, tx.now)

    await insertResults(tx, batch.results)
    await insertMissed(tx, batch.missed)
    await writeStandings(tx, [...monitors.values()])
    for (const round of rounds(batch.spans)) await beginSpans(tx, round)
    await tellSteps(tx, secrets, batch.steps)
    await beside(tx)
    return monitors
  })
}

type Batch = { results: ResultRow[]; missed: MissedRow[]; spans: SpanRow[]; steps: Step[] }
type Resolved = { recording: Recording; landing: Landing; facts: CheckFacts }

/** Folds everything, in the order it came, into `monitors`, which then hold what is to be written. */
function decide(
  recordings: readonly Recording[],
  monitors: Map<number, EngineMonitor>,
  now: Date,
): Batch {
  const batch: Batch = { results: [], missed: [], spans: [], steps: [] }
  for (const recording of recordings) {
    const monitor = monitors.get(recording.monitorNo)
    const decided = monitor && recording.resolve(monitor, now)
    if (monitor === undefined || decided === undefined) continue
    const next =
      'moved' in decided
        ? withDue({ ...monitor, ...decided.moved })
        : applyOne(batch, monitor, { recording, ...decided })
    monitors.set(monitor.no, next)
  }
  return batch
}

function withDue(monitor: EngineMonitor): EngineMonitor {
  const { heartbeat } = monitor
  return { ...monitor, nextDueAt: heartbeat === null ? null : heartbeatDueAt(monitor, heartbeat) }
}

function applyOne(
  batch: Batch,
  monitor: EngineMonitor,
  { recording, landing: arrived, facts }: Resolved,
): EngineMonitor {
  const landed = land(monitor, arrived)
  const { landing } = landed
  // A void result must not take the slot that the monitor is to run in its new form.
  if (landed.fate === 'SUPERSEDED' && !voidKeepsSlot(landing.slot, monitor.nextDueAt))
    return monitor
  const { monitorNo, regionNo, missed } = recording
  const { slot, kind, seen, endedAt } = landing
  const { verdict, fate } = landed
  const { responseMs, httpStatus: statusCode } = seen
  batch.results.push({ monitorNo, slot, kind, verdict, fate, responseMs, statusCode, regionNo })
  if (missed !== undefined) batch.missed.push({ monitorNo, ...missed })

  const next = { ...monitor, ...landed.known, ...nextDue(monitor, landing, landed, batch.missed) }
  if (landed.spanFrom !== null)
    batch.spans.push({ monitorNo, state: next.state, at: landed.spanFrom })
  if (landed.incident === null && landed.notices.length === 0) return next

  const uuid = uuidV7({
    unixMicros: BigInt(endedAt.getTime()) * 1000n,
    sequence: batch.steps.length,
    random: randomBytes(8),
  })
  const judged = toEvidence(uuid, { ...facts, ...verdictOf(landing) })
  const evidence = { uuid, checkedAt: endedAt, evidence: judged }
  const step: Step = {
    monitor: next,
    landing,
    landed,
    evidence,
    incidentUuid: incidentUuidOf(landed, uuid),
  }
  batch.steps.push(step)
  return { ...next, incident: openAfter(next, step) }
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
function nextDue(
  monitor: EngineMonitor,
  landing: Landing,
  landed: Landed,
  missed: MissedRow[],
): Pick<EngineMonitor, 'nextDueAt'> {
  if (monitor.type === 'CRON') {
    const clock = landed.fate === 'FOLDED' ? landed.known.heartbeat : monitor.heartbeat
    const paused = monitor.state === 'PAUSED' || clock === null
    return { nextDueAt: paused ? null : heartbeatDueAt(monitor, clock) }
  }
  const isDue = monitor.nextDueAt !== null && monitor.nextDueAt <= landing.slot
  const moves = landing.kind === 'SCHEDULED' && landed.fate !== 'SUPERSEDED' && isDue
  if (!moves) return { nextDueAt: monitor.nextDueAt }
  const { nextDueAt, overlapped } = afterCheck(monitor, landing)
  if (overlapped !== undefined)
    missed.push({ monitorNo: monitor.no, ...overlapped, reason: 'OVERLAP' })
  return { nextDueAt }
}

/** The first change of each monitor, then the second of those that have one, and so on. */
function rounds(spans: readonly SpanRow[]): SpanRow[][] {
  const seen = new Map<number, number>()
  const grouped: SpanRow[][] = []
  for (const span of spans) {
    const round = seen.get(span.monitorNo) ?? 0
    seen.set(span.monitorNo, round + 1)
    grouped[round] = [...(grouped[round] ?? []), span]
  }
  return grouped
}
