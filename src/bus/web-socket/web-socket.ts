// NATS over a WebSocket, for machines that may only use port 443: src/bus/nats-connect.ts chooses it by the URL.
import type { Socket } from 'node:net'
import type { WsSocketFactory } from '@nats-io/transport-node'
import { Client, CloseEvent, type Dispatcher, type MessageEvent, WebSocket } from 'undici'
import { type ProxySettings, proxyFor } from './nats-proxy.ts'
import { type Authority, openTunnel } from './open-tunnel.ts'

export type WebSocketOptions = { authority: Authority; proxy: ProxySettings }

const TIMEOUT_MS = 5000
// The client pings every 5 s. It waits for its bytes to leave before it closes a connection on which nothing arrives.
const LOOK_EVERY_MS = 5000
const GOODBYE_MS = 1000
const SILENT_LOOKS = 4
const SWITCHING_PROTOCOLS = 101

type OpenWebSocket = { address: string; factory: WsSocketFactory }

/**
 * Tries each address once. The client itself would not end if a WebSocket cannot be opened, so it gets one that is open.
 */
export async function openWebSocket(
  addresses: readonly string[],
  options: WebSocketOptions,
): Promise<OpenWebSocket> {
  let lastError: unknown
  for (const address of addresses) {
    try {
      return { address, factory: handOver(await open(new URL(address), options)) }
    } catch (error) {
      lastError = error
    }
  }
  throw lastError
}

async function open(url: URL, { authority, proxy }: WebSocketOptions): Promise<WebSocket> {
  const way = { url, proxy: proxyFor(url.hostname, proxy), authority }
  const socket = await openTunnel(way, TIMEOUT_MS)
  endWhenSilent(socket)
  const refusal: Refusal = { reason: undefined }
  const webSocket = new WebSocket(url, { dispatcher: dispatcherOver(socket, url, refusal) })
  webSocket.binaryType = 'arraybuffer'
  endAfterClose(webSocket, socket)
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>()
  const timer = setTimeout(() => socket.destroy(), TIMEOUT_MS)
  webSocket.addEventListener('open', () => resolve(webSocket), { once: true })
  // The event of the library does not say what the server answered.
  webSocket.addEventListener('error', ({ message }) =>
    reject(
      new Error(
        `${url.host} does not open a WebSocket at ${url.pathname}: ${refusal.reason ?? message}`,
      ),
    ),
  )
  return promise.finally(() => clearTimeout(timer))
}

/** The client gets what arrived, or that it closed, before it listened. */
function handOver(webSocket: WebSocket): WsSocketFactory {
  const early: MessageEvent[] = []
  const keep = (event: MessageEvent) => void early.push(event)
  webSocket.addEventListener('message', keep)
  return async (address) => {
    webSocket.removeEventListener('message', keep)
    setImmediate(() => {
      for (const event of early) webSocket.onmessage?.(event)
      if (webSocket.readyState === WebSocket.CLOSED) webSocket.onclose?.(new CloseEvent('close'))
    })
    return { socket: webSocket, encrypted: address.startsWith('wss:') }
  }
}

type Refusal = { reason: string | undefined }

/** Uses this one socket for the one request that becomes the WebSocket. */
function dispatcherOver(socket: Socket, { protocol, host }: URL, refusal: Refusal): Dispatcher {
  const origin = `${protocol === 'wss:' ? 'https' : 'http'}://${host}`
  const client = new Client(origin, {
    // Later, because the request is still being queued.
    connect: (_options, callback) => void setImmediate(callback, null, socket),
  })
  return client.compose((dispatch) => (options, handler) => {
    const { onResponseStart, onResponseError } = handler
    handler.onResponseStart = (controller, status, headers, message) => {
      if (status !== SWITCHING_PROTOCOLS) refusal.reason = `HTTP ${status}`
      onResponseStart?.call(handler, controller, status, headers, message)
    }
    handler.onResponseError = (controller, error) => {
      refusal.reason ??= error.message
      onResponseError?.call(handler, controller, error)
    }
    return dispatch(options, handler)
  })
}

/** A server that stands still never says goodbye. */
function endAfterClose(webSocket: WebSocket, socket: Socket): void {
  const close = webSocket.close.bind(webSocket)
  webSocket.close = (code, reason) => {
    setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
    close(code, reason)
  }
}

function endWhenSilent(socket: Socket): void {
  let bytes = socket.bytesRead
  let silentLooks = 0
  const timer = setInterval(() => {
    silentLooks = socket.bytesRead === bytes ? silentLooks + 1 : 0
    bytes = socket.bytesRead
    if (silentLooks >= SILENT_LOOKS) socket.destroy()
  }, LOOK_EVERY_MS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}
