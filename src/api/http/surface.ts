// What the HTTP server hands to a surface, and what a surface is.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** `operation` is set by a surface that knows one, for the name of the request's span. */
export type SurfaceRequest = IncomingMessage & { requestId: string; operation?: string }

export type RequestTarget = { path: string; query: string }

export type Surface = {
  /** Serves this path and everything below it. An ApiError that is thrown is sent as the envelope. */
  prefix: string
  serve(
    request: SurfaceRequest,
    response: ServerResponse,
    target: RequestTarget,
  ): Promise<void> | void
}
