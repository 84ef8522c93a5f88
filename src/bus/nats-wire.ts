// A wire over NATS core that reconnects forever and never buffers what it could not send.
import { setTimeout as sleep } from 'node:timers/promises'
import { type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import type { Serving } from './bus.ts'
import { connectNow, connectWithRetries, reconnectDelayMs } from './nats-connect.ts'
import { NatsPermissionError } from './nats-fault.ts'
import type { NatsTarget } from './nats-options.ts'
import { NatsSubscription } from './nats-subscription.ts'
import { type OnError, type Subscription, toError, type Wire } from './wire.ts'

const DRAIN_WAIT_MS = 2000
// Above the first limit, a flush tests whether the server keeps up; above the second, nothing more is sent.
const CONFIRM_BYTES = 1024 * 1024
const MAX_UNCONFIRMED_BYTES = 32 * 1024 * 1024

export async function openNatsWire(target: NatsTarget, onError: OnError): Promise<Wire> {
  const wire = new NatsWire(target, onError)
  await wire.open()
  return wire
}

/** Ends with its connection, so that nothing unconfirmed carries over to the next. */
type ActiveConnection = {
  connection: NatsConnection
  unconfirmedBytes: number
  isConfirming: boolean
}

class NatsWire implements Wire {
  readonly #target: NatsTarget
  readonly #onError: OnError
  readonly #subscriptions = new Set<NatsSubscription>()
  readonly #closing = new AbortController()
  #active: ActiveConnection | undefined
  #reconnecting: Promise<void> = Promise.resolve()

  constructor(target: NatsTarget, onError: OnError) {
    this.#target = target
    this.#onError = onError
  }

  async open(): Promise<void> {
    this.#reconnecting = this.#keepConnected(await connectNow(this.#target))
  }

  isConnected(): boolean {
    return this.#active !== undefined && !this.#closing.signal.aborted
  }

  publish(subject: string, text: string, reply = ''): boolean {
    const active = this.#active
    if (active === undefined) return false
    const data = Buffer.from(text)
    if (active.unconfirmedBytes + data.length > MAX_UNCONFIRMED_BYTES) return false
    try {
      active.connection.publish(subject, data, { reply })
    } catch {
      // The connection closed before we were notified.
      return false
    }
    active.unconfirmedBytes += data.length
    if (active.unconfirmedBytes > CONFIRM_BYTES && !active.isConfirming) void confirm(active)
    return true
  }

  async subscribe(options: Subscription): Promise<Serving> {
    if (this.#closing.signal.aborted) throw new Error('The bus is closed.')
    const subscription = new NatsSubscription(options, this.#onError)
    this.#subscriptions.add(subscription)
    const stop = async () => {
      this.#subscriptions.delete(subscription)
      await bounded(subscription.stop())
    }
    if (this.#active !== undefined) this.#attach(subscription, this.#active.connection)
    await this.#roundTrip()
    const { refusal } = subscription
    if (refusal === undefined) return { stop }
    await stop()
    throw new NatsPermissionError(refusal)
  }

  async close(): Promise<void> {
    const active = this.#active
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    for (const subscription of this.#subscriptions) subscription.forget()
    if (active !== undefined) await bounded(active.connection.drain())
    await active?.connection.close()
    await this.#reconnecting
  }

  async #keepConnected(first: NatsConnection): Promise<void> {
    let connection: NatsConnection | undefined = first
    while (connection !== undefined && !this.#closing.signal.aborted) {
      await this.#use(connection)
      connection = await this.#connectAgain()
    }
    await connection?.close()
  }

  async #use(connection: NatsConnection): Promise<void> {
    this.#active = { connection, unconfirmedBytes: 0, isConfirming: false }
    void this.#watch(connection)
    for (const subscription of this.#subscriptions) this.#attach(subscription, connection)
    await connection.closed()
    this.#active = undefined
    if (!this.#closing.signal.aborted) this.#onError(new Error('The connection to NATS was lost.'))
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'error') this.#onServerError(status.error)
      if (status.type !== 'disconnect' && status.type !== 'staleConnection') continue
      this.#active = undefined
      // Otherwise a stale connection would wait for its bytes to leave, which may take 15 minutes.
      void connection.close()
    }
  }

  #onServerError(error: Error): void {
    this.#onError(error)
    if (!(error instanceof PermissionViolationError) || error.operation !== 'subscription') return
    // The client does not notify a queue subscription that a reload has ended it.
    for (const subscription of this.#subscriptions)
      if (subscription.subject === error.subject) subscription.refuse(error)
  }

  #attach(subscription: NatsSubscription, connection: NatsConnection): void {
    try {
      subscription.attach(connection)
    } catch (error) {
      // Closed in the meantime: the next connection attaches it.
      if (!connection.isClosed()) throw error
    }
  }

  async #connectAgain(): Promise<NatsConnection | undefined> {
    const { signal } = this.#closing
    for (let tries = 1; ; tries++) {
      await sleep(reconnectDelayMs(), undefined, { signal }).catch(() => {})
      if (signal.aborted) return undefined
      try {
        return await connectWithRetries(this.#target, signal)
      } catch (error) {
        // Later attempts fail for the same reason, about once per second.
        if (tries === 1 && !signal.aborted) this.#onError(toError(error))
      }
    }
  }

  // The server processes messages in order: after this round trip, the subscription is active or refused.
  async #roundTrip(): Promise<void> {
    const connection = this.#active?.connection
    if (connection !== undefined)
      await bounded(Promise.race([connection.flush(), connection.closed()]))
  }
}

async function confirm(active: ActiveConnection): Promise<void> {
  const bytes = active.unconfirmedBytes
  active.isConfirming = true
  try {
    await active.connection.flush()
  } catch {
    // The connection is gone, and `active` with it.
    return
  }
  active.unconfirmedBytes -= bytes
  active.isConfirming = false
}

// The client drops the promises of a broken connection, so every wait on it needs a limit.
async function bounded(waiting: Promise<unknown>): Promise<void> {
  const patience = new AbortController()
  const tooLong = sleep(DRAIN_WAIT_MS, undefined, { signal: patience.signal })
  await Promise.race([waiting, tooLong]).catch(() => {})
  patience.abort()
  await tooLong.catch(() => {})
}
