// Sends a response of the private API, and records it.
import type { ServerResponse } from 'node:http'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { ApiResponse } from '../http/response.ts'
import type { SurfaceRequest } from '../http/surface.ts'

export const FIXED_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
}

export function send(
  response: ServerResponse,
  reply: ApiResponse,
  { requestId, cookies }: { requestId: string; cookies: string[] },
): void {
  response.writeHead(reply.status, {
    ...FIXED_HEADERS,
    'Content-Length': Buffer.byteLength(reply.body),
    'X-Request-Id': requestId,
    ...(cookies.length > 0 && { 'Set-Cookie': cookies }),
    ...reply.headers,
  })
  response.end(reply.body)
}

type HandledRequest = {
  request: SurfaceRequest
  operation: string
  userId: string | undefined
}

export function record(
  { log, metrics }: { log: Log; metrics: Metrics },
  visit: HandledRequest,
  status: number,
  ms: number,
): void {
  const { operation, userId, request } = visit
  metrics.requestSeconds.observe({ operation: `app.${operation}`, status }, ms / 1000)
  const { requestId, method } = request
  log.info(
    { requestId, method, operation, userId, status, ms: Math.round(ms * 10) / 10 },
    'request',
  )
}
