// Resolves a request to its operation and that operation's input, or to the problems found.
import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../../domain/values/problem.ts'
import { ApiError, methodNotAllowed, validationError } from '../../../platform/api-error.ts'
import type { BoundOperation } from '../bind.ts'
import type { Router } from '../router.ts'
import { readJsonBody } from './request-body.ts'

/** `owner`: the organization, person or network that the request counts against. */
type RawInput = { rawParams: Record<string, string>; query: string; owner: string }

export type RequestInput = { params: Record<string, string>; query: unknown; body: unknown }

export function findOperation<B extends BoundOperation>(
  router: Router<B>,
  method: string,
  path: string,
) {
  const route = router.route(method, path)
  if (route.found === 'nothing') throw new ApiError('not_found', 'There is no such endpoint.')
  if (route.found === 'path') throw methodNotAllowed(route.allow)
  return { bound: route.target, rawParams: route.rawParams }
}

export async function readInput(
  bound: BoundOperation,
  request: IncomingMessage,
  { rawParams, query: queryText, owner }: RawInput,
): Promise<RequestInput> {
  const problems: Problem[] = []
  const params = decodeParams(rawParams, problems)
  const query = bound.validateQuery?.(queryText)
  problems.push(...(query?.problems ?? []))
  const body = await readBody(bound, request, { owner, problems })
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
  { operation, validateBody, bodyRules, bodyLimit }: BoundOperation,
  request: IncomingMessage,
  { owner, problems }: { owner: string; problems: Problem[] },
): Promise<unknown> {
  if (operation.body === undefined || validateBody === undefined) return undefined
  const { required } = operation.body
  return readJsonBody(request, { limit: bodyLimit, owner }, (read) => {
    if ('json' in read) return acceptBody({ validateBody, bodyRules }, read.json, problems)
    if ('problems' in read) problems.push(...read.problems)
    else if (required)
      problems.push({ path: 'body', message: missingBody({ validateBody, bodyRules }) })
    return undefined
  })
}

type BodyChecks = {
  validateBody: NonNullable<BoundOperation['validateBody']>
  bodyRules: BoundOperation['bodyRules']
}

/** An operation that takes an empty object says so: it looks as if it needed no body. */
function missingBody(checks: BodyChecks): string {
  const problems: Problem[] = []
  acceptBody(checks, {}, problems)
  return problems.length === 0 ? 'is required: send {}' : 'is required'
}

function acceptBody(
  { validateBody, bodyRules }: BodyChecks,
  json: unknown,
  problems: Problem[],
): unknown {
  const checked = validateBody(json)
  problems.push(...checked.problems, ...crossFieldProblems(checked, bodyRules))
  return checked.value
}

/** The same rules for input that did not arrive as a request of the API. */
export function acceptInput(
  { operation, validateQuery, validateBody, bodyRules }: BoundOperation,
  { params, query, body }: { params: Record<string, string>; query: string; body?: unknown },
): RequestInput {
  const accepted = validateQuery?.(query)
  const problems = [...(accepted?.problems ?? [])]
  const takesBody = operation.body !== undefined && validateBody !== undefined
  const checked = takesBody ? acceptBody({ validateBody, bodyRules }, body, problems) : undefined
  if (problems.length > 0) throw validationError(problems)
  return { params, query: accepted?.value, body: checked }
}

/** Cross-field rules run even when single fields are invalid, but without those fields. */
function crossFieldProblems(
  { value, problems }: { value: Record<string, unknown>; problems: Problem[] },
  rules: BoundOperation['bodyRules'],
): Problem[] {
  const wrong = new Set(problems.map(({ path }) => path.split('.', 1)[0]))
  if (wrong.has('body')) return []
  const sound = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
  return rules(sound).filter(({ path }) => !wrong.has(path.split('.', 1)[0]))
}
