// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type { WebhookEvent } from '../events.ts'
import type { WebhookDelivery, WebhookDeliveryStatus } from './shared.ts'

export type WebhookAttempt = {
  /** Id of the attempt. */
  id: string
  /** 1 is the first attempt. */
  number: number
  /** By schedule or by a retry request. */
  trigger: WebhookAttemptTrigger
  /** When it began. */
  startedAt: string
  /** Milliseconds it took. */
  durationMs: number
  /** A 2xx response in time is a success. */
  outcome: WebhookAttemptOutcome
  /** HTTP status of the response. */
  responseStatus: number | null
  /** First 16 KiB of the response. */
  responseBody: string | null
  /** Kind of failure. */
  errorCode: WebhookAttemptErrorCode | null
  /** What failed, for people. */
  error: string | null
}

export type WebhookAttemptErrorCode =
  | 'TIMEOUT'
  | 'DNS_ERROR'
  | 'CONNECTION_FAILED'
  | 'TLS_ERROR'
  | 'TARGET_NOT_ALLOWED'
  | 'BAD_STATUS'
  | 'WORKER_LOST'

export type WebhookAttemptOutcome = 'SUCCEEDED' | 'FAILED'

export type WebhookAttemptTrigger = 'AUTOMATIC' | 'MANUAL'

export type WebhookDeliveryDetail = {
  /** Id of the delivery. */
  id: string
  /** Endpoint it goes to. Kept after the endpoint is deleted. */
  endpointId: string
  /** Event it carries, the same as the `webhook-id` header. */
  eventId: string
  /** Type of the event. */
  eventType: string
  /** PENDING while attempts are still to come. */
  status: WebhookDeliveryStatus
  /** Attempts made so far. */
  attemptCount: number
  /** Next attempt. Only while PENDING. */
  nextAttemptAt: string | null
  /** Last attempt. */
  lastAttemptAt: string | null
  /** HTTP status of the last response. */
  lastResponseStatus: number | null
  /** Kind of the last failure, as `errorCode` of an attempt. ENDPOINT_DELETED or ENDPOINT_DISABLED when it was ended without another attempt. */
  lastError: string | null
  /** When it was queued. */
  createdAt: string
  /** When it succeeded or finally failed. */
  completedAt: string | null
  /** Address used at the last attempt. */
  url: string
  payload: WebhookEvent
  /** Every attempt, oldest first. */
  attempts: WebhookAttempt[]
}

export type WebhookEventType =
  | 'incident.opened'
  | 'incident.acknowledged'
  | 'incident.resolved'
  | 'status_incident.published'
  | 'status_incident.updated'
  | 'status_incident.resolved'
  | 'monitor.created'
  | 'monitor.updated'
  | 'monitor.deleted'
  | 'monitor.paused'
  | 'monitor.resumed'
  | 'monitor.up'
  | 'monitor.degraded'
  | 'monitor.down'
  | 'monitor.ssl_expiring'
  | 'monitor.domain_expiring'
  | 'monitor.dns_changed'
  | 'maintenance.scheduled'
  | 'maintenance.started'
  | 'maintenance.ended'
  | 'maintenance.canceled'
  | 'webhook.test'

export type WebhookDeliveriesQuery = {
  /** Only deliveries to this endpoint. */
  endpointId?: string
  /** Only events of these types. */
  eventType?: WebhookEventType | readonly WebhookEventType[]
  /** Only deliveries in these statuses. */
  status?: WebhookDeliveryStatus | readonly WebhookDeliveryStatus[]
  /** Only deliveries queued at this time or later. */
  createdAfter?: string | Date
  /** Only deliveries queued before this time. */
  createdBefore?: string | Date
}

export type WebhookDeliveries = {
  /** List webhook deliveries. */
  list(query?: WebhookDeliveriesQuery, options?: CallOptions): List<WebhookDelivery>
  /** Get a delivery and its attempts. */
  get(id: string, options?: CallOptions): Call<WebhookDeliveryDetail>
  /** Retry a delivery. */
  retry(id: string, options?: WriteOptions): Call<WebhookDeliveryDetail>
}
