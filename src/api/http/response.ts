// A response: a status, a body, and the headers that every API response carries.
import type { ServerResponse } from 'node:http'
import { ERRORS } from '../../contract/public/errors.ts'
import { type RateWindow, rateHeaders } from '../../domain/values/rate-window.ts'
import type { ApiError, ApiErrorDetail } from '../../platform/api-error.ts'

export type ApiResponse = { status: number; body: string; headers?: Record<string, string> }
/** A response whose body may be compressed. */
export type SentResponse = Omit<ApiResponse, 'body'> & { body: string | Buffer }

const UNAVAILABLE = 503

const FIXED_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

/** As the public contract promises: only `validation_error` has details, and there is no 503. */
export function errorResponse(error: ApiError, requestId: string): ApiResponse {
  return withDetails(error, requestId, error.code === 'validation_error' ? error.details : [])
}

/** For everything outside /api/: proxies, browsers and jobs know what 503 means. */
export function siteErrorResponse(error: ApiError, requestId: string): ApiResponse {
  const reply = errorResponse(error, requestId)
  return error.isUnavailable ? { ...reply, status: UNAVAILABLE } : reply
}

/** For the dashboard, which shows each refusal next to its field. */
export function privateErrorResponse(error: ApiError, requestId: string): ApiResponse {
  const reply = withDetails(error, requestId, error.details)
  return error.isUnavailable ? { ...reply, status: UNAVAILABLE } : reply
}

function withDetails(
  { code, message, headers }: ApiError,
  requestId: string,
  details: readonly ApiErrorDetail[],
): ApiResponse {
  const envelope = { code, message, requestId, ...(details.length > 0 && { details }) }
  return { status: ERRORS[code].status, body: JSON.stringify({ error: envelope }), headers }
}

export function responseHeaders(
  reply: SentResponse,
  requestId: string,
  window: RateWindow,
): Record<string, string> {
  return {
    ...FIXED_HEADERS,
    'Content-Length': String(Buffer.byteLength(reply.body)),
    'X-Request-Id': requestId,
    ...rateHeaders(window),
    ...reply.headers,
  }
}

export function send(
  response: ServerResponse,
  reply: SentResponse,
  requestId: string,
  window: RateWindow,
): void {
  response.writeHead(reply.status, responseHeaders(reply, requestId, window))
  response.end(reply.body)
}
