// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.

export type Deleted = {
  data: { id: string }
}

export type ErrorCode =
  | 'validation_error'
  | 'invalid_idempotency_key'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_conflict'
  | 'idempotency_in_progress'
  | 'plan_limit'
  | 'subscription_required'
  | 'rate_limited'
  | 'internal_error'

export type ErrorDetail = {
  /** Dotted path of the field, such as `url` or `expectedStatus.0`. */
  path: string
  /** What is wrong with it. */
  message: string
}

export type WebhookDelivery = {
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
}

export type WebhookDeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED'
