import { eventBytes } from '../../domain/values/day-quota.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { type DeliveryDetail, findDelivery } from '../../store/deliveries/deliveries.ts'
import { lockEndpoint } from '../../store/deliveries/webhook-endpoints.ts'
import { publishToEndpoint } from '../../store/events/events.ts'
import { chargeDay } from '../charge-day.ts'

/**
 * Queues a test event for this endpoint only. It is retried like any other delivery. A disabled endpoint gets a single
 * attempt, so that a fix can be tested first.
 */
export async function testWebhookEndpoint(
  tx: TenantTx,
  uuid: string,
): Promise<DeliveryDetail | undefined> {
  const endpoint = await lockEndpoint(tx, uuid)
  if (endpoint === undefined) return undefined

  const data = { message: 'Test event', endpointId: toPublicId('whe', uuid) }
  const deliveryUuid = await publishToEndpoint(tx, uuid, { type: 'webhook.test', at: tx.now, data })
  await chargeDay(tx, 'EVENTS', eventBytes([JSON.stringify(data)], 1))
  return findDelivery(tx, deliveryUuid)
}
