import type { Subscription as Held, Msg, NatsConnection } from '@nats-io/transport-node'
import { type OnError, type Subscription, toError, type WireMessage } from './wire.ts'

const RESUBSCRIBE_MS = 5000
const NO_RESPONDERS = 503

/** One subscription that persists across connections. */
export class NatsSubscription {
  readonly #options: Subscription
  readonly #onError: OnError
  #connection: NatsConnection | undefined
  #held: Held | undefined
  #timer: NodeJS.Timeout | undefined
  /** Why the server refuses it. */
  refusal: Error | undefined

  constructor(options: Subscription, onError: OnError) {
    this.#options = options
    this.#onError = onError
  }

  get subject(): string {
    return this.#options.subject
  }

  attach(connection: NatsConnection): void {
    const { subject, queue } = this.#options
    clearTimeout(this.#timer)
    this.refusal = undefined
    this.#connection = connection
    this.#held = connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => this.#receive(error, message),
    })
  }

  /** Messages already on their way are still received. */
  async stop(): Promise<void> {
    this.forget()
    if (this.#connection?.isClosed() === false && this.#held?.isClosed() === false)
      await this.#held.drain()
  }

  /** Cancels the pending retry; messages arrive until the connection closes. */
  forget(): void {
    clearTimeout(this.#timer)
  }

  // Must not throw: that would end the client's read loop.
  #receive(error: Error | null, message: Msg): void {
    if (error !== null) {
      this.refuse(error)
      return
    }
    try {
      this.#options.onMessage(toMessage(message))
    } catch (thrown) {
      this.#onError(toError(thrown))
    }
  }

  // Permissions can be fixed while we run. The client drops a refused subscription, and a probe that announces itself
  // but receives nothing would be worse than none.
  refuse(error: Error): void {
    const connection = this.#connection
    this.refusal = error
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (connection?.isClosed() !== false || connection !== this.#connection) return
      if (this.#held?.isClosed() === false) this.#held.unsubscribe()
      this.attach(connection)
    }, RESUBSCRIBE_MS)
  }
}

function toMessage(message: Msg): WireMessage {
  const { subject, data, headers } = message
  return {
    subject,
    text: message.string(),
    reply: message.reply ?? '',
    noResponders: data.length === 0 && headers?.code === NO_RESPONDERS,
  }
}
