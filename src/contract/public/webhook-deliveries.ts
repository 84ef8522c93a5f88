import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { operation } from '../operation.ts'
import { commaList, EmptyBody, id, input, PAGE_QUERY, page, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { WebhookDelivery, WebhookDeliveryDetail } from './webhook-delivery.ts'

export { WebhookDelivery, WebhookDeliveryDetail }

const tag = 'Webhook deliveries'

export const WebhookDeliveryParams = Type.Object({ deliveryId: id('Id of the delivery.') })

export const WebhookDeliveryList = page(WebhookDelivery)

const WebhookDeliveryQuery = input({
  ...PAGE_QUERY,
  endpointId: Type.Optional(id('Only deliveries to this endpoint.')),
  eventType: Type.Optional(commaList(EVENT_TYPES, 'Only events of these types.')),
  status: Type.Optional(commaList(DELIVERY_STATUSES, 'Only deliveries in these statuses.')),
  createdAfter: Type.Optional(timestamp('Only deliveries queued at this time or later.')),
  createdBefore: Type.Optional(timestamp('Only deliveries queued before this time.')),
})

export const TEST_DELIVERY_EXAMPLE: WebhookDelivery = {
  id: 'whd_01m7e45sqce84r003tg8xs4n2s',
  endpointId: 'whe_01m7e43y1ne6a8002504v5j15s',
  eventId: 'evt_01m7e49h2tebsr001xddy3bp5d',
  eventType: 'webhook.test',
  status: 'PENDING',
  attemptCount: 0,
  nextAttemptAt: '2026-11-14T22:39:00.000Z',
  lastAttemptAt: null,
  lastResponseStatus: null,
  lastError: null,
  createdAt: '2026-11-14T22:39:00.000Z',
  completedAt: null,
}

const attempted: WebhookDelivery = {
  ...TEST_DELIVERY_EXAMPLE,
  attemptCount: 1,
  nextAttemptAt: '2026-11-14T22:39:05.402Z',
  lastAttemptAt: '2026-11-14T22:39:00.118Z',
  lastResponseStatus: 500,
  lastError: 'BAD_STATUS',
}

const detail: WebhookDeliveryDetail = {
  ...attempted,
  url: 'https://hooks.example.com/upvane',
  payload: {
    id: 'evt_01m7e49h2tebsr001xddy3bp5d',
    type: 'webhook.test',
    timestamp: '2026-11-14T22:39:00.000Z',
    apiVersion: 'v1',
    organizationId: 'org_01m7e4bcrhedm8006tpfcy3t2e',
    data: { message: 'Test event', endpointId: 'whe_01m7e43y1ne6a8002504v5j15s' },
  },
  attempts: [
    {
      id: 'wha_01m7e47nd3e9z8000edzftybz8',
      number: 1,
      trigger: 'AUTOMATIC',
      startedAt: '2026-11-14T22:39:00.118Z',
      durationMs: 84,
      outcome: 'FAILED',
      responseStatus: 500,
      responseBody: 'Internal Server Error',
      errorCode: 'BAD_STATUS',
      error: 'Answered with HTTP 500',
    },
  ],
}

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/v1/webhook-deliveries',
  tag,
  summary: 'List webhook deliveries',
  description: 'What was sent, or is still to be sent, newest first. Kept for 30 days.',
  query: WebhookDeliveryQuery,
  reply: {
    status: 200,
    description: 'One page of deliveries.',
    body: WebhookDeliveryList,
    example: { data: [attempted], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  method: 'GET',
  path: '/api/v1/webhook-deliveries/{deliveryId}',
  tag,
  summary: 'Get a delivery and its attempts',
  description: 'What was sent where, with every attempt and what came back.',
  params: WebhookDeliveryParams,
  reply: {
    status: 200,
    description: 'The delivery with its payload and every attempt.',
    body: WebhookDeliveryDetail,
    example: detail,
  },
})

export const retryWebhookDelivery = operation({
  id: 'retryWebhookDelivery',
  method: 'POST',
  path: '/api/v1/webhook-deliveries/{deliveryId}/retry',
  tag,
  summary: 'Retry a delivery',
  description:
    'Makes one more attempt now; for a pending delivery, the next one. Its endpoint must exist and be enabled, otherwise the response is 409 `conflict`.',
  params: WebhookDeliveryParams,
  body: { schema: EmptyBody, required: false, example: {} },
  reply: {
    status: 200,
    description: 'The delivery, waiting for its attempt.',
    body: WebhookDeliveryDetail,
    example: { ...detail, nextAttemptAt: '2026-11-14T22:39:02.000Z' },
  },
})
