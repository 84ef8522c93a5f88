// A surface of the HTTP server, and the request it receives.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** `operation` is set by a surface that has one, to name the request's span. */
export type SurfaceRequest = IncomingMessage & { requestId: string; operation?: string }

export type RequestTarget = { path: string; query: string }

export type Surface = {
  /** Serves this path and everything below it. A thrown ApiError is sent as the envelope. */
  prefix: string
  serve(
    request: SurfaceRequest,
    response: ServerResponse,
    target: RequestTarget,
  ): Promise<void> | void
}
