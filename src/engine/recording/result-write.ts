import type { ResultWrite } from '../../actions/results/result-batch.ts'
import type { CheckResult } from '../../domain/incidents/apply-result.ts'
import { proofsAfter } from '../../domain/regions/reach.ts'
import type { Span } from '../../platform/observability/tracer.ts'
import type { MissedSlots } from '../../store/history/results.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import { type FinishedCheck, NO_OBSERVATION } from '../probing/run-check.ts'

/** What triggered a check, and the trace it belongs to. */
export type CheckKind = {
  kind: 'SCHEDULED' | 'REQUESTED'
  slot: Date
  trace: Span | undefined
  missed?: MissedSlots
}

/** A finished check in the form it is recorded, with the epoch its monitor had when it started. */
export function toResultWrite(
  monitor: DueMonitor,
  check: FinishedCheck,
  how: Omit<CheckKind, 'trace'> & { regionNo: number | null },
): ResultWrite {
  const { kind, slot, regionNo, missed } = how
  const { outcome, beganAt, endedAt, observation, evidence } = check
  const { epoch } = monitor
  // A registry says the same everywhere.
  const findings = monitor.type === 'DOMAIN' ? [] : check.findings
  const proofs = proofsAfter(monitor.proofs, findings, { counts: true, now: endedAt })
  const result: CheckResult = {
    kind,
    slot,
    epoch,
    regionNo,
    beganAt,
    endedAt,
    outcome,
    seen: observation,
  }
  const write = (what: CheckResult): ResultWrite => ({
    monitorNo: monitor.no,
    regionNo,
    known: monitor,
    resolve: () => ({ result: what, evidence }),
    ...(missed && { missed }),
    ...(proofs.length > 0 && { proofs }),
  })
  const undecided = {
    ...result,
    outcome: { result: 'INCONCLUSIVE', reason: 'APPLY_ERROR' },
    seen: NO_OBSERVATION,
  } as const
  return { ...write(result), undecided: () => write(undecided) }
}
