// Labels and appearances of deliveries and endpoints.
import type { ItemOf } from '../../api/contract.ts'
import { endpointText, deliveriesText as TEXT } from '../../messages/connections/webhooks.ts'
import { formatMs } from '../../time/figures.ts'
import { formatAgo } from '../../time/format.ts'
import type { State } from '../../ui/state.tsx'

export type DeliveryView = ItemOf<'GET /overview/webhook-deliveries'>
export type EndpointView = ItemOf<'GET /overview/webhook-endpoints'>

const STATES = endpointText.states

type Appearance = { state: State; word: string }

/** How a delivery is shown: waiting for its first attempt, retrying, sent again manually, delivered, or failed. */
export function appearanceOfDelivery(
  delivery: Pick<DeliveryView, 'status' | 'attemptCount' | 'lastError'>,
): Appearance {
  const { status, attemptCount, lastError } = delivery
  if (status === 'SUCCEEDED') return { state: 'UP', word: TEXT.states.delivered }
  if (status === 'FAILED') return { state: 'DOWN', word: TEXT.states.failed }
  if (attemptCount === 0) return { state: 'PENDING', word: TEXT.states.pending }
  // The last attempt was delivered: it is sent again on request, and nothing is wrong.
  if (lastError === null) return { state: 'UP', word: TEXT.states.resending }
  return { state: 'DEGRADED', word: TEXT.states.retrying }
}

/** The response status, or why there is none. */
export function responseLabel(status: number | null, error: string | null): string {
  if (status !== null) return String(status)
  return error === null ? '–' : (ERRORS[error] ?? error)
}

const ERRORS: Record<string, string> = TEXT.errors

/** How long it took, or when the next attempt is. */
export function tookOf(delivery: DeliveryView, now: number): string {
  const { nextAttemptAt } = delivery
  if (nextAttemptAt !== null && delivery.attemptCount > 0)
    return Date.parse(nextAttemptAt) <= now
      ? TEXT.retryNow
      : TEXT.retry({ when: formatAgo(nextAttemptAt, now) })
  if (delivery.status === 'FAILED') return TEXT.gaveUp({ attempts: delivery.attemptCount })
  return delivery.tookMs === null ? '–' : formatMs(delivery.tookMs)
}

/** How an endpoint is shown. `HALTED` is called "Slowed down" because nothing is lost. */
export function appearanceOfEndpoint({
  sending,
  disabledReason,
  failuresInARow,
}: EndpointView): Appearance {
  if (sending === 'HALTED') return { state: 'DEGRADED', word: STATES.slowed }
  if (sending === 'DISABLED')
    return disabledReason === 'MANUAL'
      ? { state: 'PAUSED', word: STATES.disabled }
      : { state: 'DOWN', word: STATES.off }
  if (failuresInARow > 0) return { state: 'DEGRADED', word: STATES.failing }
  return { state: 'UP', word: STATES.enabled }
}
