// Reads a response: the data of a success, or the error that it is.
import type { ErrorDetail } from '../api/shared.ts'
import { ApiError, type CallFacts, ConnectionError, type UpvaneError } from './errors.ts'
import type { RateLimit } from './options.ts'
import { readRetryAfter } from './retry.ts'

/** A response together with its body. */
export type Received = { response: Response; text: string }
type Envelope = {
  error: { code: string; message: string; requestId?: string; details?: ErrorDetail[] }
}

const SHOWN_CHARACTERS = 200

export function readData(
  { response, text }: Received,
  facts: CallFacts,
): { data: unknown } | UpvaneError {
  const data = parse(text)
  if (response.ok && data !== undefined) return { data }
  if (response.ok && isJson(response)) return new ConnectionError('The response is cut off.', facts)
  return isEnvelope(data)
    ? apiError(response, facts, data.error)
    : apiError(response, facts, { code: 'unexpected_answer', message: describe(response, text) })
}

function apiError(response: Response, facts: CallFacts, error: Envelope['error']): ApiError {
  const { code, message, details = [] } = error
  const requestId = error.requestId ?? readRequestId(response)
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now())
  return new ApiError(message, facts, {
    code,
    status: response.status,
    requestId,
    details,
    retryAfterMs,
  })
}

// A proxy, a login page, or an address that is not Upvane's.
function describe(response: Response, text: string): string {
  const target = response.headers.get('location')
  if (target !== null && response.status < 400) return `redirected to ${target}`
  return `not an answer of the API: ${text.slice(0, SHOWN_CHARACTERS)}`
}

export function readRequestId(response: Response): string | null {
  return response.headers.get('x-request-id')
}

export function readRateLimit({ headers }: Response): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`ratelimit-${name}`) ?? Number.NaN),
  ) as [number, number, number]
  return Number.isNaN(limit + remaining + resetSeconds) ? null : { limit, remaining, resetSeconds }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isJson(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('json')
}

function isEnvelope(value: unknown): value is Envelope {
  const { error } = Object(value) as Partial<Envelope>
  return typeof error?.code === 'string' && typeof error.message === 'string'
}
