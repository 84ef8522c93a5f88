// The shapes of webhook endpoints and deliveries, and the invariants between their fields.
import assert from 'node:assert/strict'
import {
  type Check,
  exactly,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  type Shape,
  text,
  time,
  whole,
} from './exact.ts'

export type WebhookEndpoint = {
  id: string
  url: string
  description: string | null
  eventTypes: string[]
  enabled: boolean
  disabledReason: string | null
  secretHint: string
  previousSecretExpiresAt: string | null
  lastSuccessAt: string | null
  lastFailureAt: string | null
  createdAt: string
  updatedAt: string
}
export type EndpointWithSecret = WebhookEndpoint & { secret: string }

export type WebhookDelivery = {
  id: string
  endpointId: string
  eventId: string
  eventType: string
  status: string
  attemptCount: number
  nextAttemptAt: string | null
  lastAttemptAt: string | null
  lastResponseStatus: number | null
  lastError: string | null
  createdAt: string
  completedAt: string | null
}
export type WebhookPayload = {
  id: string
  type: string
  timestamp: string
  apiVersion: string
  organizationId: string
  data: Record<string, unknown>
}
type WebhookAttempt = {
  id: string
  number: number
  trigger: string
  startedAt: string
  durationMs: number
  outcome: string
  responseStatus: number | null
  responseBody: string | null
  errorCode: string | null
  error: string | null
}
export type DeliveryDetail = WebhookDelivery & {
  url: string
  payload: WebhookPayload
  attempts: WebhookAttempt[]
}

// biome-ignore format: many short values read better side by side
export const EVENT_TYPES = [
  'incident.opened', 'incident.acknowledged', 'incident.resolved',
  'status_incident.published', 'status_incident.updated', 'status_incident.resolved',
  'monitor.created', 'monitor.updated', 'monitor.deleted', 'monitor.paused', 'monitor.resumed',
  'monitor.up', 'monitor.degraded', 'monitor.down',
  'monitor.ssl_expiring', 'monitor.domain_expiring', 'monitor.dns_changed',
  'maintenance.scheduled', 'maintenance.started', 'maintenance.ended', 'maintenance.canceled',
  'webhook.test',
]
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/
const eventType = oneOf(...EVENT_TYPES)

const endpointShape: Shape = {
  id: id('whe'),
  url: text,
  description: orNull(text),
  eventTypes: listOf(oneOf('*', ...EVENT_TYPES)),
  enabled: flag,
  disabledReason: orNull(oneOf('MANUAL', 'FAILING', 'GONE')),
  secretHint: text,
  previousSecretExpiresAt: orNull(time),
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  createdAt: time,
  updatedAt: time,
}

/** Never includes a secret. */
export const assertEndpoint: Check = (value, at) => {
  exactly(endpointShape)(value, at)
  assertEndpointRules(value as WebhookEndpoint, at)
}

/** The responses of create and rotate-secret, and of nothing else. */
export const assertEndpointWithSecret: Check = (value, at) => {
  exactly({ ...endpointShape, secret: text })(value, at)
  const { secret, secretHint } = value as EndpointWithSecret
  assert.match(secret, SECRET, `${at}.secret`)
  assert.equal(secretHint, secret.slice(-4), `${at}.secretHint`)
  assertEndpointRules(value as WebhookEndpoint, at)
}

function assertEndpointRules(endpoint: WebhookEndpoint, at: string): void {
  assert.equal(endpoint.secretHint.length, 4, `${at}.secretHint`)
  assert.equal(endpoint.enabled, endpoint.disabledReason === null, `${at}.disabledReason`)
  const { eventTypes } = endpoint
  assert.ok(eventTypes.length > 0, `${at}.eventTypes is empty`)
  assert.ok(eventTypes.length === 1 || !eventTypes.includes('*'), `${at}.eventTypes: * is alone`)
}

const deliveryShape: Shape = {
  id: id('whd'),
  endpointId: id('whe'),
  eventId: id('evt'),
  eventType,
  status: oneOf('PENDING', 'SUCCEEDED', 'FAILED'),
  attemptCount: whole,
  nextAttemptAt: orNull(time),
  lastAttemptAt: orNull(time),
  lastResponseStatus: orNull(whole),
  lastError: orNull(text),
  createdAt: time,
  completedAt: orNull(time),
}

export const assertDelivery: Check = (value, at) => {
  exactly(deliveryShape)(value, at)
  assertDeliveryRules(value as WebhookDelivery, at)
}

function assertDeliveryRules(delivery: WebhookDelivery, at: string): void {
  const isPending = delivery.status === 'PENDING'
  assert.equal(delivery.nextAttemptAt !== null, isPending, `${at}.nextAttemptAt`)
  assert.equal(delivery.completedAt === null, isPending, `${at}.completedAt`)
}

// biome-ignore format: many short values read better side by side
const errorCode = oneOf(
  'TIMEOUT', 'DNS_ERROR', 'CONNECTION_FAILED', 'TLS_ERROR', 'TARGET_NOT_ALLOWED', 'BAD_STATUS',
  'WORKER_LOST',
)
const attempt = exactly({
  id: id('wha'),
  number: whole,
  trigger: oneOf('AUTOMATIC', 'MANUAL'),
  startedAt: time,
  durationMs: whole,
  outcome: oneOf('SUCCEEDED', 'FAILED'),
  responseStatus: orNull(whole),
  responseBody: orNull(text),
  errorCode: orNull(errorCode),
  error: orNull(text),
})
const payload = exactly({
  id: id('evt'),
  type: eventType,
  timestamp: time,
  apiVersion: oneOf('v1'),
  organizationId: id('org'),
  data: (value, at) => assert.ok(typeof value === 'object' && value !== null, at),
})
const deliveryDetail = exactly({ ...deliveryShape, url: text, payload, attempts: listOf(attempt) })

export const assertDeliveryDetail: Check = (value, at) => {
  deliveryDetail(value, at)
  const detail = value as DeliveryDetail
  assertDeliveryRules(detail, at)
  assert.equal(detail.payload.id, detail.eventId, `${at}.payload.id`)
  assert.equal(detail.payload.type, detail.eventType, `${at}.payload.type`)
  const numbers = detail.attempts.map(({ number }) => number)
  const sorted = numbers.toSorted((a, b) => a - b)
  assert.deepEqual(numbers, sorted, `${at}.attempts are oldest first`)
}
