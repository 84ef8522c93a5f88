// Shared by all channels: one delivery in, its outcome out. A new kind of receiver is one file in this folder and an
// entry in the dispatcher's table of channels.
import { NO_RESPONSE, type SendResult } from '../domain/events/delivery-outcome.ts'

/** One attempt of a delivery, as every channel receives it. */
export type OutgoingDelivery = {
  deliveryId: string
  orgId: string
  /** The receiver, which also identifies its queue. */
  endpointId: string
  /** Null if the delivery is not about an event. */
  eventId: string | null
  /** The encrypted message, if it is not the event itself. */
  message: Buffer | null
  startedAt: Date
}

/** Ends by its deadline. A failing receiver is a result; throws only on faults of our own. */
export type Send = (sending: OutgoingDelivery, deadlineMs: number) => Promise<SendResult>

export type DeliveryChannel = {
  /** Reads everything these deliveries need besides their rows (addresses, secrets, bodies) at once. */
  prepare(sendings: readonly OutgoingDelivery[]): Promise<Send>
}

/**
 * Nothing is sent anymore, for example because an alert is outdated. The error codes are an enum of the public API and
 * have none for this, so read `reason`.
 */
export function skippedDelivery(reason: string): SendResult {
  return { ...NO_RESPONSE, errorCode: 'TARGET_NOT_ALLOWED', error: reason, next: 'OVER' }
}
