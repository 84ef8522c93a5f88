import { ENDPOINT_SETTINGS } from '../../domain/events/webhook-endpoint.ts'
import { examplesOf } from '../fields.ts'
import { operation } from '../operation.ts'
import { Deleted, EmptyBody, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import { TEST_DELIVERY_EXAMPLE } from './webhook-deliveries.ts'
import { WebhookDelivery } from './webhook-delivery.ts'
import {
  WebhookEndpointBody,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
} from './webhook-endpoint.ts'

export {
  WebhookEndpointBody as WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
}

const tag = 'Webhook endpoints'

export const WebhookEndpointParams = Type.Object({ endpointId: id('Id of the endpoint.') })

export const WebhookEndpointList = page(WebhookEndpointBody)

const WebhookEndpointQuery = input({
  ...PAGE_QUERY,
  enabled: Type.Optional(Type.Boolean({ description: 'Only enabled or only disabled endpoints.' })),
})

export const WEBHOOK_ENDPOINT_EXAMPLE: WebhookEndpointBody = {
  id: 'whe_01m7e43y1ne6a8002504v5j15s',
  ...examplesOf(ENDPOINT_SETTINGS),
  disabledReason: null,
  secretHint: 'ZWY=',
  previousSecretExpiresAt: null,
  lastSuccessAt: '2026-11-14T22:39:01.901Z',
  lastFailureAt: null,
  createdAt: '2026-09-01T08:30:00.000Z',
  updatedAt: '2026-09-01T08:30:00.000Z',
}

const created: WebhookEndpointWithSecret = {
  ...WEBHOOK_ENDPOINT_EXAMPLE,
  lastSuccessAt: null,
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
}

const noBody = { schema: EmptyBody, required: false, example: {} } as const

export const listWebhookEndpoints = operation({
  id: 'listWebhookEndpoints',
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  tag,
  summary: 'List webhook endpoints',
  description: 'The webhook endpoints of the organization, newest first.',
  query: WebhookEndpointQuery,
  reply: {
    status: 200,
    description: 'One page of endpoints.',
    body: WebhookEndpointList,
    example: { data: [WEBHOOK_ENDPOINT_EXAMPLE], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

export const createWebhookEndpoint = operation({
  id: 'createWebhookEndpoint',
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  tag,
  summary: 'Create a webhook endpoint',
  description:
    'The response contains the signing `secret`, which is shown only once. Signatures follow Standard Webhooks: HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. Verify the signature over the raw body before you act.',
  body: {
    schema: WebhookEndpointCreate,
    required: true,
    example: {
      url: 'https://hooks.example.com/upvane',
      description: 'Opens tickets',
      eventTypes: ['incident.opened', 'incident.resolved'],
    },
  },
  reply: {
    status: 201,
    description: 'The new endpoint, with its secret.',
    body: WebhookEndpointWithSecret,
    example: created,
  },
})

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  tag,
  summary: 'Get a webhook endpoint',
  description: 'The endpoint without its secret, of which only the last characters are shown.',
  params: WebhookEndpointParams,
  reply: {
    status: 200,
    description: 'The endpoint.',
    body: WebhookEndpointBody,
    example: WEBHOOK_ENDPOINT_EXAMPLE,
  },
})

export const updateWebhookEndpoint = operation({
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  tag,
  summary: 'Update a webhook endpoint',
  description:
    'Changes the fields you send and keeps the others. `enabled: false` lets pending deliveries wait; `enabled: true` clears the failures counted so far.',
  params: WebhookEndpointParams,
  body: { schema: WebhookEndpointUpdate, required: true, example: { eventTypes: ['*'] } },
  reply: {
    status: 200,
    description: 'The endpoint after the change.',
    body: WebhookEndpointBody,
    example: { ...WEBHOOK_ENDPOINT_EXAMPLE, eventTypes: ['*'] },
  },
})

export const deleteWebhookEndpoint = operation({
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  tag,
  summary: 'Delete a webhook endpoint',
  description: 'Pending deliveries to it are canceled. Its delivery log stays for 30 days.',
  params: WebhookEndpointParams,
  reply: {
    status: 200,
    description: 'The id of the endpoint that was removed.',
    body: Deleted,
    example: { data: { id: WEBHOOK_ENDPOINT_EXAMPLE.id } },
  },
})

export const rotateWebhookEndpointSecret = operation({
  id: 'rotateWebhookEndpointSecret',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/rotate-secret',
  tag,
  summary: 'Rotate a signing secret',
  description:
    'Creates a new secret immediately. For 24 hours deliveries are signed with the new and the old one, so that you can switch. At most 5 secrets are live; a sixth returns 409 `conflict`.',
  params: WebhookEndpointParams,
  body: noBody,
  reply: {
    status: 200,
    description: 'The endpoint, with its new secret.',
    body: WebhookEndpointWithSecret,
    example: {
      ...created,
      previousSecretExpiresAt: '2026-11-15T22:39:00.000Z',
      updatedAt: '2026-11-14T22:39:00.000Z',
    },
  },
})

export const testWebhookEndpoint = operation({
  id: 'testWebhookEndpoint',
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/test',
  tag,
  summary: 'Send a test event',
  description:
    'Queues one `webhook.test` event to this endpoint, whatever it subscribes to. It is retried like any other delivery. Works on a disabled endpoint too, so that a fix can be tried first; there it has one attempt.',
  params: WebhookEndpointParams,
  body: noBody,
  reply: {
    status: 200,
    description: 'The delivery that was queued.',
    body: WebhookDelivery,
    example: TEST_DELIVERY_EXAMPLE,
  },
})
