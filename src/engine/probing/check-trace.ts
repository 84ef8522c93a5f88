// The trace of one check: due, probe, result, state, incident, event, delivery. `due` is the root and spans the whole
// check; the probe and the dispatcher add their spans in their own processes.
import type { ResultBatch } from '../../actions/results/result-batch.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { nowMs } from '../../platform/observability/trace-context.ts'
import type { Span, Tracer } from '../../platform/observability/tracer.ts'
import type { DueMonitor } from '../../store/monitors/due.ts'

export function startCheckTrace(
  tracer: Tracer | undefined,
  { type, uuid, orgId }: Pick<DueMonitor, 'type' | 'uuid' | 'orgId'>,
  latenessMs: number,
): Span | undefined {
  const span = tracer?.start('due', { startMs: nowMs() - latenessMs })
  if (span === undefined) return undefined
  const end: Span['end'] = (more, failed) =>
    span.end(
      {
        'upvane.monitor.type': type,
        'upvane.monitor.id': toPublicId('mon', uuid),
        'upvane.organization.id': toPublicId('org', orgId),
        ...more,
      },
      failed,
    )
  return { ...span, end }
}

/** Traces what a committed batch did to states, incidents and events, as spans that last as long as the batch took. */
export function traceTransitions(
  tracer: Tracer | undefined,
  { steps, beganMs: startMs }: Pick<ResultBatch, 'steps' | 'beganMs'>,
): void {
  if (tracer === undefined) return
  const endMs = nowMs()
  for (const { monitor, applied, trace } of steps) {
    if (trace === undefined) continue
    const { parent, stateSpanId, incidentSpanId, events } = trace
    const { traceId } = parent
    const common = { traceId, kind: 'INTERNAL', startMs, endMs } as const
    tracer.record({
      ...common,
      spanId: stateSpanId,
      parentSpanId: parent.spanId,
      name: 'state',
      attributes: { 'upvane.monitor.state': monitor.state },
    })
    if (applied.incident !== null)
      tracer.record({
        ...common,
        spanId: incidentSpanId,
        parentSpanId: stateSpanId,
        name: 'incident',
        attributes: { 'upvane.incident.action': applied.incident.do },
      })
    for (const { type, spanId } of events)
      tracer.record({
        ...common,
        kind: 'PRODUCER',
        spanId,
        parentSpanId: type.startsWith('incident.') ? incidentSpanId : stateSpanId,
        name: 'event',
        attributes: { 'upvane.event.type': type },
      })
  }
}
