// The only difference between the bus within a process and over NATS: how text is transported.
import type { Serving } from './bus.ts'

export type WireMessage = {
  subject: string
  text: string
  /** Where to send the response; empty if none is wanted. */
  reply: string
  /** Sent in place of a response if nothing listens on the requested subject. */
  noResponders: boolean
}

export type Subscription = {
  /** A part may be `*`, which matches any one part. */
  subject: string
  /** Each message reaches only one of the subscriptions with the same subject and queue. */
  queue?: string
  onMessage(message: WireMessage): void
}

export type Wire = {
  /** False: certainly not sent, because there is no connection or too much is unconfirmed. */
  publish(subject: string, text: string, reply?: string): boolean
  /** Resolves once messages can arrive; rejects if the server does not permit it. */
  subscribe(subscription: Subscription): Promise<Serving>
  isConnected(): boolean
  close(): Promise<void>
}

export type OnError = (error: Error) => void

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
