// One HTTP exchange on a new connection. Nothing is pooled or cached, and redirects are not followed.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { request as openRequest } from '../platform/node-http.ts'
import { type ConnectionContext, connect, type Guard } from './connect.ts'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import type { Trust } from './tls.ts'

export type HttpRequest = {
  url: URL
  method: string
  headers: Readonly<Record<string, string>>
  body?: string
  verifySsl: boolean
}

export type HttpReply = {
  status: number
  headers: IncomingMessage['headers']
  /** The raw body; read it with `readBody` or ignore it. */
  message: IncomingMessage
  /** Ends the connection. The caller must call it. */
  close(): void
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_INFORMATIONAL = 16
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

export async function sendRequest(
  guard: Guard,
  request: HttpRequest,
  context: ConnectionContext,
): Promise<HttpReply> {
  const { url } = request
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port)
  if (port === undefined) throw new OutboundError('INVALID_RESPONSE', 'scheme')

  const trust: Trust = request.verifySsl ? 'FULL' : 'NONE'
  const tls = { trust, alpn: ['http/1.1'] }
  const to = { host: url.hostname, port, ...(url.protocol === 'https:' && { tls }) }
  const socket = await connect(guard, to, context)
  try {
    const message = await exchange(socket, toWire(request, guard.userAgent), context)
    const close = () => socket.destroy()
    return { status: message.statusCode ?? 0, headers: message.headers, message, close }
  } catch (error) {
    socket.destroy()
    throw error
  }
}

type WireRequest = { method: string; path: string; headers: string[]; body: string | undefined }

function exchange(
  socket: Socket,
  { method, path, headers, body }: WireRequest,
  { signal, trace }: ConnectionContext,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const startMs = performance.now()
  const outgoing = openRequest({
    createConnection: () => socket,
    method,
    path,
    headers,
    setDefaultHeaders: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  const giveUp = () => {
    if (!socket.destroyed) outgoing.destroy(new OutboundError('TIMEOUT'))
  }
  const response = (message: IncomingMessage) => {
    trace.timings.firstByteMs = performance.now() - startMs
    resolve(message)
  }
  let informational = 0
  outgoing.on('information', () => {
    informational += 1
    if (informational > MAX_INFORMATIONAL)
      outgoing.destroy(new OutboundError('INVALID_RESPONSE', 'too many 1xx answers'))
  })
  outgoing.once('response', response)
  outgoing.once('upgrade', response)
  outgoing.on('error', (error) => reject(toOutboundError(error)))
  signal.addEventListener('abort', giveUp, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', giveUp))
  if (signal.aborted) giveUp()

  trace.sent = true
  outgoing.end(body)
  return promise
}

function toWire({ url, method, headers, body }: HttpRequest, userAgent: string): WireRequest {
  const given = Object.entries(headers)
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  return {
    method,
    path: `${url.pathname}${url.search}`,
    headers: [
      ...(names.has('host') ? [] : ['Host', url.host]),
      ...(names.has('user-agent') ? [] : ['User-Agent', userAgent]),
      ...given.flatMap(([name, value]) => [name, toBytes(value)]),
      ...(body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]),
      'Connection',
      'close',
    ],
    body,
  }
}

/** Node writes header text as Latin-1; this makes it send the UTF-8 bytes the user typed. */
function toBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}
