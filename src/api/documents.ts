// Surfaces that are the same for everybody and made once at start: the API description and its reference.
import type { ServerResponse } from 'node:http'
import type { Surface } from './server.ts'

type Document = { type: string; body: string; headers?: Record<string, string> }

/** Served to anyone; a key that comes along is not even looked at. */
export function documentSurface(path: string, { type, body, headers = {} }: Document): Surface {
  const bytes = Buffer.from(body)
  return {
    prefix: path,
    serve(request, response, target) {
      if (target.path !== path) return plain(response, 404)
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return plain(response, 405, { Allow: 'GET' })
      response.writeHead(200, {
        'Content-Type': type,
        'Content-Length': bytes.length,
        'Cache-Control': 'public, max-age=60',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': request.requestId,
        ...headers,
      })
      response.end(bytes)
    },
  }
}

function plain(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Length': 0, 'Cache-Control': 'no-store', ...headers }).end()
}
