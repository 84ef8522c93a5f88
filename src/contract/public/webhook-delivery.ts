// One event to be delivered to one endpoint, with every attempt.
import type { Static } from 'typebox'
import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { closed, id, nullable, oneOf, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

export const ATTEMPT_TRIGGERS = ['AUTOMATIC', 'MANUAL'] as const
export const ATTEMPT_OUTCOMES = ['SUCCEEDED', 'FAILED'] as const
export const ATTEMPT_ERROR_CODES = [
  'TIMEOUT',
  'DNS_ERROR',
  'CONNECTION_FAILED',
  'TLS_ERROR',
  'TARGET_NOT_ALLOWED',
  'BAD_STATUS',
  'WORKER_LOST',
] as const

/** The body of every webhook request. */
export const WebhookEvent = closed({
  id: id('Id of the event, the same as the `webhook-id` header. Deduplicate by it.'),
  type: oneOf(EVENT_TYPES, { description: 'What happened.' }),
  timestamp: timestamp('When it happened.'),
  apiVersion: oneOf(['v1'], { description: 'Version of the API whose shapes `data` has.' }),
  organizationId: id('Id of the organization.'),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'What it happened to. Its shape depends on `type`.',
  }),
})
export type WebhookEvent = Static<typeof WebhookEvent>

const fields = {
  id: id('Id of the delivery.'),
  endpointId: id('Endpoint it goes to. Kept after the endpoint is deleted.'),
  eventId: id('Event it carries, the same as the `webhook-id` header.'),
  eventType: Type.String({ description: 'Type of the event.' }),
  status: oneOf(DELIVERY_STATUSES, { description: 'PENDING while attempts are still to come.' }),
  attemptCount: Type.Integer({ description: 'Attempts made so far.' }),
  nextAttemptAt: nullable(timestamp('Next attempt. Only while PENDING.')),
  lastAttemptAt: nullable(timestamp('Last attempt.')),
  lastResponseStatus: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
  lastError: nullable(
    Type.String({
      description:
        'Kind of the last failure, as `errorCode` of an attempt. ENDPOINT_DELETED or ENDPOINT_DISABLED when it was ended without another attempt.',
    }),
  ),
  createdAt: timestamp('When it was queued.'),
  completedAt: nullable(timestamp('When it succeeded or finally failed.')),
}

export const WebhookDelivery = closed(fields)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookAttempt = closed({
  id: id('Id of the attempt.'),
  number: Type.Integer({ description: '1 is the first attempt.' }),
  trigger: oneOf(ATTEMPT_TRIGGERS, { description: 'By schedule or by a retry request.' }),
  startedAt: timestamp('When it began.'),
  durationMs: Type.Integer({ description: 'Milliseconds it took.' }),
  outcome: oneOf(ATTEMPT_OUTCOMES, { description: 'A 2xx response in time is a success.' }),
  responseStatus: nullable(Type.Integer({ description: 'HTTP status of the response.' })),
  responseBody: nullable(Type.String({ description: 'First 16 KiB of the response.' })),
  errorCode: nullable(oneOf(ATTEMPT_ERROR_CODES, { description: 'Kind of failure.' })),
  error: nullable(Type.String({ description: 'What failed, for people.' })),
})

export const WebhookDeliveryDetail = closed({
  ...fields,
  url: Type.String({ description: 'Address used at the last attempt.' }),
  // Not inside `allOf`: openapi-typescript would remove the discriminator from the schema.
  payload: WebhookEvent,
  attempts: Type.Array(WebhookAttempt, { description: 'Every attempt, oldest first.' }),
})
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>
