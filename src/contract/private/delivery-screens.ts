// What was sent to webhook endpoints and alert contacts, and with what result.
import { CONTACT_CHANNELS } from '../../domain/alerts/channels.ts'
import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { WebhookAttempt, WebhookDelivery } from '../public/webhook-delivery.ts'
import { WebhookEndpointBody } from '../public/webhook-endpoint.ts'
import { closed, commaList, input, nullable, oneOf, Timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const count = Type.Integer()

/** HALTED: it is failing, and only an occasional delivery probes whether it has recovered. */
export const SENDING = ['NORMAL', 'HALTED', 'DISABLED'] as const

export const listWebhookRows = privateOperation({
  id: 'listWebhookRows',
  method: 'GET',
  path: '/overview/webhook-endpoints',
  who: 'READ_ONLY',
  reply: {
    status: 200,
    body: closed({
      data: Type.Array(
        closed({
          ...WebhookEndpointBody.properties,
          sending: oneOf(SENDING),
          /** Deliveries created in the last 24 hours, by their current status. */
          last24h: closed({
            succeeded: count,
            failed: count,
            pending: count,
            /** Of completed deliveries, 0 to 1; null if there are none. */
            successRatio: nullable(Type.Number()),
          }),
          /** All pending deliveries, whatever their age. */
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
  /** Of the last completed attempt. */
  tookMs: nullable(Type.Integer()),
})

export const listDeliveryRows = privateOperation({
  id: 'listDeliveryRows',
  method: 'GET',
  path: '/overview/webhook-deliveries',
  who: 'READ_ONLY',
  query: input({
    endpointId: Type.Optional(Type.String({ minLength: 1 })),
    status: Type.Optional(commaList(DELIVERY_STATUSES, 'Only deliveries that stand so.')),
    /** Only deliveries with a failed attempt, even if a later one succeeded. */
    troubled: Type.Boolean({ default: false }),
    eventType: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
    /** `next` of the previous page. */
    cursor: Type.Optional(Type.String({ minLength: 1 })),
  }),
  reply: {
    status: 200,
    /** Newest first. `next` is null on the last page. */
    body: closed({ data: Type.Array(DeliveryListEntry), next: nullable(Type.String()) }),
  },
})

/** What was sent and received, as far as it is stored: signatures are not. */
export const getDeliveryExchange = privateOperation({
  id: 'getDeliveryExchange',
  method: 'GET',
  path: '/overview/webhook-deliveries/{deliveryId}',
  who: 'READ_ONLY',
  params: Type.Object({ deliveryId: Type.String() }),
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
      /** Oldest first. `timestamp` is the header of that attempt. */
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
  /** The provider's error message. */
  error: nullable(Type.String()),
  nextAttemptAt: nullable(Timestamp),
  createdAt: Timestamp,
  completedAt: nullable(Timestamp),
})

export const listAlertMessages = privateOperation({
  id: 'listAlertMessages',
  method: 'GET',
  path: '/overview/alert-messages',
  who: 'READ_ONLY',
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
