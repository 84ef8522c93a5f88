// Tests of an alert contact or a webhook endpoint with the values of a form, before they are saved.
import { SHARED_CHANNELS } from '../../domain/alerts/channels.ts'
import { WebhookEndpointCreate } from '../public/webhook-endpoint.ts'
import { closed, input, nullable, oneOf } from '../schema.ts'
import { Type } from '../type.ts'
import { contactName, contactSettings } from './alert-contacts.ts'
import { privateOperation } from './operation.ts'

/** What the receiver responded. Nothing of it is stored. */
const ReceiverResponse = closed({
  delivered: Type.Boolean(),
  /** The HTTP status; null without one. */
  status: nullable(Type.Integer()),
  /** Why it failed, for people to read. */
  error: nullable(Type.String()),
  /** The first characters of the response, without the settings that were sent. */
  answer: nullable(Type.String()),
  tookMs: Type.Integer(),
})

/** Settings that are left out are those of the contact that is edited. */
export const tryAlertContact = privateOperation({
  id: 'tryAlertContact',
  method: 'POST',
  waits: true,
  path: '/alert-contact-trials',
  who: 'ADMIN',
  body: {
    schema: input({
      name: contactName,
      channel: oneOf(SHARED_CHANNELS),
      settings: contactSettings,
      /** The contact that is edited. */
      contactId: Type.Optional(Type.String()),
    }),
    required: true,
  },
  reply: { status: 200, body: ReceiverResponse },
})

/** Signed with the secrets of the endpoint that is edited; with a temporary one if it is new. */
export const tryWebhookEndpoint = privateOperation({
  id: 'tryWebhookEndpoint',
  method: 'POST',
  waits: true,
  path: '/webhook-endpoint-trials',
  who: 'MEMBER',
  needsSubscription: true,
  body: {
    schema: input({
      url: WebhookEndpointCreate.properties.url,
      /** The endpoint that is edited. */
      endpointId: Type.Optional(Type.String()),
    }),
    required: true,
  },
  reply: { status: 200, body: ReceiverResponse },
})

export const RECEIVER_TEST_OPERATIONS = [tryAlertContact, tryWebhookEndpoint] as const
