// Adapts a module that only knows plain requests and responses to a surface of the server.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../platform/api-error.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { WebHandler, WebResponse } from '../../platform/web-exchange.ts'
import type { ClientAddress } from './client-address.ts'
import { toApiError } from './failure.ts'
import { hostOf } from './server.ts'
import { type Surface } from './surface.ts'

type WebDeps = { clientAddress: ClientAddress; log: Log }

export function webSurface(
  prefix: string,
  handle: WebHandler,
  { clientAddress, log }: WebDeps,
): Surface {
  return {
    prefix,
    async serve(request, response, { path, query }) {
      try {
        const reply = await handle({
          method: request.method ?? '',
          host: hostOf(request),
          path,
          query,
          headers: request.headers,
          clientAddress: clientAddress(request),
          requestId: request.requestId,
          readBody: (maxBytes) => readText(request, maxBytes),
        })
        write(request, response, reply)
      } catch (err) {
        // Such as a rate limit of one organization: the server responds to it.
        if (err instanceof ApiError && !response.headersSent) throw err
        const { isUnavailable, headers } = toApiError(err, log, request, 'page failed')
        const status = isUnavailable ? 503 : 500
        if (response.headersSent) response.destroy()
        else write(request, response, { status, headers, body: Buffer.alloc(0) })
      }
    },
  }
}

function write(
  { method, requestId }: IncomingMessage & { requestId: string },
  response: ServerResponse,
  { status, headers, body }: WebResponse,
): void {
  response.writeHead(status, {
    ...headers,
    ...(status !== 304 && { 'Content-Length': body.length }),
    'X-Request-Id': requestId,
  })
  response.end(method === 'HEAD' || status === 304 ? undefined : body)
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Reads to the end anyway, so that a connection reset does not discard the response.
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks).toString()
}
