// One call of the API, made ready to be sent as often as needed.
import type { WriteOptions } from './options.ts'
import type { RetryLimits } from './retry.ts'
import type { Settings } from './settings.ts'

export type Query = Readonly<Record<string, unknown>>

export type ApiRequest = {
  operation: string
  method: string
  /** Below /api/v1, unless it starts with /api/. May hold {id}, also more than once. */
  path: string
  ids?: readonly unknown[]
  query?: Query | undefined
  /** Sent as JSON unless undefined. */
  body?: unknown
}

export type Prepared = {
  operation: string
  method: string
  url: string
  body: string | undefined
  /** Null for a GET. The same for every attempt. */
  idempotencyKey: string | null
  signal: AbortSignal | undefined
  limits: RetryLimits
}

const IDEMPOTENCY_KEY = /^[A-Za-z0-9._:-]{1,200}$/
// Two attempts of a check with the longest timeout take up to 142 seconds.
const LONG_TIMEOUTS_MS: Record<string, number> = {
  checkMonitor: 150_000,
  runCheck: 100_000,
  runMonitorCheck: 100_000,
}

export function prepare(settings: Settings, request: ApiRequest, options: WriteOptions): Prepared {
  const { operation, method, query = {}, body } = request
  const path = fillPath(request.path, request.ids ?? [])
  const { maxRetryWaitMs } = settings
  const timeoutMs =
    options.timeoutMs ?? Math.max(settings.timeoutMs, LONG_TIMEOUTS_MS[operation] ?? 0)
  const { signal, maxRetries = settings.maxRetries } = options
  const prefix = path.startsWith('/api/') ? '' : '/api/v1'
  return {
    operation,
    method,
    url: settings.baseUrl + prefix + path + printQuery(query),
    body: body === undefined ? undefined : JSON.stringify(body),
    idempotencyKey: method === 'GET' ? null : readIdempotencyKey(options.idempotencyKey),
    signal,
    limits: { maxRetries, maxRetryWaitMs, timeoutMs },
  }
}

/** Puts ids into a path, where they cannot become another path. */
function fillPath(path: string, ids: readonly unknown[]): string {
  let at = 0
  return path.replaceAll('{id}', () => {
    const id = ids[at++]
    if (typeof id !== 'string' || ['', '.', '..'].includes(id))
      throw new TypeError(`An id is missing for ${path}.`)
    return encodeURIComponent(id)
  })
}

function printQuery(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return ''
  const texts = given.map(([name, value]): [string, string] => [name, printValue(value)])
  return `?${new URLSearchParams(texts)}`
}

function printValue(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

function readIdempotencyKey(given: string | undefined): string {
  if (given === undefined) return crypto.randomUUID()
  if (IDEMPOTENCY_KEY.test(given)) return given
  throw new TypeError('idempotencyKey must be 1 to 200 letters, digits and the characters ._:-')
}
