// The public API as one function from a request to an answer that always has the envelope and the headers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { untouchedWindow } from '../../domain/values/rate-window.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { KeyDesk } from '../../store/people/key-authenticator.ts'
import type { ClientAddress } from '../http/client-address.ts'
import { answerRequest, type PipelineDeps, type Target } from '../http/pipeline.ts'
import { ClientGone } from '../http/request-body.ts'
import { type Answer, errorAnswer, send } from '../http/response.ts'
import type { AbuseGuard } from './abuse-guard.ts'
import { authenticate, toCaller, unauthorized } from './authenticate.ts'

type PublicApiDeps = PipelineDeps & {
  desk: KeyDesk
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
    target: Target,
  ): Promise<void> => {
    const startedAt = performance.now()
    const seen: { operation: string; keyId?: string } = { operation: 'none' }
    let window = untouchedWindow(deps.rateLimitRequests)
    const run = async (): Promise<Answer> => {
      const holder = await authenticate(deps.desk, request.headers)
      if (holder === undefined) {
        deps.abuseGuard.count(deps.clientAddress(request), Date.now())
        throw unauthorized(request.headers)
      }
      seen.keyId = holder.keyId
      const { used, resetSeconds } = holder
      window = { quota: deps.rateLimitRequests, used, resetSeconds }
      const onRoute = (id: string) => {
        seen.operation = id
        request.operation = id
      }
      return answerRequest(deps, request, target, { caller: toCaller(holder), window, onRoute })
    }

    const answer = await run().catch((error: unknown) => refusal(deps, error, request))
    if (answer === undefined) return
    send(response, answer, request.requestId, window)
    record(deps, request, { ...seen, status: answer.status, ms: performance.now() - startedAt })
  }
}

/** Undefined when nobody is left to answer. */
function refusal(
  { log }: PublicApiDeps,
  error: unknown,
  { requestId, method }: IdentifiedRequest,
): Answer | undefined {
  if (error instanceof ClientGone) return undefined
  if (error instanceof ApiError) return errorAnswer(error, requestId)
  log.error({ requestId, method, err: error }, 'request failed')
  return errorAnswer(new ApiError('internal_error', 'Something failed on our side.'), requestId)
}

type Seen = { operation: string; keyId?: string; status: number; ms: number }

function record({ log, metrics }: PublicApiDeps, request: IdentifiedRequest, seen: Seen): void {
  metrics.requestSeconds.observe({ operation: seen.operation, status: seen.status }, seen.ms / 1000)
  const { requestId, method } = request
  log.info({ requestId, method, ...seen, ms: Math.round(seen.ms * 10) / 10 }, 'request')
}
