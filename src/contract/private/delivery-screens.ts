// What was sent to receivers and contacts, and how that goes.
import Type from 'typebox'
import { CONTACT_CHANNELS } from '../../domain/alerts/channels.ts'
import { DELIVERY_STATUSES, WebhookAttempt, WebhookDelivery } from '../public/webhook-delivery.ts'
import { WebhookEndpointBody } from '../public/webhook-endpoint.ts'
import { closed, commaList, input, nullable, oneOf, Timestamp } from '../schema.ts'
import {
  ORGANIZATION_PATH,
  ORGANIZATION_PROPERTIES,
  OrganizationParams,
  privateOperation,
} from './operation.ts'

const count = Type.Integer()

/** HALTED: it fails, and only a delivery now and then tries whether it is well again. */
export const SENDING = ['NORMAL', 'HALTED', 'DISABLED'] as const

export const listWebhookRows = privateOperation({
  id: 'listWebhookRows',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/overview/webhook-endpoints`,
  who: 'READ_ONLY',
  params: OrganizationParams,
  reply: {
    status: 200,
    body: closed({
      data: Type.Array(
        closed({
          ...WebhookEndpointBody.properties,
          sending: oneOf(SENDING),
          /** Deliveries made in the last 24 hours, by how they stand now. */
          last24h: closed({
            succeeded: count,
            failed: count,
            pending: count,
            /** Of those that have ended, 0 to 1; null when none has. */
            successRatio: nullable(Type.Number()),
          }),
          /** All that wait, however old. */
          held: count,
          failuresInARow: count,
          failingSince: nullable(Timestamp),
          nextProbeAt: nullable(Timestamp),
          probeSeconds: nullable(count),
        }),
      ),
      at: Timestamp,
    }),
  },
})

const DeliveryListEntry = closed({
  ...WebhookDelivery.properties,
  url: Type.String(),
  /** Of the last attempt that has ended. */
  tookMs: nullable(Type.Integer()),
})

export const listDeliveryRows = privateOperation({
  id: 'listDeliveryRows',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/overview/webhook-deliveries`,
  who: 'READ_ONLY',
  params: OrganizationParams,
  query: input({
    endpointId: Type.Optional(Type.String({ minLength: 1 })),
    status: Type.Optional(commaList(DELIVERY_STATUSES, 'Only deliveries that stand so.')),
    /** Only those of which an attempt failed, also if a later one did not. */
    troubled: Type.Boolean({ default: false }),
    eventType: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    /** `next` of the page before. */
    cursor: Type.Optional(Type.String({ minLength: 1 })),
  }),
  reply: {
    status: 200,
    /** Newest first. `next` is null on the last page. */
    body: closed({ data: Type.Array(DeliveryListEntry), next: nullable(Type.String()) }),
  },
})

/** What went over the wire, as far as it is kept: signatures are not. */
export const getDeliveryExchange = privateOperation({
  id: 'getDeliveryExchange',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/overview/webhook-deliveries/{deliveryId}`,
  who: 'READ_ONLY',
  params: Type.Object({ ...ORGANIZATION_PROPERTIES, deliveryId: Type.String() }),
  reply: {
    status: 200,
    body: closed({
      ...DeliveryListEntry.properties,
      request: closed({
        method: oneOf(['POST'] as const),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        /** The bytes that were signed and sent. */
        body: Type.String(),
      }),
      /** Oldest first; `timestamp` is the header of that attempt. */
      attempts: Type.Array(closed({ ...WebhookAttempt.properties, timestamp: Type.String() })),
    }),
  },
})

export const AlertMessage = closed({
  id: Type.String(),
  contact: closed({ id: Type.String(), name: Type.String(), channel: oneOf(CONTACT_CHANNELS) }),
  kind: Type.String(),
  title: Type.String(),
  incidentIds: Type.Array(Type.String()),
  status: oneOf(DELIVERY_STATUSES),
  attempts: count,
  responseStatus: nullable(Type.Integer()),
  /** In the provider's words. */
  error: nullable(Type.String()),
  nextAttemptAt: nullable(Timestamp),
  createdAt: Timestamp,
  completedAt: nullable(Timestamp),
})

export const listAlertMessages = privateOperation({
  id: 'listAlertMessages',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/overview/alert-messages`,
  who: 'READ_ONLY',
  params: OrganizationParams,
  query: input({
    contactId: Type.Optional(Type.String({ minLength: 1 })),
    incidentId: Type.Optional(Type.String({ minLength: 1 })),
    status: Type.Optional(commaList(DELIVERY_STATUSES, 'Only messages that stand so.')),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    cursor: Type.Optional(Type.String({ minLength: 1 })),
  }),
  reply: {
    status: 200,
    body: closed({ data: Type.Array(AlertMessage), next: nullable(Type.String()) }),
  },
})

export const DELIVERY_SCREEN_OPERATIONS = [
  listWebhookRows,
  listDeliveryRows,
  getDeliveryExchange,
  listAlertMessages,
] as const
