// One event to be delivered to one receiver, and how the API shows a webhook delivery.
import { toPublicId } from '../values/id.ts'

/** How a delivery is sent to its receiver. */
export type ChannelName = 'WEBHOOK' | 'EMAIL' | 'ALERT' | 'SUBSCRIBER'

/** Receivers that are disabled after days without a success. Email lists are exempt: they go through our own relay. */
const IS_GIVEN_UP: Record<ChannelName, boolean> = {
  WEBHOOK: true,
  EMAIL: false,
  ALERT: true,
  SUBSCRIBER: true,
}

export const isGivenUp = (channel: ChannelName) => IS_GIVEN_UP[channel]

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
export type AttemptErrorCode =
  | 'TIMEOUT'
  | 'DNS_ERROR'
  | 'CONNECTION_FAILED'
  | 'TLS_ERROR'
  | 'TARGET_NOT_ALLOWED'
  | 'BAD_STATUS'
  | 'WORKER_LOST'

export type Delivery = {
  uuid: string
  endpointUuid: string
  eventUuid: string
  eventType: string
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  lastResponseStatus: number | null
  lastError: string | null
  createdAt: Date
  completedAt: Date | null
}

export type DeliveryAttempt = {
  uuid: string
  number: number
  trigger: 'AUTOMATIC' | 'MANUAL'
  startedAt: Date
  durationMs: number
  outcome: 'SUCCEEDED' | 'FAILED'
  responseStatus: number | null
  responseBody: string | null
  errorCode: AttemptErrorCode | null
  error: string | null
}

export function toApiDelivery(delivery: Delivery) {
  return {
    id: toPublicId('whd', delivery.uuid),
    endpointId: toPublicId('whe', delivery.endpointUuid),
    eventId: toPublicId('evt', delivery.eventUuid),
    eventType: delivery.eventType,
    status: delivery.status,
    attemptCount: delivery.attemptCount,
    nextAttemptAt: delivery.nextAttemptAt,
    lastAttemptAt: delivery.lastAttemptAt,
    lastResponseStatus: delivery.lastResponseStatus,
    lastError: delivery.lastError,
    createdAt: delivery.createdAt,
    completedAt: delivery.completedAt,
  }
}

export function toApiAttempt({ uuid, startedAt, ...attempt }: DeliveryAttempt) {
  return {
    id: toPublicId('wha', uuid),
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt,
    durationMs: attempt.durationMs,
    outcome: attempt.outcome,
    responseStatus: attempt.responseStatus,
    responseBody: attempt.responseBody,
    errorCode: attempt.errorCode,
    error: attempt.error,
  }
}
