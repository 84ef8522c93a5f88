import type { ResultWrite } from '../../actions/results/result-batch.ts'
import type { CheckResult, ResultKind } from '../../domain/incidents/apply-result.ts'
import type { Span } from '../../platform/observability/tracer.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import { type FinishedCheck, NO_OBSERVATION } from '../probing/run-check.ts'

/** What triggered a check, and the trace it belongs to. */
export type CheckKind = {
  kind: 'SCHEDULED' | 'REQUESTED'
  slot: Date
  trace: Span | undefined
  missed?: NonNullable<ResultWrite['missed']>
}

type ResultOrigin = {
  kind: ResultKind
  slot: Date
  regionNo: number | null
  missed?: NonNullable<ResultWrite['missed']>
}

/** A finished check in the form it is recorded, with the epoch its monitor had when it started. */
export function toResultWrite(
  monitor: DueMonitor,
  check: FinishedCheck,
  how: ResultOrigin,
): ResultWrite {
  const { kind, slot, regionNo, missed } = how
  const { outcome, beganAt, endedAt, observation, evidence } = check
  const { epoch } = monitor
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
    resolve: () => ({ landing: what, facts: evidence }),
    ...(missed && { missed }),
  })
  const undecided = {
    ...result,
    outcome: { result: 'INCONCLUSIVE', reason: 'APPLY_ERROR' },
    seen: NO_OBSERVATION,
  } as const
  return { ...write(result), undecided: () => write(undecided) }
}
