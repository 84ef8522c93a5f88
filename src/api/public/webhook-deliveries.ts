import { retryDelivery } from '../../actions/webhooks/retry-delivery.ts'
import * as contract from '../../contract/public/webhook-deliveries.ts'
import { toApiAttempt, toApiDelivery } from '../../domain/events/delivery.ts'
import { notFound } from '../../platform/api-error.ts'
import * as deliveries from '../../store/deliveries/deliveries.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listWebhookDeliveries> = async ({ query }, { tenant }) => {
  const { limit, offset, endpointId: endpointUuid } = query
  const page = await deliveries.listDeliveries(tenant, { ...query, endpointUuid })
  return {
    data: page.deliveries.map(toApiDelivery),
    pagination: { limit, offset, total: page.total },
  }
}

const get: Handler<typeof contract.getWebhookDelivery> = async ({ params }, { tenant }) => {
  const delivery = await deliveries.findDelivery(tenant, params.deliveryId)
  if (!delivery) throw notFound('webhook delivery')
  return toApiDetail(delivery)
}

const retry: Handler<typeof contract.retryWebhookDelivery> = async ({ params }, { tx }) => {
  const delivery = await retryDelivery(tx, params.deliveryId)
  if (!delivery) throw notFound('webhook delivery')
  return toApiDetail(delivery)
}

export const webhookDeliveryOperations: readonly BoundOperation[] = [
  bind(contract.listWebhookDeliveries, list),
  bind(contract.getWebhookDelivery, get),
  bind(contract.retryWebhookDelivery, retry),
]

function toApiDetail(delivery: deliveries.DeliveryDetail) {
  return {
    ...toApiDelivery(delivery),
    url: delivery.url,
    payload: JSON.parse(delivery.body),
    attempts: delivery.attempts.map(toApiAttempt),
  }
}
