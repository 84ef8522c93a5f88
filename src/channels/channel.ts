// What all ways to send have in common: one delivery in, how it went out. Another kind of receiver is one file
// beside this one and a line in the dispatcher's table of channels.
import type { AttemptErrorCode } from '../domain/events/delivery.ts'

/** One attempt of a delivery, as every channel gets it. */
export type OutgoingDelivery = {
  deliveryId: string
  orgId: string
  /** Its receiver: the lane it stands in. */
  endpointId: string
  /** Null when it tells of none. */
  eventId: string | null
  /** What is sent where that is not the event, encrypted. */
  message: Buffer | null
  startedAt: Date
}

export type SendResult = {
  outcome: 'SUCCEEDED' | 'FAILED'
  durationMs: number
  /** Where it went, if that is to be shown. */
  url: string | null
  /** The receiver's own code: of HTTP or of SMTP. */
  responseStatus: number | null
  responseBody: string | null
  /** As the receiver wrote it. */
  retryAfter: string | undefined
  errorCode: AttemptErrorCode | null
  error: string | null
  /** Counted by the receiver's breaker. Not a fault of ours, nor that of one recipient among many. */
  isReceiverFault: boolean
  /** After a failure. OVER: it would only fail again. GONE: the receiver wants nothing any more. */
  next: 'RETRY' | 'OVER' | 'GONE'
}

/** Ends within its deadline. A receiver that fails is an answer; it throws only when the fault is ours. */
export type Send = (sending: OutgoingDelivery, deadlineMs: number) => Promise<SendResult>

export type DeliveryChannel = {
  /** Reads what these need beside their rows (addresses, secrets, bodies), for all of them at once. */
  prepare(sendings: readonly OutgoingDelivery[]): Promise<Send>
}
