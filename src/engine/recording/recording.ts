import type { Recording } from '../../actions/results/batch.ts'
import type { Landing, ResultKind } from '../../domain/incidents/apply-result.ts'
import type { Span } from '../../platform/observability/tracer.ts'
import type { Subject } from '../../store/monitors/due.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import { type FinishedCheck, NOTHING_SEEN } from '../probing/run-check.ts'

/** How a check came about, and the trace it belongs to. */
export type CheckKind = {
  kind: 'SCHEDULED' | 'REQUESTED'
  slot: Date
  trace: Span | undefined
  missed?: NonNullable<Recording['missed']>
}

type How = {
  kind: ResultKind
  slot: Date
  regionNo: number | null
  missed?: NonNullable<Recording['missed']>
}

/** A finished check as it is recorded: with the epoch its monitor had when it was sent. */
export function checkRecording(subject: Subject, check: FinishedCheck, how: How): Recording {
  const { kind, slot, regionNo, missed } = how
  const { outcome, beganAt, endedAt, seen, facts } = check
  const { epoch } = subject
  const landing: Landing = { kind, slot, epoch, regionNo, beganAt, endedAt, outcome, seen }
  const recording = (what: Landing): Recording => ({
    monitorNo: subject.no,
    regionNo,
    known: toKnown(subject),
    resolve: () => ({ landing: what, facts }),
    ...(missed && { missed }),
  })
  const undecided = {
    ...landing,
    outcome: { result: 'INCONCLUSIVE', reason: 'APPLY_ERROR' },
    seen: NOTHING_SEEN,
  } as const
  return { ...recording(landing), undecided: () => recording(undecided) }
}

/** The same monitor without what only a probe needs. */
function toKnown(subject: Subject): EngineMonitor {
  return {
    no: subject.no,
    uuid: subject.uuid,
    orgId: subject.orgId,
    type: subject.type,
    dnsAlertOnChange: subject.dnsAlertOnChange,
    sslExpiryThresholdDays: subject.sslExpiryThresholdDays,
    degradedThresholdMs: subject.degradedThresholdMs,
    degradedThresholdMode: subject.degradedThresholdMode,
    degradedSamples: subject.degradedSamples,
    intervalSeconds: subject.intervalSeconds,
    expectedPeriodSec: subject.expectedPeriodSec,
    graceSeconds: subject.graceSeconds,
    state: subject.state,
    epoch: subject.epoch,
    nextDueAt: subject.nextDueAt,
    lastSlot: subject.lastSlot,
    lastCheckedAt: subject.lastCheckedAt,
    lastStatusChangedAt: subject.lastStatusChangedAt,
    lastResponseMs: subject.lastResponseMs,
    certExpiresAt: subject.certExpiresAt,
    samplesMs: subject.samplesMs,
    samplesRegion: subject.samplesRegion,
    dnsBaseline: subject.dnsBaseline,
    expiryToldFor: subject.expiryToldFor,
    domainExpiresAt: subject.domainExpiresAt,
    heartbeat: subject.heartbeat,
    version: subject.version,
    incident: null,
    maintenance: [],
  }
}
