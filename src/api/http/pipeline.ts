// The steps of every request under /api/v1. Their order is part of the contract: authentication, rate limit, route,
// access, idempotency key, input, replay, subscription, then the operation (resource, state, plan, write) in a
// transaction.
import type { IncomingMessage } from 'node:http'
import { isWrite } from '../../contract/operation.ts'
import { fingerprint, isIdempotencyKey } from '../../domain/values/idempotency.ts'
import { isOverLimit, type RateWindow, secondsLeft } from '../../domain/values/rate-window.ts'
import { ApiError } from '../../platform/api-error.ts'
import { nameOperation } from '../../platform/observability/event-loop-watch.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import type { BoundOperation } from './bind.ts'
import type { Caller } from './caller.ts'
import { canonicalBody } from './input/canonical-body.ts'
import { findOperation, type RequestInput, readInput } from './input/read-input.ts'
import type { Schema } from './input/validation.ts'
import type { KeysInUse } from './keys-in-use.ts'
import type { ApiResponse } from './response.ts'
import type { Router } from './router.ts'
import { runWaitingWrite } from './waiting-write.ts'
import { runWrite } from './write.ts'

export type PipelineDeps = {
  tenants: Tenants
  router: Router<BoundOperation>
  baseUrl: string
  keysInUse: KeysInUse
}
export type OperationTarget = { path: string; query: string }

/** Steps 2 to 13 for an authenticated caller. `onRoute` receives the operation, for logs and metrics. */
export async function handleRequest(
  deps: PipelineDeps,
  request: IncomingMessage & { requestId: string },
  { path, query }: OperationTarget,
  { caller, window, onRoute }: { caller: Caller; window: RateWindow; onRoute(id: string): void },
): Promise<ApiResponse> {
  refuseOverLimit(window)
  const { bound, rawParams } = findOperation(deps.router, request.method ?? '', path)
  onRoute(bound.operation.id)
  nameOperation(bound.operation.id)
  requireAccess(bound, caller)
  const idempotencyKey = isWrite(bound.operation) ? readIdempotencyKey(request) : undefined
  const input = await readInput(bound, request, { rawParams, query, owner: caller.orgId })
  const { requestId } = request
  return runOperation(deps, { bound, input, path, caller, requestId, idempotencyKey })
}

export function requireAccess({ operation }: BoundOperation, { access }: Caller): void {
  if (isWrite(operation) && access === 'READ_ONLY')
    throw new ApiError('forbidden', 'This key is read-only.')
}

type OperationCall = {
  bound: BoundOperation
  /** Already validated. */
  input: RequestInput
  /** The path of the request, with the values of its parameters. */
  path: string
  caller: Caller
  requestId: string
  idempotencyKey: string | undefined
}
type RunDeps = Omit<PipelineDeps, 'router'>

/** Steps 7 to 13, also for a caller that does not use the API's paths. */
export async function runOperation(
  deps: RunDeps,
  { bound, input, path, caller, requestId, idempotencyKey }: OperationCall,
): Promise<ApiResponse> {
  if (!isWrite(bound.operation)) {
    const tenant = deps.tenants.of(caller.orgId)
    const output = await bound.handle(input, { tenant, caller, baseUrl: deps.baseUrl })
    return { status: bound.operation.reply.status, body: JSON.stringify(output) }
  }
  const { method } = bound.operation
  const replay = idempotencyKey && {
    key: idempotencyKey,
    fingerprint: fingerprint({ method, path, body: identityOf(bound, input.body ?? {}) }),
  }
  const needsSubscription = method !== 'DELETE'
  const write = { bound, input, caller, requestId, needsSubscription, ...(replay && { replay }) }
  const run = () => (bound.operation.waits ? runWaitingWrite(deps, write) : runWrite(deps, write))
  return idempotencyKey === undefined
    ? run()
    : deps.keysInUse.hold(caller.orgId, idempotencyKey, run)
}

function identityOf({ operation }: BoundOperation, body: unknown): unknown {
  const schema = (operation.body?.schema ?? {}) as Schema
  return canonicalBody(schema, body, { dropNulls: operation.method === 'POST' })
}

export function refuseOverLimit(window: RateWindow): void {
  if (!isOverLimit(window)) return
  const seconds = secondsLeft(window)
  throw new ApiError('rate_limited', `The rate limit is reached. Retry in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

function readIdempotencyKey({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  // A repeated header arrives joined by a comma and a space, which no key may contain.
  if (key === undefined || (typeof key === 'string' && isIdempotencyKey(key))) return key
  throw new ApiError(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 200 letters, digits, dots, underscores, colons or hyphens.',
  )
}
