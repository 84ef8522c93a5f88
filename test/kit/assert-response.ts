// What holds for every API response, whatever was requested. The client checks each response against this.
import assert from 'node:assert/strict'
import { assertExtReply } from './ext-replies.ts'
import type { ApiResponse, ErrorBody } from './response.ts'
import { REPLIES } from './shapes.ts'

/** The codes of the specification, and the status of each. */
const STATUS_OF: Readonly<Record<string, number>> = {
  validation_error: 400,
  invalid_idempotency_key: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  plan_limit: 422,
  subscription_required: 422,
  rate_limited: 429,
}
const MAX_DETAILS = 50
const WINDOW_SECONDS = 60
const REQUEST_ID = /^req_[0-9a-z]{26}$/
const FORBIDDEN_HEADERS = /^(access-control-|deprecation|sunset|link|server$|x-powered-by)/

type SentRequest = { method: string; path: string; rateLimit: number }

export function assertResponse(response: ApiResponse, request: SentRequest): void {
  assert.ok(
    response.status < 500,
    `${request.method} ${request.path}: ${response.status} ${response.text}`,
  )
  assertHeaders(response, request)
  const { method } = request
  if (method === 'HEAD') assert.equal(response.text, '', 'HEAD has no body')
  else if (response.status >= 400) assertEnvelope(response)
  else assertReply(response, request)
}

/** The headers of every response, and those that belong to one status only. */
function assertHeaders(response: ApiResponse, { method, rateLimit }: SentRequest): void {
  const { headers, status } = response
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(response.requestId, REQUEST_ID)
  if (method !== 'HEAD')
    assert.equal(headers['content-length'], String(Buffer.byteLength(response.text)))
  const forbidden = Object.keys(headers).filter((name) => FORBIDDEN_HEADERS.test(name))
  assert.deepEqual(forbidden, [], 'headers that must not be there')
  assertRateHeaders(headers, rateLimit)
  assertOnlyWith(response, 'allow', status === 405, /^[A-Z]+(, [A-Z]+)*$/)
  assertOnlyWith(response, 'www-authenticate', status === 401, /^Bearer$/)
  assertOnlyWith(response, 'location', status === 201, /^\/api\/(ext\/)?v1\/[a-z-]+\/[a-z0-9_]+$/)
  const waits = status === 429 || response.text.includes('"idempotency_in_progress"')
  // A quota may take up to a day to be free again; the rate limit, and a request that is running, a minute.
  const isQuota = status === 429 && !response.text.includes('The rate limit is reached')
  const form = isQuota ? /^[1-9]\d{0,4}$/ : /^([1-9]|[1-5]\d|60)$/
  assertOnlyWith(response, 'retry-after', waits, form)
  if ('idempotency-replayed' in headers) {
    assert.equal(headers['idempotency-replayed'], 'true')
    assert.ok(status < 300, 'only a success is replayed')
  }
  if (status === 401) assertUntouched(response, rateLimit)
}

function assertOnlyWith(response: ApiResponse, name: string, present: boolean, form: RegExp): void {
  if (present) assert.match(response.headers[name] ?? '', form, name)
  else assert.ok(!(name in response.headers), `${name} on ${response.status}`)
}

/** The five rate limit headers are consistent. */
export function assertRateHeaders(headers: ApiResponse['headers'], rateLimit: number): void {
  const remaining = Number(headers['ratelimit-remaining'])
  const seconds = Number(headers['ratelimit-reset'])
  assert.equal(headers['ratelimit-limit'], String(rateLimit))
  assert.ok(Number.isInteger(remaining) && remaining >= 0 && remaining <= rateLimit)
  assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= WINDOW_SECONDS)
  assert.equal(headers['ratelimit'], `public-api;r=${remaining};t=${seconds}`)
  assert.equal(headers['ratelimit-policy'], `public-api;q=${rateLimit};w=${WINDOW_SECONDS}`)
}

/** A request without a key shows a full window. */
export function assertUntouched({ headers }: ApiResponse, rateLimit: number): void {
  assert.equal(headers['ratelimit-remaining'], String(rateLimit))
  assert.equal(headers['ratelimit-reset'], String(WINDOW_SECONDS))
}

/** The envelope: its exact keys, a known code for this status, and details where they belong. */
function assertEnvelope(response: ApiResponse): void {
  const body = response.json as { error: ErrorBody }
  assert.deepEqual(Object.keys(body), ['error'])
  const { error } = body
  const { code, message, requestId, details } = error
  const isValidation = code === 'validation_error'
  const keys = ['code', 'message', 'requestId', ...(isValidation ? ['details'] : [])]
  assert.deepEqual(Object.keys(error), keys)
  assert.equal(STATUS_OF[code], response.status, `${code} with status ${response.status}`)
  assert.ok(typeof message === 'string' && message.length > 0)
  assert.equal(requestId, response.requestId, 'error.requestId is the X-Request-Id')
  if (!isValidation) return
  assert.ok(details && details.length > 0 && details.length <= MAX_DETAILS, 'number of details')
  for (const detail of details) {
    assert.deepEqual(Object.keys(detail), ['path', 'message'])
    assert.ok(typeof detail.path === 'string' && detail.path.length > 0, 'a detail names its path')
    assert.ok(typeof detail.message === 'string' && detail.message.length > 0)
  }
}

function assertReply(response: ApiResponse, { method, path }: SentRequest): void {
  const [pathOnly = ''] = path.split('?', 1)
  if (pathOnly.startsWith('/api/ext/v1/')) return assertExtReply(method, pathOnly, response)
  const reply = REPLIES.find(([verb, form]) => verb === method && form.test(pathOnly))
  assert.ok(reply, `${method} ${path} succeeded, but test/kit/shapes.ts does not know its shape`)
  const [, , status, check] = reply
  assert.equal(response.status, status)
  check(response.json, 'body')
}
