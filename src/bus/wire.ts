// What differs between the bus inside one process and the bus over NATS: only how text moves.
import type { Serving } from './bus.ts'

export type WireMessage = {
  subject: string
  text: string
  /** Where an answer goes; empty when none is wanted. */
  reply: string
  /** The message that comes instead of an answer when nobody listens on the subject asked. */
  noResponders: boolean
}

export type Subscription = {
  /** A part of it may be `*`, which stands for any one part. */
  subject: string
  /** Of all subscriptions with the same subject and queue, each message reaches one. */
  queue?: string
  onMessage(message: WireMessage): void
}

export type Wire = {
  /** False: surely not sent, for want of a connection or because too much is on its way. */
  publish(subject: string, text: string, reply?: string): boolean
  /** Resolves when messages arrive; rejects when the server does not permit it. */
  subscribe(subscription: Subscription): Promise<Serving>
  isConnected(): boolean
  close(): Promise<void>
}

export type OnError = (error: Error) => void

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
