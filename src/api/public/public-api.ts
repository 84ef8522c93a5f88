// The APIs for keys as functions from a request to a response that always has the envelope and the headers.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { type RateWindow, unusedWindow } from '../../domain/values/rate-window.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { KeyHolder } from '../../store/people/api-keys.ts'
import type { KeyAuthenticator } from '../../store/people/key-authenticator.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { toApiError } from '../http/failure.ts'
import { ClientGone } from '../http/input/request-body.ts'
import { handleRequest, type OperationTarget, type PipelineDeps } from '../http/pipeline.ts'
import { errorResponse, type SentResponse, send, siteErrorResponse } from '../http/response.ts'
import type { AbuseGuard } from './abuse-guard.ts'
import { authenticate, toCaller, unauthorized } from './authenticate.ts'

/** What every surface for keys needs. They share one rate limit. */
export type KeyDeps = {
  authenticator: KeyAuthenticator
  abuseGuard: AbuseGuard
  clientAddress: ClientAddress
  rateLimitRequests: number
  log: Log
  metrics: Metrics
}

type IdentifiedRequest = IncomingMessage & { requestId: string; operation?: string }

type KeyExchange = {
  request: IdentifiedRequest
  response: ServerResponse
  /** Outside /api/ an outage is 503; the contract of the API does not have that status. */
  isOutsideApi?: boolean
  /** Instead of the request's own: for a key that arrives in another form. */
  headers?: IncomingHttpHeaders
  challenge?: string
}
type KeyedRequest = { holder: KeyHolder; window: RateWindow; onRoute(id: string): void }

export function publicApi(deps: KeyDeps & PipelineDeps) {
  return (
    request: IdentifiedRequest,
    response: ServerResponse,
    target: OperationTarget,
  ): Promise<void> =>
    serveKey(deps, { request, response }, ({ holder, window, onRoute }) =>
      handleRequest(deps, request, target, { caller: toCaller(holder), window, onRoute }),
    )
}

/** Authenticates the key and counts the request, then sends what `respond` returns, or why it was refused. */
export async function serveKey(
  deps: KeyDeps,
  { request, response, headers = request.headers, challenge, isOutsideApi = false }: KeyExchange,
  respond: (keyed: KeyedRequest) => Promise<SentResponse>,
): Promise<void> {
  const startedAt = performance.now()
  const logged: { operation: string; keyId?: string } = { operation: 'none' }
  let window = unusedWindow(deps.rateLimitRequests)
  const run = async (): Promise<SentResponse> => {
    const holder = await authenticate(deps.authenticator, headers)
    if (holder === undefined) {
      deps.abuseGuard.count(deps.clientAddress(request), Date.now())
      throw unauthorized(headers, challenge)
    }
    logged.keyId = holder.keyId
    const { used, resetSeconds } = holder
    window = { quota: deps.rateLimitRequests, used, resetSeconds }
    const onRoute = (id: string) => {
      logged.operation = id
      request.operation = id
    }
    return respond({ holder, window, onRoute })
  }

  const toResponse = isOutsideApi ? siteErrorResponse : errorResponse
  const reply = await run().catch((error: unknown) => {
    // The client is gone.
    if (error instanceof ClientGone) return undefined
    return toResponse(toApiError(error, deps.log, request), request.requestId)
  })
  if (reply === undefined) return
  send(response, reply, request.requestId, window)
  record(deps, request, { ...logged, status: reply.status, ms: performance.now() - startedAt })
}

type RequestRecord = { operation: string; keyId?: string; status: number; ms: number }

function record(
  { log, metrics }: KeyDeps,
  request: IdentifiedRequest,
  logged: RequestRecord,
): void {
  metrics.requestSeconds.observe(
    { operation: logged.operation, status: logged.status },
    logged.ms / 1000,
  )
  const { requestId, method } = request
  log.info({ requestId, method, ...logged, ms: Math.round(logged.ms * 10) / 10 }, 'request')
}
