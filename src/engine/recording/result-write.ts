import type { RegionFound, ResultWrite } from '../../actions/results/result-batch.ts'
import type { CheckResult } from '../../domain/incidents/apply-result.ts'
import { proofsAfter } from '../../domain/regions/reach.ts'
import type { Span } from '../../platform/observability/tracer.ts'
import type { MissedSlots } from '../../store/history/results.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'
import { type FinishedCheck, NO_OBSERVATION, type RegionReport } from '../probing/run-check.ts'

/** What triggered a check, and the trace it belongs to. */
export type CheckKind = {
  kind: 'SCHEDULED' | 'REQUESTED'
  slot: Date
  trace: Span | undefined
  missed?: MissedSlots
}

/** Those that its rows name. */
export function askedRegions({ region, regions = [] }: FinishedCheck): string[] {
  const names = regions.map((report) => report.region)
  return region === null ? names : [...names, region]
}

/** A finished check in the form it is recorded, with the epoch its monitor had when it started. */
export function toResultWrite(
  monitor: DueMonitor,
  check: FinishedCheck,
  how: Omit<CheckKind, 'trace'> & { numbers: ReadonlyMap<string, number> },
): ResultWrite {
  const { kind, slot, missed, numbers } = how
  const { outcome, beganAt, endedAt, observation, evidence } = check
  const { epoch } = monitor
  const regionNo = numbers.get(check.region ?? '') ?? null
  // A registry says the same everywhere.
  const findings = monitor.type === 'DOMAIN' ? [] : check.findings
  const proofs = proofsAfter(monitor.proofs, findings, {
    counts: true,
    now: endedAt,
    isTogether: check.regions !== undefined,
  })
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
  const regions = toRegionsFound(check.regions ?? [], numbers)
  return {
    ...write(result),
    ...(regions.length > 0 && { regions }),
    undecided: () => write(undecided),
  }
}

const VERDICTS = { OK: 'PASSED', FAILED: 'FAILED', NONE: 'INCONCLUSIVE' } as const

function toRegionsFound(
  reports: readonly RegionReport[],
  numbers: ReadonlyMap<string, number>,
): RegionFound[] {
  return reports.flatMap(({ region, outcome, observation }) => {
    const regionNo = numbers.get(region)
    if (regionNo === undefined) return []
    const { responseMs, httpStatus: statusCode, causeCode, timings = null } = observation
    return { regionNo, verdict: VERDICTS[outcome], responseMs, statusCode, causeCode, timings }
  })
}
