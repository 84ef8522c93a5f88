// Labels and appearances of deliveries and endpoints.
import type { ItemOf } from '../../api/contract.ts'
import { formatMs } from '../../time/figures.ts'
import { formatAgo } from '../../time/format.ts'
import type { State } from '../../ui/state.tsx'

export type DeliveryView = ItemOf<'GET /overview/webhook-deliveries'>
export type EndpointView = ItemOf<'GET /overview/webhook-endpoints'>

type Appearance = { state: State; word: string }

/** How a delivery is shown: waiting for its first attempt, retrying, sent again manually, delivered, or failed. */
export function appearanceOfDelivery(
  delivery: Pick<DeliveryView, 'status' | 'attemptCount' | 'lastError'>,
): Appearance {
  const { status, attemptCount, lastError } = delivery
  if (status === 'SUCCEEDED') return { state: 'UP', word: 'Delivered' }
  if (status === 'FAILED') return { state: 'DOWN', word: 'Failed' }
  if (attemptCount === 0) return { state: 'PENDING', word: 'Waiting' }
  // The last attempt was delivered: it is sent again on request, and nothing is wrong.
  if (lastError === null) return { state: 'UP', word: 'Sending again' }
  return { state: 'DEGRADED', word: 'Retrying' }
}

/** The response status, or why there is none. */
export function responseLabel(status: number | null, error: string | null): string {
  if (status !== null) return String(status)
  return error === null ? '–' : (ERRORS[error] ?? error)
}

const ERRORS: Record<string, string> = {
  TIMEOUT: 'no answer',
  DNS_ERROR: 'no such host',
  CONNECTION_FAILED: 'no connection',
  TLS_ERROR: 'TLS failed',
  TARGET_NOT_ALLOWED: 'not allowed',
  WORKER_LOST: 'interrupted',
  ENDPOINT_DELETED: 'deleted',
  ENDPOINT_DISABLED: 'disabled',
}

/** How long it took, or when the next attempt is. */
export function tookOf(delivery: DeliveryView, now: number): string {
  const { nextAttemptAt } = delivery
  if (nextAttemptAt !== null && delivery.attemptCount > 0)
    return Date.parse(nextAttemptAt) <= now ? 'now' : `next ${formatAgo(nextAttemptAt, now)}`
  if (delivery.status === 'FAILED') return 'gave up'
  return delivery.tookMs === null ? '–' : formatMs(delivery.tookMs)
}

/** How an endpoint is shown. `HALTED` is called "Slowed down" because nothing is lost. */
export function appearanceOfEndpoint({
  sending,
  disabledReason,
  failuresInARow,
}: EndpointView): Appearance {
  if (sending === 'HALTED') return { state: 'DEGRADED', word: 'Slowed down' }
  if (sending === 'DISABLED')
    return disabledReason === 'MANUAL'
      ? { state: 'PAUSED', word: 'Disabled' }
      : { state: 'DOWN', word: 'Switched off' }
  if (failuresInARow > 0) return { state: 'DEGRADED', word: 'Failing' }
  return { state: 'UP', word: 'Enabled' }
}
