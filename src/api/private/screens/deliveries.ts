// Webhooks and alerts: delivery health and history.
import * as contract from '../../../contract/private/delivery-screens.ts'
import { toApiAttempt, toApiDelivery } from '../../../domain/events/delivery.ts'
import { toApiEndpoint, type WebhookEndpoint } from '../../../domain/events/webhook-endpoint.ts'
import { fromPublicId, NIL_UUID, toPublicId } from '../../../domain/values/id.ts'
import { notFound } from '../../../platform/api-error.ts'
import { findDelivery } from '../../../store/deliveries/deliveries.ts'
import * as rows from '../../../store/deliveries/delivery-list.ts'
import { listEndpoints } from '../../../store/deliveries/webhook-endpoints.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

// More than the largest plan allows. A configured plan without a limit shows its newest.
const MOST_ENDPOINTS = 500

const endpoints: Handler<typeof contract.listWebhookRows> = async (_input, { tenant }) => {
  const [page, health] = await Promise.all([
    listEndpoints(tenant, { limit: MOST_ENDPOINTS, offset: 0 }),
    rows.findEndpointHealth(tenant),
  ])
  const at = [...health.values()][0]?.at ?? new Date()
  const shown = page.endpoints.flatMap((endpoint) => {
    const own = health.get(endpoint.uuid)
    return own === undefined ? [] : [toEndpointRow(endpoint, own)]
  })
  return { data: shown, at }
}

const deliveries: Handler<typeof contract.listDeliveryRows> = async ({ query }, { tenant }) => {
  const { endpointId, status, troubled, eventType, limit, cursor } = query
  const found = await rows.listDeliveryLog(tenant, {
    endpointUuid: endpointId,
    status,
    troubled,
    eventType,
    beforeUuid: afterCursor(cursor),
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  return { data: shown.map(toDeliveryRow), next: nextOf('whd', shown, found.length > limit) }
}

const exchange: Handler<typeof contract.getDeliveryExchange> = async ({ params }, { tenant }) => {
  const delivery = await findDelivery(tenant, params.deliveryId)
  if (!delivery) throw notFound('webhook delivery')
  const { url, body, attempts } = delivery
  const headers = {
    'content-type': 'application/json',
    'webhook-id': toPublicId('evt', delivery.eventUuid),
  }
  return {
    ...toDeliveryRow({ ...delivery, tookMs: attempts.at(-1)?.durationMs ?? null }),
    request: { method: 'POST', url, headers, body },
    attempts: attempts.map((attempt) => ({
      ...toApiAttempt(attempt),
      timestamp: String(Math.floor(attempt.startedAt.getTime() / 1000)),
    })),
  }
}

const messages: Handler<typeof contract.listAlertMessages> = async ({ query }, { tenant }) => {
  const { contactId, incidentId, status, limit, cursor } = query
  const found = await rows.listAlertMessages(tenant, {
    contactUuid: contactId,
    incidentUuid: incidentId,
    status,
    beforeUuid: afterCursor(cursor),
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  return { data: shown.map(toMessage), next: nextOf('whd', shown, found.length > limit) }
}

export const deliveryScreenOperations: readonly BoundOperation[] = [
  bind(contract.listWebhookRows, endpoints),
  bind(contract.listDeliveryRows, deliveries),
  bind(contract.getDeliveryExchange, exchange),
  bind(contract.listAlertMessages, messages),
]

const afterCursor = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : (fromPublicId('whd', cursor) ?? NIL_UUID)

function nextOf(prefix: 'whd', shown: readonly { uuid: string }[], isMore: boolean) {
  const last = shown.at(-1)
  return isMore && last !== undefined ? toPublicId(prefix, last.uuid) : null
}

function toEndpointRow(endpoint: WebhookEndpoint, health: rows.EndpointHealthRecord) {
  const { succeeded, failed, pending, held, failuresInARow, probeSeconds } = health
  const ended = succeeded + failed
  return {
    ...toApiEndpoint(endpoint),
    sending: sendingOf(endpoint, health),
    last24h: { succeeded, failed, pending, successRatio: ended === 0 ? null : succeeded / ended },
    held,
    failuresInARow,
    failingSince: health.failingSince,
    nextProbeAt: health.nextProbeAt,
    probeSeconds: probeSeconds === null ? null : Math.round(probeSeconds),
  }
}

function sendingOf(
  { enabled }: WebhookEndpoint,
  { nextProbeAt }: rows.EndpointHealthRecord,
): (typeof contract.SENDING)[number] {
  if (!enabled) return 'DISABLED'
  return nextProbeAt === null ? 'NORMAL' : 'HALTED'
}

function toDeliveryRow(delivery: rows.DeliveryLogEntry) {
  return { ...toApiDelivery(delivery), url: delivery.url, tookMs: delivery.tookMs }
}

function toMessage(message: rows.AlertMessageRecord) {
  const { uuid, contactUuid, contactName: name, channel, incidentUuids, ...rest } = message
  return {
    id: toPublicId('whd', uuid),
    contact: { id: toPublicId('act', contactUuid), name, channel },
    ...rest,
    incidentIds: incidentUuids.map((incident) => toPublicId('inc', incident)),
  }
}
