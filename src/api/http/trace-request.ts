import type { ServerResponse } from 'node:http'
import { readTraceparent } from '../../platform/observability/trace-context.ts'
import type { Tracer } from '../../platform/observability/tracer.ts'
import type { SurfaceRequest } from './surface.ts'

/**
 * One span per request. It names the surface and never the path: heartbeat URLs and email links contain secrets. A
 * caller's trace is continued, but our own sampling decides whether it is recorded.
 */
export function traceRequest(
  tracer: Tracer | undefined,
  request: SurfaceRequest,
  response: ServerResponse,
  surface: string,
): void {
  if (tracer === undefined) return
  const parent = readTraceparent(request.headers['traceparent'])
  if (parent?.sampled === false) return
  const { method = '' } = request
  const span = tracer.start('request', { kind: 'SERVER', parent })
  if (span === undefined) return
  response.once('close', () => {
    const { statusCode } = response
    span.end(
      {
        'http.request.method': method,
        'http.route': surface,
        'http.response.status_code': statusCode,
        'upvane.operation': request.operation,
        'upvane.request.id': request.requestId,
      },
      statusCode >= 500,
    )
  })
}
