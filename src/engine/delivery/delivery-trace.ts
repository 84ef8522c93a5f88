import { readTraceparent } from '../../platform/observability/trace-context.ts'
import type { Span, Tracer } from '../../platform/observability/tracer.ts'
import type { ClaimedAttempt } from '../../store/deliveries/queue.ts'

/** The last part of a check's trace: one span per attempt to deliver its event. */
export function startDeliverySpan(
  tracer: Tracer | undefined,
  one: ClaimedAttempt,
): Span | undefined {
  const parent = tracer && readTraceparent(one.traceparent)
  if (parent === undefined) return undefined
  return tracer?.start('delivery', {
    kind: 'CONSUMER',
    parent,
    attributes: { 'upvane.channel': one.channel, 'upvane.attempt': one.number },
  })
}
