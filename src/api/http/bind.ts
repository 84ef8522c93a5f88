// Binds an operation of the contract to its handler.
import type {
  BaseOperation,
  HandlerOutput,
  OperationInput,
  OperationOutput,
} from '../../contract/operation.ts'
import type { Who } from '../../contract/private/operation.ts'
import type { Problem } from '../../domain/values/problem.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import type { Audited } from './audited.ts'
import type {
  ContextOf,
  PreparingContextOf,
  ReadContext,
  WaitingContext,
  WaitingContextOf,
  WriteContext,
  WritingContextOf,
} from './contexts.ts'
import { type BodyBounds, boundsOf } from './input/body-bounds.ts'
import { compileQuery } from './input/query-string.ts'
import { decoderOf } from './input/references.ts'
import { type BodyLimit, largeBody, smallBody } from './input/request-body.ts'
import { compile, type Schema, type Validated, type Validator } from './input/validation.ts'

export type Handler<O extends BaseOperation> = (
  input: OperationInput<O>,
  context: ContextOf<O>,
) => Promise<HandlerOutput<O>>

export type WaitingHandler<O extends BaseOperation> = (
  input: OperationInput<O>,
  context: WaitingContextOf<O>,
) => Promise<HandlerOutput<O>>

/** Slow work on the input, such as hashing a password, done before the transaction. The handler gets the result. */
export type Preparation<O extends BaseOperation, Prepared> = {
  prepare(input: OperationInput<O>, context: PreparingContextOf<O>): Promise<Prepared>
  write(
    input: OperationInput<O>,
    context: WritingContextOf<O>,
    prepared: Prepared,
  ): Promise<HandlerOutput<O>>
}

/** Rules across several body fields. Fields that are invalid on their own are missing. */
export type BodyRules = (body: Record<string, unknown>) => Problem[]

/** Of a response that is long and can be derived: what is kept of it for replays, and how that is completed again. */
export type Kept<O extends BaseOperation> = {
  shorten(output: HandlerOutput<O>): HandlerOutput<O>
  complete(output: OperationOutput<O>, tx: TenantTx): Promise<OperationOutput<O>>
}

export type BoundOperation = {
  operation: BaseOperation
  waits: boolean
  prepare?(input: unknown, context: ReadContext): Promise<unknown>
  handle(
    input: unknown,
    context: ReadContext | WriteContext | WaitingContext,
    prepared?: unknown,
  ): Promise<unknown>
  validateQuery?: (query: string) => Validated
  validateBody?: Validator
  bodyLimit: BodyLimit
  bodyRules: BodyRules
  audited: Audited | null
  kept?: Kept<BaseOperation>
}

type Bound<O> = BoundOperation & { operation: O }

type Options<O extends BaseOperation> = {
  rules?: BodyRules
  audited?: Audited | null
  kept?: Kept<O>
}

/** What changes fields of an organization's objects. */
type ChangesFields = ({ method: 'PATCH' | 'PUT' } | PartRemoved) & { who?: Exclude<Who, Unaudited> }
type PartRemoved = { method: 'DELETE'; path: `/api/${string}{${string}{${string}` }
// What people change about themselves belongs to no organization, and is not in its log.
type Unaudited = 'ANYONE' | 'PERSON'

/** A change of fields names what the audit log compares, or says with null that it compares nothing. */
type BindOptions<O extends BaseOperation> = O extends ChangesFields
  ? [options: Options<O> & { audited: Audited | null }]
  : [options?: Options<O>]

export function bind<O extends BaseOperation>(
  operation: O,
  handler: Handler<O>,
  ...[options]: BindOptions<O>
): Bound<O> {
  const { rules = () => [], audited = null, kept } = options ?? {}
  const { query, body } = operation
  const limit = largeBody(bodyBounds(operation))
  const decode = decoderOf(operation)
  // Safe because the pipeline validates the input with these same schemas and picks the context by method and caller.
  const run = handler as unknown as BoundOperation['handle']
  return {
    operation,
    waits: false,
    handle: async (input, ...context) => run(decode(input), ...context),
    ...(query && { validateQuery: compileQuery(query as unknown as Schema) }),
    ...(body && { validateBody: compile(body.schema as unknown as Schema) }),
    bodyLimit: isBeforeMembership(operation) ? smallBody(limit) : limit,
    bodyRules: rules,
    audited,
    // Safe because what was kept is a response of the same operation.
    ...(kept && { kept: kept as unknown as Kept<BaseOperation> }),
  }
}

/** Nobody knows yet which organization the caller belongs to. */
const isBeforeMembership = (operation: BaseOperation & { who?: Who }): boolean =>
  operation.who === 'ANYONE' || operation.who === 'PERSON'

export function bodyBounds({ body, method }: BaseOperation): BodyBounds {
  const schema = (body?.schema ?? {}) as Schema
  const kind = method === 'PATCH' || method === 'PUT' ? method : 'POST'
  return boundsOf(schema, kind, body)
}

export function bindWaiting<O extends BaseOperation>(
  operation: O,
  handler: WaitingHandler<O>,
  ...options: BindOptions<O>
): Bound<O> {
  return { ...bind(operation, handler as unknown as Handler<O>, ...options), waits: true }
}

export function bindPrepared<O extends BaseOperation, Prepared>(
  operation: O,
  { prepare, write }: Preparation<O, Prepared>,
  ...options: BindOptions<O>
): Bound<O> {
  const decode = decoderOf(operation)
  // Safe for the same reason as the handler: the operation's schemas validated the input.
  const run = prepare as unknown as NonNullable<BoundOperation['prepare']>
  return {
    ...bind(operation, write as unknown as Handler<O>, ...options),
    prepare: async (input, context) => run(decode(input), context),
  }
}

/** Startup fails if an operation of the contract has no handler, or a handler has no operation or stands here twice. */
export function assertComplete(
  operations: readonly BaseOperation[],
  bound: readonly BoundOperation[],
): void {
  const promised = new Set(operations.map(nameOf))
  const handled = new Set(bound.map(({ operation }) => nameOf(operation)))
  const odd = [...promised.symmetricDifference(handled)]
  if (odd.length > 0 || bound.length !== handled.size)
    throw new Error(`In the contract or handled, but not both, or twice: ${odd.join(', ')}`)
}

const nameOf = ({ id, method, path }: BaseOperation) => `${id} ${method} ${path}`
