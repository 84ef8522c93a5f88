// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type { Deleted, WebhookDelivery } from './shared.ts'

export type WebhookDisabledReason = 'MANUAL' | 'FAILING' | 'GONE'

export type WebhookEndpoint = {
  /** Id of the endpoint. */
  id: string
  /** Public HTTPS address that receives the events. */
  url: string
  /** What it is for. */
  description: string | null
  /** Event types it receives, or `*` alone for everything, also types added later. */
  eventTypes: string[]
  /** Whether events are sent to it. */
  enabled: boolean
  /** Manually, after days of failures, or because it returned 410. */
  disabledReason: WebhookDisabledReason | null
  /** Last 4 characters of the current secret. */
  secretHint: string
  /** Until when deliveries are also signed with the previous secret. */
  previousSecretExpiresAt: string | null
  /** Last attempt that succeeded. */
  lastSuccessAt: string | null
  /** Last attempt that failed. */
  lastFailureAt: string | null
  /** When it was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
}

export type WebhookEndpointInput = {
  /** Public HTTPS address that receives the events. */
  url: string
  /** What it is for. */
  description?: string | null
  /** Event types it receives, or `*` alone for everything, also types added later. Default: `["*"]`. */
  eventTypes?: WebhookEventFilter[]
  /** Whether events are sent to it. Default: `true`. */
  enabled?: boolean
}

export type WebhookEndpointPatch = Partial<WebhookEndpointInput>

export type WebhookEndpointWithSecret = {
  /** Id of the endpoint. */
  id: string
  /** Public HTTPS address that receives the events. */
  url: string
  /** What it is for. */
  description: string | null
  /** Event types it receives, or `*` alone for everything, also types added later. */
  eventTypes: string[]
  /** Whether events are sent to it. */
  enabled: boolean
  /** Manually, after days of failures, or because it returned 410. */
  disabledReason: WebhookDisabledReason | null
  /** Last 4 characters of the current secret. */
  secretHint: string
  /** Until when deliveries are also signed with the previous secret. */
  previousSecretExpiresAt: string | null
  /** Last attempt that succeeded. */
  lastSuccessAt: string | null
  /** Last attempt that failed. */
  lastFailureAt: string | null
  /** When it was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** Signing secret. Shown now and never again. */
  secret: string
}

export type WebhookEventFilter =
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
  | '*'

export type WebhookEndpointsQuery = {
  /** Only enabled or only disabled endpoints. */
  enabled?: boolean
}

export type WebhookEndpoints = {
  /** List webhook endpoints. */
  list(query?: WebhookEndpointsQuery, options?: CallOptions): List<WebhookEndpoint>
  /** Create a webhook endpoint. */
  create(input: WebhookEndpointInput, options?: WriteOptions): Call<WebhookEndpointWithSecret>
  /** Get a webhook endpoint. */
  get(id: string, options?: CallOptions): Call<WebhookEndpoint>
  /** Update a webhook endpoint. */
  update(id: string, changes: WebhookEndpointPatch, options?: WriteOptions): Call<WebhookEndpoint>
  /** Delete a webhook endpoint. */
  delete(id: string, options?: WriteOptions): Call<Deleted>
  /** Rotate a signing secret. */
  rotateSecret(id: string, options?: WriteOptions): Call<WebhookEndpointWithSecret>
  /** Send a test event. */
  test(id: string, options?: WriteOptions): Call<WebhookDelivery>
}
