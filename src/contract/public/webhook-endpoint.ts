// An endpoint that receives signed events.
import type { Static } from 'typebox'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { EVERY_EVENT } from '../../domain/events/webhook.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

export const DISABLED_REASONS = ['MANUAL', 'FAILING', 'GONE'] as const

const ABOUT = {
  url: 'Public HTTPS address that receives the events.',
  description: 'What it is for.',
  eventTypes: 'Event types it receives, or `*` alone for everything, also types added later.',
  enabled: 'Whether events are sent to it.',
}

const fields = {
  id: id('Id of the endpoint.'),
  url: Type.String({ description: ABOUT.url }),
  description: nullable(Type.String({ description: ABOUT.description })),
  eventTypes: Type.Array(Type.String(), { description: ABOUT.eventTypes }),
  enabled: Type.Boolean({ description: ABOUT.enabled }),
  disabledReason: nullable(
    oneOf(DISABLED_REASONS, {
      description: 'Manually, after days of failures, or because it returned 410.',
    }),
  ),
  secretHint: Type.String({ description: 'Last 4 characters of the current secret.' }),
  previousSecretExpiresAt: nullable(
    timestamp('Until when deliveries are also signed with the previous secret.'),
  ),
  lastSuccessAt: nullable(timestamp('Last attempt that succeeded.')),
  lastFailureAt: nullable(timestamp('Last attempt that failed.')),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it last changed.'),
}

export const WebhookEndpointBody = closed(fields)
export type WebhookEndpointBody = Static<typeof WebhookEndpointBody>

/** The only two responses that show a secret: create and rotate. */
export const WebhookEndpointWithSecret = closed({
  ...fields,
  secret: Type.String({
    description: 'Signing secret. Shown now and never again.',
    examples: ['whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='],
  }),
})
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

const writable = {
  url: Type.String({ minLength: 1, maxLength: 2048, description: ABOUT.url }),
  description: nullable(
    Type.String({ maxLength: 500, default: null, description: ABOUT.description }),
  ),
  eventTypes: Type.Array(oneOf([...EVENT_TYPES, EVERY_EVENT]), {
    minItems: 1,
    maxItems: EVENT_TYPES.length,
    default: [EVERY_EVENT],
    description: ABOUT.eventTypes,
  }),
  enabled: Type.Boolean({ default: true, description: ABOUT.enabled }),
}

export const WebhookEndpointCreate = input(writable)
export const WebhookEndpointUpdate = patch(writable)
