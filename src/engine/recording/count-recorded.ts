import type { RecordDeps } from '../../actions/results/record.ts'
import type { ResultKind } from '../../domain/incidents/apply-result.ts'
import type { SchedulerMetrics } from '../../platform/metrics/scheduler-metrics.ts'
import type { Tracer } from '../../platform/observability/tracer.ts'
import { traceTransitions } from '../probing/check-trace.ts'
import type { RegionNumbers } from '../region-numbers.ts'

// Pings and deadlines of CRON monitors are not checks.
const CHECK_KINDS: ReadonlySet<ResultKind> = new Set(['SCHEDULED', 'REQUESTED'])

type RecordedRows = Parameters<NonNullable<RecordDeps['onRecorded']>>[0]
type Counting = { metrics: SchedulerMetrics; tracer: Tracer | undefined; regions: RegionNumbers }

/** Adds a committed batch to metrics and traces. */
export function countRecorded(rows: RecordedRows, { metrics, tracer, regions }: Counting): void {
  traceTransitions(tracer, rows)
  for (const { kind, regionNo, verdict } of rows.results)
    if (CHECK_KINDS.has(kind))
      metrics.checked(regionNo === null ? null : regions.nameOf(regionNo), verdict)
  for (const { reason, count } of rows.missed) metrics.missed(reason, count)
}
