// Binds an operation of the contract to its handler.
import type {
  BaseOperation,
  HandlerInput,
  HandlerOutput,
  OperationOutput,
} from '../../contract/operation.ts'
import type { CsvCell } from '../../domain/values/csv.ts'
import type { Problem } from '../../domain/values/problem.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import type { Audited } from './audited.ts'
import type {
  ContextOf,
  PreparingContextOf,
  ReadContext,
  WaitingContext,
  WriteContext,
} from './contexts.ts'
import { type BodyBounds, boundsOf } from './input/body-bounds.ts'
import { decoderOf, timeDecoder } from './input/decode.ts'
import { compileQuery } from './input/query-string.ts'
import { type BodyLimit, largeBody, smallBody } from './input/request-body.ts'
import { compile, type Schema, type Validated, type Validator } from './input/validation.ts'

export type Handler<O extends BaseOperation, Prepared = void> = (
  input: HandlerInput<O>,
  context: ContextOf<O>,
  prepared: Prepared,
) => Promise<Returned<O>>

/** Slow work on the input, such as hashing a password, done before the transaction. The handler gets the result. */
export type Prepare<O extends BaseOperation, Prepared = void> = (
  input: HandlerInput<O>,
  context: PreparingContextOf<O>,
) => Promise<Prepared>

// Not in the log of an organization: what only reads, what keeps nothing, what people change about themselves, and what
// operators do.
type Unaudited =
  | { method: 'GET' }
  | { keepsNothing: true }
  | { who: 'ANYONE' | 'PERSON' | 'OPERATOR' }
/** What changes fields of an organization's objects. */
type ChangesFields = { method: 'PATCH' | 'PUT' } | PartRemoved
type PartRemoved = { method: 'DELETE'; path: `/api/${string}{${string}{${string}` }

/** A file is returned in batches, and a change of fields says which ones changed. */
type Returned<O extends BaseOperation> = O extends { stream: object }
  ? void
  : O extends { reply: { columns: object } }
    ? AsyncIterable<CsvCell[][]>
    : O extends { reply: { types: object } }
      ? AsyncIterable<string>
      : O extends Unaudited | { waits: true }
        ? HandlerOutput<O>
        : O extends ChangesFields
          ? Audited<HandlerOutput<O>>
          : HandlerOutput<O> | Audited<HandlerOutput<O>>

/** Rules across several body fields, with times as Dates. Fields that are invalid on their own are missing. */
export type BodyRules = (body: Record<string, unknown>) => Problem[]

/** Of a response that is long and can be derived: what is kept of it for replays, and how that is completed again. */
export type Kept<O extends BaseOperation> = {
  shorten(output: HandlerOutput<O>): HandlerOutput<O>
  complete(output: OperationOutput<O>, tx: TenantTx): Promise<OperationOutput<O>>
}

export type BoundOperation = {
  operation: BaseOperation
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
  kept?: Kept<BaseOperation>
}

type Bound<O> = BoundOperation & { operation: O }

type Options<O extends BaseOperation, Prepared> = {
  rules?: BodyRules
  prepare?: Prepare<O, Prepared>
  kept?: Kept<O>
}

export function bind<O extends BaseOperation, Prepared = void>(
  operation: O,
  handler: Handler<O, NoInfer<Prepared>>,
  options: Options<O, Prepared> = {},
): Bound<O> {
  const { rules = () => [], kept } = options
  const { query, body } = operation
  const limit = largeBody(bodyBounds(operation))
  const decode = decoderOf(operation)
  const decodeBody = timeDecoder(body?.schema)
  // Safe because the pipeline validates the input with these same schemas and picks the context by method and caller.
  const run = handler as unknown as BoundOperation['handle']
  const prepare = options.prepare as unknown as BoundOperation['prepare']
  return {
    operation,
    handle: async (input, ...context) => run(decode(input), ...context),
    ...(prepare && { prepare: async (input, context) => prepare(decode(input), context) }),
    ...(query && { validateQuery: compileQuery(query as unknown as Schema) }),
    ...(body && { validateBody: compile(body.schema as unknown as Schema) }),
    bodyLimit: isBeforeMembership(operation) ? smallBody(limit) : limit,
    bodyRules: (sent) => rules(decodeBody(sent) as Record<string, unknown>),
    // Safe because what was kept is a response of the same operation.
    ...(kept && { kept: kept as unknown as Kept<BaseOperation> }),
  }
}

/** Nobody knows yet which organization the caller belongs to. */
const isBeforeMembership = ({ who }: BaseOperation): boolean =>
  who === 'ANYONE' || who === 'PERSON' || who === 'OPERATOR'

export function bodyBounds({ body, method }: BaseOperation): BodyBounds {
  const schema = (body?.schema ?? {}) as Schema
  const kind = method === 'PATCH' || method === 'PUT' ? method : 'POST'
  return boundsOf(schema, kind, body)
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
