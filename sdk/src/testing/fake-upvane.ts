// An API in memory behind a `fetch`. It knows keys, items, pages, filters, idempotency and errors; not plans, rate
// limits, checks, events, or the rules about single fields.
import { OPERATIONS } from '../api/operations.ts'
import type { Fetch, UpvaneOptions } from '../client/options.ts'
import { Upvane } from '../client/upvane.ts'
import { type Asked, perform, type Reply, type Route, refuse } from './operations.ts'
import { type FakeItems, type Fields, type ResourceName, Store } from './store.ts'

export type FakeOptions = { apiKey?: string; baseUrl?: string; now?: () => Date }

/** What a program asked for. */
export type FakeCall = {
  operation: string
  method: string
  path: string
  query: Fields
  body: unknown
  idempotencyKey: string | null
  /** Null if the fake cut the connection. */
  status: number | null
}

/** `connection` fails before anything happens, `cut_off` after the change was made. */
export type FakeFailure =
  | 'connection'
  | 'cut_off'
  | { status: number; code: string; message?: string; retryAfterSeconds?: number }

export type FakeUpvane = {
  apiKey: string
  baseUrl: string
  /** For the option `fetch` of a client. */
  fetch: Fetch
  /** Every request so far, oldest first. */
  calls: FakeCall[]
  /** A client of this fake. */
  client(options?: Partial<UpvaneOptions>): Upvane
  /** Adds an item; fields that are left out have the defaults of the API. */
  add<Name extends ResourceName>(resource: Name, fields?: Partial<FakeItems[Name]>): FakeItems[Name]
  /** Copies of the items, newest first. */
  items<Name extends ResourceName>(resource: Name): FakeItems[Name][]
  /** Makes the next requests fail, each call of it one. */
  failNext(...failures: FakeFailure[]): void
}

type Stored = { fingerprint: string; reply: Reply }

export function fakeUpvane(options: FakeOptions = {}): FakeUpvane {
  const { apiKey = 'upv_fake', baseUrl = 'https://upvane.test', now = () => new Date() } = options
  const store = new Store(now)
  const calls: FakeCall[] = []
  const failures: FakeFailure[] = []
  const stored = new Map<string, Stored>()

  async function fetch(url: string, init: RequestInit): Promise<Response> {
    init.signal?.throwIfAborted()
    const { call, route, key } = readRequest(url, init)
    calls.push(call)
    const failure = failures.shift()
    if (failure === 'connection') throw new TypeError('fetch failed')
    const isRefused = typeof failure === 'object'
    const { reply, replayed } = isRefused
      ? { reply: planned(failure), replayed: false }
      : key === apiKey
        ? answer(call, route)
        : { reply: refuse(401, 'unauthorized', 'The API key is not valid.'), replayed: false }
    if (failure === 'cut_off') throw new TypeError('terminated')
    call.status = reply.status
    const seconds = isRefused ? failure.retryAfterSeconds : undefined
    return toResponse(reply, { number: calls.length, replayed, retryAfterSeconds: seconds })
  }

  function answer(call: FakeCall, route: Route | undefined): { reply: Reply; replayed: boolean } {
    if (route === undefined)
      return { reply: refuse(404, 'not_found', 'There is no such operation.'), replayed: false }
    const { idempotencyKey } = call
    const fingerprint = JSON.stringify([call.method, call.path, call.body])
    const known = idempotencyKey === null ? undefined : stored.get(idempotencyKey)
    if (known?.fingerprint === fingerprint) return { reply: known.reply, replayed: true }
    const asked: Asked = { ...route, query: call.query, body: Object(call.body) as Fields }
    const reply = structuredClone(known ? REUSED : perform(store, asked, baseUrl))
    if (idempotencyKey !== null && reply.status < 300)
      stored.set(idempotencyKey, { fingerprint, reply })
    return { reply, replayed: false }
  }

  return {
    apiKey,
    baseUrl,
    fetch,
    calls,
    client: (more = {}) => new Upvane({ apiKey, baseUrl, fetch, ...more }),
    add: (resource, fields) => structuredClone(store.add(resource, Object(fields))) as never,
    items: (resource) => structuredClone(store.list(resource)) as never,
    failNext: (...more) => void failures.push(...more),
  }
}

const REUSED = refuse(409, 'idempotency_conflict', 'The key was used for another request.')

function planned({ status, code, message = 'Planned by the test.' }: Planned): Reply {
  return refuse(status, code, message)
}
type Planned = Exclude<FakeFailure, string>

type Incoming = { call: FakeCall; route: Route | undefined; key: string | undefined }

function readRequest(text: string, init: RequestInit): Incoming {
  const url = new URL(text)
  const headers = new Headers(init.headers)
  const method = init.method ?? 'GET'
  const path = url.pathname.slice(url.pathname.indexOf('/api/v1') + '/api/v1'.length)
  const route = findRoute(method, path)
  const call = {
    operation: route?.operation ?? `${method} ${path}`,
    method,
    path,
    query: Object.fromEntries(url.searchParams),
    body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
    idempotencyKey: method === 'GET' ? null : headers.get('idempotency-key'),
    status: null,
  }
  return { call, route, key: headers.get('authorization')?.slice('Bearer '.length) }
}

function findRoute(method: string, path: string): Route | undefined {
  const [collection, id = '', ...rest] = path.slice(1).split('/')
  const wanted = ['', collection, ...(id === '' ? [] : ['{id}']), ...rest].join('/')
  for (const [resource, rows] of Object.entries(OPERATIONS))
    for (const [name, row] of Object.entries<string>(rows)) {
      const [operation = '', verb, template] = row.split(' ')
      if (verb === method && template === wanted)
        return { operation, name, resource: resource as ResourceName, id: decodeURIComponent(id) }
    }
  return undefined
}

type About = { number: number; replayed: boolean; retryAfterSeconds: number | undefined }

function toResponse({ status, body }: Reply, about: About): Response {
  const requestId = `req_${String(about.number).padStart(26, '0')}`
  const { error } = body as { error?: object }
  const full = error === undefined ? body : { error: { ...error, requestId } }
  const headers = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'RateLimit-Limit': '120',
    'RateLimit-Remaining': '119',
    'RateLimit-Reset': '60',
  })
  if (about.replayed) headers.set('Idempotency-Replayed', 'true')
  if (about.retryAfterSeconds !== undefined)
    headers.set('Retry-After', String(about.retryAfterSeconds))
  return new Response(JSON.stringify(full), { status, headers })
}
