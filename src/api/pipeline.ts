// What happens to every request under /api/v1, in an order that is part of the contract:
// authentication, rate limit, route, access, idempotency key, input, replay, subscription, and then the
// operation itself (resource, state, plan, write) in one transaction.
import type { IncomingMessage } from 'node:http'
import { isWrite } from '../contract/operation.ts'
import { fingerprint, isIdempotencyKey } from '../domain/idempotency.ts'
import type { Problem } from '../domain/problem.ts'
import { isOverLimit, type RateWindow, secondsLeft } from '../domain/rate-window.ts'
import { ApiError, validationError } from '../platform/api-error.ts'
import type { Tenants } from '../store/tenants.ts'
import type { Answer } from './answer.ts'
import type { Bound } from './bind.ts'
import type { Caller } from './caller.ts'
import { readJsonBody } from './request-body.ts'
import type { Router } from './router.ts'
import { runWaitingWrite } from './waiting-write.ts'
import { runWrite } from './write.ts'

export type PipelineDeps = { tenants: Tenants; router: Router<Bound>; baseUrl: string }
export type Target = { path: string; query: string }
type Input = { params: Record<string, string>; query: unknown; body: unknown }

/** Steps 2 to 13 for a caller that is known. `onRoute` is told the operation, for logs and metrics. */
export async function answerRequest(
  deps: PipelineDeps,
  request: IncomingMessage & { requestId: string },
  { path, query }: Target,
  { caller, window, onRoute }: { caller: Caller; window: RateWindow; onRoute(id: string): void },
): Promise<Answer> {
  refuseOverLimit(window)
  const { bound, rawParams } = findOperation(deps.router, request.method ?? '', path)
  onRoute(bound.operation.id)
  if (isWrite(bound.operation) && caller.access === 'READ_ONLY')
    throw new ApiError('forbidden', 'This key is read-only.')

  const idempotencyKey = isWrite(bound.operation) ? readIdempotencyKey(request) : undefined
  const input = await readInput(bound, request, rawParams, query)

  if (!isWrite(bound.operation)) {
    const tenant = deps.tenants.of(caller.orgId)
    const output = await bound.handle(input, { tenant, caller, baseUrl: deps.baseUrl })
    return { status: bound.operation.reply.status, body: JSON.stringify(output) }
  }
  const { method } = bound.operation
  const replay = idempotencyKey && {
    key: idempotencyKey,
    fingerprint: fingerprint({ method, path, body: input.body ?? {} }),
  }
  const { requestId } = request
  const write = { bound, input, caller, requestId, ...(replay && { replay }) }
  return bound.waits ? runWaitingWrite(deps, write) : runWrite(deps, write)
}

function refuseOverLimit(window: RateWindow): void {
  if (!isOverLimit(window)) return
  const seconds = secondsLeft(window)
  throw new ApiError('rate_limited', `The rate limit is reached. Retry in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

function findOperation(router: Router<Bound>, method: string, path: string) {
  const route = router.route(method, path)
  if (route.found === 'nothing') throw new ApiError('not_found', 'There is no such endpoint.')
  if (route.found === 'path')
    throw new ApiError('method_not_allowed', `This path takes ${route.allow}.`, {
      headers: { Allow: route.allow },
    })
  return { bound: route.target, rawParams: route.rawParams }
}

function readIdempotencyKey({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  // A repeated header arrives joined by a comma and a blank, which no key may hold.
  if (key === undefined || (typeof key === 'string' && isIdempotencyKey(key))) return key
  throw new ApiError(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 200 letters, digits, dots, underscores, colons or hyphens.',
  )
}

async function readInput(
  bound: Bound,
  request: IncomingMessage,
  rawParams: Record<string, string>,
  queryText: string,
): Promise<Input> {
  const problems: Problem[] = []
  const params = decodeParams(rawParams, problems)
  const query = bound.validateQuery?.(queryText)
  problems.push(...(query?.problems ?? []))
  const body = await readBody(bound, request, problems)
  if (problems.length > 0) throw validationError(problems)
  return { params, query: query?.value, body }
}

function decodeParams(raw: Record<string, string>, problems: Problem[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, text] of Object.entries(raw)) {
    try {
      params[name] = decodeURIComponent(text)
    } catch {
      problems.push({ path: name, message: 'has malformed percent-encoding' })
    }
  }
  return params
}

async function readBody(
  { operation, validateBody, bodyRules }: Bound,
  request: IncomingMessage,
  problems: Problem[],
): Promise<unknown> {
  if (operation.body === undefined || validateBody === undefined) return undefined
  const read = await readJsonBody(request)
  if ('problems' in read) {
    problems.push(...read.problems)
    return undefined
  }
  if ('absent' in read) {
    if (operation.body.required) problems.push({ path: 'body', message: 'is required' })
    return undefined
  }
  const checked = validateBody(read.json)
  problems.push(...checked.problems, ...rulesBeside(checked, bodyRules))
  return checked.value
}

/** Rules over several fields are asked even when single fields are wrong, but not about those. */
function rulesBeside(
  { value, problems }: { value: Record<string, unknown>; problems: Problem[] },
  rules: Bound['bodyRules'],
): Problem[] {
  const wrong = new Set(problems.map(({ path }) => path.split('.', 1)[0]))
  if (wrong.has('body')) return []
  const sound = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
  return rules(sound).filter(({ path }) => !wrong.has(path.split('.', 1)[0]))
}
