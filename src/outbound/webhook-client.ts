// Requests over connections kept open per endpoint, each opened through the guard. One deadline covers everything from
// the lookup to the last byte. It is enforced here because undici's signal does not interrupt a silent handshake.
import { type Dispatcher, errors, Pool } from 'undici'
import { webhookUrlProblem } from '../domain/events/webhook.ts'
import { connect, type Guard } from './connect.ts'
import { OutboundError, systemCodeOf, toOutboundError } from './outbound-error.ts'
import { isPermitted, isPublic } from './permit.ts'

export type PostMethod = 'POST' | 'PUT' | 'PATCH' | 'GET'

type WebhookPost = {
  /** POST, unless another is given. A GET is sent without the body. */
  method?: PostMethod
  /** Connections are never shared between endpoints. */
  endpointId: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  deadlineMs: number
}

/** `body` is what was received, up to 16 KiB. */
export type Posted = { status: number; retryAfter: string | undefined; body: Buffer }

type WebhookClientOptions = { guard: Guard; allowHttp: boolean }

/** Validated once, because neither the endpoint's URL nor the policy can change. */
type EndpointPool = { pool: Pool; path: string; busy: number }
type ConnectTo = { hostname: string; protocol: string; port: string }
type Connected = Parameters<
  Extract<NonNullable<Pool.Options['connect']>, (...args: never) => void>
>[1]

// A connection outlives the request that opened it, so it has its own deadline.
const CONNECT_MS = 15_000
const MAX_POOLS = 1000
const CONNECTIONS_PER_POOL = 4
const MAX_BODY_BYTES = 16 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const MAX_INFORMATIONAL = 16
// Shorter than servers usually keep connections: if the server closes first, an attempt is lost.
const KEEP_ALIVE_MS = 4_000
const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 }

export class WebhookClient {
  readonly #guard: Guard
  readonly #allowHttp: boolean
  readonly #pools = new Map<string, EndpointPool>()

  constructor({ guard, allowHttp }: WebhookClientOptions) {
    this.#guard = guard
    this.#allowHttp = allowHttp
  }

  /** Throws an OutboundError if there is no response. Redirects count as responses. */
  async post(post: WebhookPost): Promise<Posted> {
    const line = this.#poolOf(post)
    line.busy += 1
    const endsMs = performance.now() + post.deadlineMs
    const { method = 'POST', body } = post
    const request = {
      path: line.path,
      method,
      headers: { ...post.headers, 'user-agent': this.#guard.userAgent },
      body: method === 'GET' ? null : body,
      headersTimeout: 0,
      bodyTimeout: 0,
    }
    try {
      return await new Exchange(line.pool, request, endsMs).response.catch((error: unknown) => {
        if (!isStale(error)) throw error
        return new Exchange(line.pool, request, endsMs).response
      })
    } catch (error) {
      throw toNamed(error)
    } finally {
      line.busy -= 1
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map(({ pool }) => pool.destroy()))
    this.#pools.clear()
  }

  #policy() {
    const { allow } = this.#guard
    const isAllowed = (address: string) => isPermitted(address, allow) && !isPublic(address)
    return { isPublic, isAllowed, allowHttp: this.#allowHttp }
  }

  // The least recently used pool comes first.
  #poolOf({ endpointId, url }: WebhookPost): EndpointPool {
    const name = `${endpointId} ${url}`
    const line = this.#pools.get(name) ?? this.#open(url)
    this.#pools.delete(name)
    this.#pools.set(name, line)
    if (this.#pools.size > MAX_POOLS) this.#closeOldest()
    return line
  }

  #closeOldest(): void {
    for (const [name, { pool, busy }] of this.#pools) {
      if (busy > 0) continue
      this.#pools.delete(name)
      void pool.destroy()
      return
    }
  }

  #open(url: string): EndpointPool {
    if (webhookUrlProblem(url, this.#policy()) !== undefined) throw new OutboundError('NOT_ALLOWED')
    const { origin, pathname, search } = new URL(url)
    const pool = new Pool(origin, {
      connections: CONNECTIONS_PER_POOL,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: (to, connected) => this.#connect(to, connected),
    })
    return { pool, path: pathname + search, busy: 0 }
  }

  #connect({ hostname, protocol, port }: ConnectTo, connected: Connected): void {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), CONNECT_MS)
    const tls = { trust: 'FULL' as const, alpn: ['http/1.1'] }
    const to = {
      host: hostname,
      port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port),
      ...(protocol === 'https:' && { tls }),
    }
    connect(this.#guard, to, { signal: late.signal, trace: { timings: {}, sent: false } })
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => connected(null, socket.setNoDelay(true)),
        (error: Error) => connected(error, null),
      )
  }
}

type Request = Dispatcher.DispatchOptions

/** One request. It ends with the body, once enough of it was read, or at the deadline, whichever comes first. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<Posted>
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  readonly #settle: PromiseWithResolvers<Posted> = Promise.withResolvers()
  #controller: Dispatcher.DispatchController | undefined
  #bytes = 0
  #informational = 0
  #status: number | undefined
  #retryAfter: string | undefined
  #isOver = false

  constructor(pool: Pool, request: Request, endsMs: number) {
    this.response = this.#settle.promise
    this.#timer = setTimeout(() => this.#expire(), Math.max(0, endsMs - performance.now()))
    pool.dispatch(request, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The deadline passed while it waited for a connection: it must not be sent anymore.
    if (this.#isOver) controller.abort(new OutboundError('TIMEOUT'))
    this.#controller = controller
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#informational += 1
      if (this.#informational > MAX_INFORMATIONAL)
        controller.abort(new OutboundError('INVALID_RESPONSE', 'too many 1xx answers'))
      return
    }
    this.#status = status
    const retryAfter = headers['retry-after']
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0]
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copied, because a slice would keep the whole buffer in memory.
    const piece = Buffer.from(chunk.subarray(0, MAX_BODY_BYTES - this.#bytes))
    this.#chunks.push(piece)
    this.#bytes += piece.length
    if (this.#bytes < MAX_BODY_BYTES) return
    this.#end()
    controller.abort(new OutboundError('INVALID_RESPONSE', 'enough was read'))
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(error)
  }

  #expire(): void {
    const late = new OutboundError('TIMEOUT')
    this.#end(late)
    this.#controller?.abort(late)
  }

  /** Once the status is known it is the response, however the body ends. */
  #end(error?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    if (this.#status === undefined)
      return this.#settle.reject(error ?? new OutboundError('INVALID_RESPONSE', 'no status'))
    const body = Buffer.concat(this.#chunks)
    this.#settle.resolve({ status: this.#status, retryAfter: this.#retryAfter, body })
  }
}

// The other side may close a kept connection just as it is used. Bytes read before show that it was a kept one.
// Resending does not duplicate the event, because its id stays the same.
function isStale(error: unknown): boolean {
  if (systemCodeOf(error) !== 'UND_ERR_SOCKET' || !(error instanceof Error)) return false
  const { socket } = error as Error & { socket?: { bytesRead?: number } }
  return (socket?.bytesRead ?? 0) > 0
}

function toNamed(error: unknown): unknown {
  const code = systemCodeOf(error)
  if (code === 'UND_ERR_SOCKET') return new OutboundError('RESET', 'closed')
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new OutboundError('INVALID_RESPONSE', 'headers too large')
  if (error instanceof errors.HTTPParserError) return new OutboundError('INVALID_RESPONSE', 'parse')
  if (code.startsWith('UND_ERR_RES')) return new OutboundError('INVALID_RESPONSE', 'body length')
  return toOutboundError(error)
}
