import { toPublicId } from '../domain/id.ts'
import { type DeliveryDetail, findDelivery } from '../store/deliveries.ts'
import { tellOne } from '../store/events.ts'
import type { TenantTx } from '../store/tenants.ts'
import { lockEndpoint } from '../store/webhook-endpoints.ts'

/**
 * Queues a test event to this endpoint alone. It is retried like any other delivery; while the endpoint is disabled
 * it has one attempt, so that a fix can be tried first.
 */
export async function testWebhookEndpoint(
  tx: TenantTx,
  uuid: string,
): Promise<DeliveryDetail | undefined> {
  const endpoint = await lockEndpoint(tx, uuid)
  if (endpoint === undefined) return undefined

  const data = { message: 'Test event', endpointId: toPublicId('whe', uuid) }
  const deliveryUuid = await tellOne(tx, uuid, { type: 'webhook.test', at: tx.now, data })
  return findDelivery(tx, deliveryUuid)
}
