// Runs operations of the APIs for a tool: the same validation, idempotency, transactions and audit log as for a request.
import type { BaseOperation, OperationOutput } from '../../contract/operation.ts'
import { isIdempotencyKey } from '../../domain/values/idempotency.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Tenants } from '../../store/core/tenants.ts'
import type { BoundOperation } from '../http/bind.ts'
import type { Caller } from '../http/caller.ts'
import { acceptInput } from '../http/input/read-input.ts'
import type { KeysInUse } from '../http/keys-in-use.ts'
import { requireAccess, runOperation } from '../http/pipeline.ts'

type Given = {
  params?: Record<string, string>
  query?: Readonly<Record<string, unknown>>
  body?: object
  /** Needed for a write. */
  requestKey?: string
}

export type Invoke = <O extends BaseOperation>(
  operation: O,
  given?: Given,
) => Promise<OperationOutput<O>>

type InvokeDeps = {
  tenants: Tenants
  keysInUse: KeysInUse
  baseUrl: string
  /** By id. */
  operations: ReadonlyMap<string, BoundOperation>
}
type Session = { caller: Caller; requestId: string }

/** Apart from the keys that programs of the organization choose. */
const KEY_PREFIX = 'mcp:'

export function openInvoke(deps: InvokeDeps, { caller, requestId }: Session): Invoke {
  return async ({ id }, { params = {}, query = {}, body = {}, requestKey } = {}) => {
    const bound = deps.operations.get(id)
    if (bound === undefined) throw new Error(`No operation ${id}`)
    requireAccess(bound, caller)
    const input = acceptInput(bound, { params, query: toQuery(query), body })
    const path = toPath(bound.operation.path, params)
    const idempotencyKey = toIdempotencyKey(requestKey)
    const call = { bound, input, path, caller, requestId, idempotencyKey }
    const reply = await runOperation(deps, call)
    // Safe because the handler of this operation returned it.
    return JSON.parse(reply.body) as never
  }
}

function toQuery(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
}

function toPath(path: string, params: Record<string, string>): string {
  return Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
}

function toIdempotencyKey(requestKey: string | undefined): string | undefined {
  if (requestKey === undefined) return undefined
  const key = `${KEY_PREFIX}${requestKey}`
  if (isIdempotencyKey(key)) return key
  throw new ApiError(
    'invalid_idempotency_key',
    'requestKey must be 1 to 150 letters, digits, dots, underscores, colons or hyphens.',
  )
}
