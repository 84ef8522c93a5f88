// The public API as one function from a request to a response that always has the envelope and the headers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { unusedWindow } from '../../domain/values/rate-window.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { KeyAuthenticator } from '../../store/people/key-authenticator.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { handleRequest, type OperationTarget, type PipelineDeps } from '../http/pipeline.ts'
import { ClientGone } from '../http/request-body.ts'
import { type ApiResponse, errorResponse, send } from '../http/response.ts'
import type { AbuseGuard } from './abuse-guard.ts'
import { authenticate, toCaller, unauthorized } from './authenticate.ts'

type PublicApiDeps = PipelineDeps & {
  authenticator: KeyAuthenticator
  abuseGuard: AbuseGuard
  clientAddress: ClientAddress
  rateLimitRequests: number
  log: Log
  metrics: Metrics
}

type IdentifiedRequest = IncomingMessage & { requestId: string; operation?: string }

export function publicApi(deps: PublicApiDeps) {
  return async (
    request: IdentifiedRequest,
    response: ServerResponse,
    target: OperationTarget,
  ): Promise<void> => {
    const startedAt = performance.now()
    const logged: { operation: string; keyId?: string } = { operation: 'none' }
    let window = unusedWindow(deps.rateLimitRequests)
    const run = async (): Promise<ApiResponse> => {
      const holder = await authenticate(deps.authenticator, request.headers)
      if (holder === undefined) {
        deps.abuseGuard.count(deps.clientAddress(request), Date.now())
        throw unauthorized(request.headers)
      }
      logged.keyId = holder.keyId
      const { used, resetSeconds } = holder
      window = { quota: deps.rateLimitRequests, used, resetSeconds }
      const onRoute = (id: string) => {
        logged.operation = id
        request.operation = id
      }
      return handleRequest(deps, request, target, { caller: toCaller(holder), window, onRoute })
    }

    const reply = await run().catch((error: unknown) => refusal(deps, error, request))
    if (reply === undefined) return
    send(response, reply, request.requestId, window)
    record(deps, request, { ...logged, status: reply.status, ms: performance.now() - startedAt })
  }
}

/** Undefined if the client is gone. */
function refusal(
  { log }: PublicApiDeps,
  error: unknown,
  { requestId, method }: IdentifiedRequest,
): ApiResponse | undefined {
  if (error instanceof ClientGone) return undefined
  if (error instanceof ApiError) return errorResponse(error, requestId)
  log.error({ requestId, method, err: error }, 'request failed')
  return errorResponse(new ApiError('internal_error', 'Something failed on our side.'), requestId)
}

type RequestRecord = { operation: string; keyId?: string; status: number; ms: number }

function record(
  { log, metrics }: PublicApiDeps,
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
