// The HTTP server: passes each request to its surface. Even bytes that never become a request get a response with the
// error envelope.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RateWindow, unusedWindow } from '../../domain/values/rate-window.ts'
import { ApiError, noSuchAddress, validationError } from '../../platform/api-error.ts'
import { newRequestId } from '../../platform/crypto/id.ts'
import { StartQueue } from '../../platform/limits/start-queue.ts'
import { createServer, STATUS_CODES } from '../../platform/node-http.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Tracer } from '../../platform/observability/tracer.ts'
import { serveNotFound } from './browser-not-found.ts'
import { peerNetwork } from './client-address.ts'
import {
  type ApiResponse,
  errorResponse,
  responseHeaders,
  send,
  siteErrorResponse,
} from './response.ts'
import type { RequestTarget, Surface, SurfaceRequest } from './surface.ts'
import { traceRequest } from './trace-request.ts'

// A request that trickles in is cut off; an idle connection outlives the usual proxy timeout.
const REQUEST_TIMEOUT_MS = 60_000
const MAX_HEAD_BYTES = 16 * 1024
const NOT_HTTP = 'is not HTTP that this server understands'
const TOO_LARGE = 'is too large: the request line and headers may have 16 KiB together'
const HEADERS_TIMEOUT_MS = 20_000
const KEEP_ALIVE_MS = 65_000

export type ServerOptions = {
  rateLimitRequests: number
  /** Sent with every response. */
  headers?: Readonly<Record<string, string>>
  tracer?: Tracer | undefined
  /** The surface that alone serves a host, such as a custom domain. */
  surfaceOfHost?(host: string): Surface | undefined | Promise<Surface | undefined>
}

export function createApiServer(
  surfaces: readonly Surface[],
  { rateLimitRequests, headers = {}, tracer, surfaceOfHost = () => undefined }: ServerOptions,
): Server {
  const window = unusedWindow(rateLimitRequests)
  const responses = new WeakMap<Duplex, ServerResponse>()
  const starts = new StartQueue()
  const handle = (message: IncomingMessage, response: ServerResponse) => {
    responses.set(message.socket, response)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const request = Object.assign(message, { requestId: newRequestId() })
    const target = splitTarget(message.url ?? '')
    const serve = (only: Surface | undefined) => {
      const surface = only ?? surfaces.find(({ prefix }) => isUnder(prefix, target.path))
      const exchange = { request, response, target, window, tracer }
      return void watched(surface?.prefix ?? 'no surface', () => serveOrRefuse(surface, exchange))
    }
    starts.run(peerNetwork(message.socket), () => {
      // The client left while waiting in the queue.
      if (message.socket.destroyed) return
      const only = surfaceOfHost(hostOf(message))
      return only instanceof Promise ? void only.then(serve) : serve(only)
    })
  }

  const server = createServer(
    { requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEAD_BYTES },
    handle,
  )
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  // An unknown Expect header must not cause an undocumented status.
  server.on('checkExpectation', handle)
  server.on('connect', (_request, socket) => refuse(socket, NOT_HTTP))
  server.on('clientError', (error, socket) =>
    refuseBroken(error, socket, responses.get(socket), refuse),
  )
  return server

  /** Writes a response to bytes that never became a request. */
  function refuse(socket: Duplex, message: string): void {
    if (!socket.writable) return void socket.destroy()
    const requestId = newRequestId()
    const reply = errorResponse(validationError([{ path: 'request', message }]), requestId)
    socket.end(rawResponse(reply, { ...headers, ...responseHeaders(reply, requestId, window) }))
  }
}

/** What a client sent is no request, or no whole one. */
function refuseBroken(
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  last: ServerResponse | undefined,
  refuse: (socket: Duplex, message: string) => void,
): void {
  const message = code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : NOT_HTTP
  const answered = last === undefined || last.writableEnded
  // A request that arrived completely keeps its response: it may already have taken effect.
  if (!answered && last.req.complete) last.once('finish', () => refuse(socket, message))
  else if (!answered && last.headersSent) socket.destroy()
  else refuse(socket, message)
}

type Exchange = {
  request: SurfaceRequest
  response: ServerResponse
  target: RequestTarget
  window: RateWindow
  tracer: Tracer | undefined
}

async function serveOrRefuse(
  surface: Surface | undefined,
  { request, response, target, window, tracer }: Exchange,
): Promise<void> {
  traceRequest(tracer, request, response, surface?.prefix ?? 'none')
  try {
    if (surface === undefined) throw noSuchAddress()
    await surface.serve(request, response, target)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isMissing = error.code === 'not_found' && !response.headersSent
    if (isMissing && serveNotFound(request, response, target.path)) return
    send(response, siteErrorResponse(error, request.requestId), request.requestId, window)
  }
}

function rawResponse({ status, body }: ApiResponse, headers: Record<string, string>): string {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n')
}

/** The name in the Host header, lower case and without the port. Empty if there is none. */
export function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/** Origin form, or the absolute form that proxies use. */
function splitTarget(url: string): RequestTarget {
  const target = /^https?:\/\//i.test(url) ? url.replace(/^https?:\/\/[^/?]*/i, '') : url
  const mark = target.indexOf('?')
  if (mark === -1) return { path: target, query: '' }
  return { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The root surface serves only "/": any other unmatched path gets the error envelope. */
function isUnder(prefix: string, path: string): boolean {
  if (path === prefix || prefix === '/') return path === prefix
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}
