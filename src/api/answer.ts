// What goes back: a status, a body, and the headers every answer of the API carries.
import type { ServerResponse } from 'node:http'
import { ERRORS } from '../contract/errors.ts'
import { type RateWindow, rateHeaders } from '../domain/rate-window.ts'
import type { ApiError } from '../platform/api-error.ts'

export type Answer = { status: number; body: string; headers?: Record<string, string> }

const FIXED_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export function errorAnswer(error: ApiError, requestId: string): Answer {
  const { code, message, details } = error
  const envelope = { code, message, requestId, ...(details.length > 0 && { details }) }
  return {
    status: ERRORS[code].status,
    body: JSON.stringify({ error: envelope }),
    headers: error.headers,
  }
}

export function answerHeaders(
  answer: Answer,
  requestId: string,
  window: RateWindow,
): Record<string, string> {
  return {
    ...FIXED_HEADERS,
    'Content-Length': String(Buffer.byteLength(answer.body)),
    'X-Request-Id': requestId,
    ...rateHeaders(window),
    ...answer.headers,
  }
}

export function send(
  response: ServerResponse,
  answer: Answer,
  requestId: string,
  window: RateWindow,
): void {
  response.writeHead(answer.status, answerHeaders(answer, requestId, window))
  response.end(answer.body)
}
