import {
  type ConnectionOptions,
  connect,
  type NatsConnection,
  wsconnect,
} from '@nats-io/transport-node'
import type { NatsTarget } from './nats-options.ts'
import { MAX_MESSAGE_BYTES } from './packing.ts'

const CONNECT_TIMEOUT_MS = 5000
const RECONNECT_MIN_MS = 100
const RECONNECT_JITTER_MS = 900
const PING_INTERVAL_MS = 5000
const MAX_PINGS_UNANSWERED = 2

/** Tries each server once. */
export function connectNow(target: NatsTarget): Promise<NatsConnection> {
  return open(target, { waitOnFirstConnect: false })
}

/** Tries until a server is reachable. Rejects if one refuses us or the signal is aborted. */
export async function connectWithRetries(
  target: NatsTarget,
  signal: AbortSignal,
): Promise<NatsConnection> {
  if (target.webSocket !== undefined) return open(target, { waitOnFirstConnect: false })
  return open(target, {
    waitOnFirstConnect: true,
    // Called before every attempt: the only point where the client can be made to stop trying.
    reconnectDelayHandler() {
      signal.throwIfAborted()
      return reconnectDelayMs()
    },
  })
}

/** Randomized, so that a thousand probes do not reconnect at once. */
export function reconnectDelayMs(): number {
  return Math.round(RECONNECT_MIN_MS + Math.random() * RECONNECT_JITTER_MS)
}

/** The client keeps one way to connect for the whole process, so a process may not use both at a time. */
export async function dial(
  target: NatsTarget,
  options: ConnectionOptions,
): Promise<NatsConnection> {
  const { connection, servers, webSocket } = target
  const whole = { ...connection, ...options }
  if (webSocket === undefined) return connect({ ...whole, servers })
  // Most processes never need what it loads.
  const { openWebSocket } = await import('./web-socket/web-socket.ts')
  const { address, factory } = await openWebSocket(servers, webSocket)
  return wsconnect({ ...whole, servers: [address], wsFactory: factory })
}

type RetryOptions = { waitOnFirstConnect: boolean; reconnectDelayHandler?: () => number }

async function open(target: NatsTarget, patience: RetryOptions): Promise<NatsConnection> {
  const connection = await dial(target, {
    ...patience,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_UNANSWERED,
    // The wire reconnects by itself. The client would buffer everything published in the meantime, give up after two
    // refused sign-ins, and stay with a server that accepts no more bytes.
    reconnect: false,
  })
  const allowedBytes = connection.info?.max_payload ?? 0
  const neededBytes = target.maxMessageBytes ?? MAX_MESSAGE_BYTES
  if (allowedBytes >= neededBytes) return connection
  await connection.close()
  throw new Error(
    `max_payload of the NATS server is ${allowedBytes} bytes, and must be ${neededBytes} or more.`,
  )
}
