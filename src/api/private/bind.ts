// Binds the dashboard's private operations to their handlers.
import type { ServerResponse } from 'node:http'
import type { OpenedSession } from '../../actions/people/open-session.ts'
import type { Operation, OperationInput, OperationOutput } from '../../contract/operation.ts'
import type { PrivateOperation, Who } from '../../contract/private/operation.ts'
import { forMembers } from '../../contract/private/operation.ts'
import type { Role } from '../../domain/people/role.ts'
import type { KnownDevice, Session } from '../../domain/people/session.ts'
import { type CsvCell, toCsvHead, toCsvLine } from '../../domain/values/csv.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Database, Db } from '../../store/core/db.ts'
import { findUser, type User } from '../../store/people/users.ts'
import {
  type BindOptions,
  type BoundOperation,
  bind,
  bindPrepared,
  type ReadContext,
  type WaitingContext,
  type WriteContext,
} from '../http/bind.ts'
import { smallBody } from '../http/input/request-body.ts'
import type { HostCookie } from './sign-in/session-cookie.ts'
import type { Follow } from './streams/streams.ts'

/** Starts the stream, or throws before anything is written. */
type OpenStream = (follow: Follow, response: ServerResponse) => Promise<void>

export type BoundPrivateOperation = BoundOperation & {
  operation: PrivateOperation
  /** Streams the lines of a file as they are read, instead of a complete response. */
  lines?: (input: unknown, context: unknown) => Promise<AsyncIterable<string>>
  mediaType?: string
  openStream?: OpenStream
}

/** Context of every operation for people. Operations for ANYONE have no session. */
export type VisitorContext = {
  people: Database
  baseUrl: string
  /** The cookie's value, valid or not. */
  token: string | undefined
  address: string
  agent: string
  /** The browser, if it was signed in to any account before. */
  device: KnownDevice | undefined
  signIn(opened: OpenedSession): void
  /** From now on strangers' wrong passwords do not count for this browser. */
  knowBrowser(userUuid: string): void
  signOut(): void
  /** For cookies other than the session's. */
  readCookie(cookie: HostCookie): string | undefined
  setCookie(cookie: string): void
}
export type PersonContext = VisitorContext & { session: Session }

/** The complete user record of a session. */
export async function userOf({ people, session }: { people: Db; session: Session }): Promise<User> {
  const user = await findUser(people, session.user.uuid)
  if (user === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  return user
}

type MemberContext = { session: Session; role: Role; people: Database }

type Context<O extends PrivateOperation> = O['who'] extends 'ANYONE'
  ? VisitorContext
  : O['who'] extends 'PERSON'
    ? PersonContext
    : (O extends { method: 'GET' } | { keepsNothing: true } ? ReadContext : WriteContext) &
        MemberContext

export type PrivateHandler<O extends PrivateOperation> = (
  input: OperationInput<O>,
  context: Context<O>,
) => Promise<OperationOutput<O>>

const BEFORE_MEMBERSHIP: ReadonlySet<Who> = new Set<Who>(['ANYONE', 'PERSON'])

export function bindPrivate<O extends PrivateOperation>(
  operation: O,
  handler: PrivateHandler<O>,
  ...options: BindOptions<O>
): BoundPrivateOperation {
  // Safe because the pipeline picks the context by `who` and method.
  const bound = bind(operation, handler as never, ...options)
  const isSmall = BEFORE_MEMBERSHIP.has(operation.who)
  return { ...bound, operation, ...(isSmall && { bodyLimit: smallBody(bound.bodyLimit) }) }
}

/** As in the public API: slow or other work that must not happen inside the transaction. */
export type PrivatePreparation<O extends PrivateOperation, Prepared> = {
  prepare(input: OperationInput<O>, context: ReadContext & MemberContext): Promise<Prepared>
  write(
    input: OperationInput<O>,
    context: WriteContext & MemberContext,
    prepared: Prepared,
  ): Promise<OperationOutput<O>>
}

export function bindPrivatePrepared<O extends PrivateOperation, Prepared>(
  operation: O,
  preparation: PrivatePreparation<O, Prepared>,
  ...options: BindOptions<O>
): BoundPrivateOperation {
  // Safe because the pipeline gives members' operations these contexts.
  return { ...bindPrepared(operation, preparation as never, ...options), operation }
}

/** A write that waits on the network holds no transaction meanwhile. */
export type PrivateWaitingHandler<O extends PrivateOperation> = (
  input: OperationInput<O>,
  context: WaitingContext & MemberContext,
) => Promise<OperationOutput<O>>

export function bindPrivateWaiting<O extends PrivateOperation>(
  operation: O,
  handler: PrivateWaitingHandler<O>,
  ...options: BindOptions<O>
): BoundPrivateOperation {
  // Safe because the pipeline gives waiting operations their own context.
  return { ...bind(operation, handler as never, ...options), operation, waits: true }
}

/** An operation whose response is a file, with its rows in batches. */
export type ExportHandler<O extends PrivateOperation> = (
  input: OperationInput<O>,
  context: Context<O>,
) => Promise<AsyncIterable<CsvCell[][]>>

export function bindExport<O extends PrivateOperation & { reply: { columns: readonly string[] } }>(
  operation: O,
  handler: ExportHandler<O>,
): BoundPrivateOperation {
  const lines = async (input: unknown, context: unknown) => {
    // Safe because the pipeline validates the input and picks the context, as for every operation.
    const rows = await handler(input as OperationInput<O>, context as Context<O>)
    return toLines(operation.reply.columns, rows)
  }
  const bound = bind<PrivateOperation>(operation, refuse as never)
  return { ...bound, operation, lines, mediaType: CSV }
}

/** A file with one JSON value per line. */
export function bindLines(
  operation: PrivateOperation,
  createLines: (context: ReadContext) => AsyncIterable<string>,
): BoundPrivateOperation {
  const lines = async (_input: unknown, context: unknown) => createLines(context as ReadContext)
  return { ...bind(operation, refuse as never), operation, lines, mediaType: JSON_LINES }
}

const CSV = 'text/csv; charset=utf-8'
const JSON_LINES = 'application/x-ndjson'
const refuse = async () => Promise.reject(new Error('A file is not made whole'))

async function* toLines(columns: readonly string[], batches: AsyncIterable<CsvCell[][]>) {
  yield toCsvHead(columns)
  for await (const rows of batches) yield rows.map(toCsvLine).join('')
}

/** The follower is authenticated as for every operation; the stream decides what it sends. */
export function bindStream(
  operation: PrivateOperation,
  openStream: OpenStream,
): BoundPrivateOperation {
  const handle = () => Promise.reject(new Error('A stream is opened, not answered'))
  return { ...bind(operation, handle), operation, openStream }
}

/** Startup fails if an operation of the contract has no handler, or a handler has no operation. */
export function assertPrivateComplete(
  operations: readonly PrivateOperation[],
  bound: readonly BoundPrivateOperation[],
): void {
  const promised = new Set(operations.map(({ id, method, path }) => `${id} ${method} ${path}`))
  const handled = new Set(
    bound.map(({ operation: { id, method, path } }) => `${id} ${method} ${path}`),
  )
  const odd = [...promised.symmetricDifference(handled)]
  if (odd.length > 0 || bound.length !== handled.size)
    throw new Error(`Promised or handled, but not both, or twice: ${odd.join(', ')}`)
}

/** A public operation, run by its own handler for a member of the organization in the path. */
export function bindForMembers(bound: BoundOperation): BoundPrivateOperation {
  return { ...bound, operation: forMembers(bound.operation as Operation) }
}
