// An endpoint that receives signed events.
import type { Static } from 'typebox'
import { DISABLED_REASONS, ENDPOINT_SETTINGS } from '../../domain/events/webhook-endpoint.ts'
import { shownFields, writableFields } from '../fields.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

const fields = {
  id: id('Id of the endpoint.'),
  ...shownFields(ENDPOINT_SETTINGS),
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

const writable = writableFields(ENDPOINT_SETTINGS)

export const WebhookEndpointCreate = input(writable)
export const WebhookEndpointUpdate = patch(writable)
