// Ties the dashboard's own operations to the functions that do them.
import type { ServerResponse } from 'node:http'
import type { Opened } from '../../actions/people/open-session.ts'
import type { Input, Operation, Output } from '../../contract/operation.ts'
import type { AppOperation, Who } from '../../contract/private/operation.ts'
import { forMembers } from '../../contract/private/operation.ts'
import type { Role } from '../../domain/people/role.ts'
import type { KnownDevice, Session } from '../../domain/people/session.ts'
import { type Cell, toCsvHead, toCsvLine } from '../../domain/values/csv.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Database, Db } from '../../store/core/db.ts'
import { findUser, type User } from '../../store/people/users.ts'
import {
  type BodyRules,
  type Bound,
  bind,
  bindPrepared,
  type Reading,
  type Waiting,
  type Writing,
} from '../http/bind.ts'
import { LARGE_BODY, SMALL_BODY } from '../http/request-body.ts'
import type { Follow } from './streams/streams.ts'

/** Begins the stream, or throws before anything is written. */
type OpenStream = (follow: Follow, response: ServerResponse) => Promise<void>

export type AppBound = Bound & {
  operation: AppOperation
  /** Instead of an answer that is made whole: lines of a file, as they are read. */
  lines?: (input: unknown, context: unknown) => Promise<AsyncIterable<string>>
  mediaType?: string
  openStream?: OpenStream
}

/** What every operation of a person is given; ANYONE's have no session. */
export type Visiting = {
  people: Database
  baseUrl: string
  /** What the cookie holds, good or not. */
  token: string | undefined
  address: string
  agent: string
  /** The browser, if it was signed in to some account before. */
  device: KnownDevice | undefined
  signIn(opened: Opened): void
  signOut(): void
  /** Of another cookie than the session's. */
  setCookie(cookie: string): void
}
export type Personal = Visiting & { session: Session }

/** Whose session it is, whole. */
export async function userOf({ people, session }: { people: Db; session: Session }): Promise<User> {
  const user = await findUser(people, session.user.uuid)
  if (user === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  return user
}

type Member = { session: Session; role: Role; people: Database }

type Context<O extends AppOperation> = O['who'] extends 'ANYONE'
  ? Visiting
  : O['who'] extends 'PERSON'
    ? Personal
    : (O extends { method: 'GET' } | { keepsNothing: true } ? Reading : Writing) & Member

export type AppHandler<O extends AppOperation> = (
  input: Input<O>,
  context: Context<O>,
) => Promise<Output<O>>

const BEFORE_MEMBERSHIP: ReadonlySet<Who> = new Set<Who>(['ANYONE', 'PERSON'])

export function bindApp<O extends AppOperation>(
  operation: O,
  handler: AppHandler<O>,
  bodyRules?: BodyRules,
): AppBound {
  // Safe because the pipeline picks the context by `who` and method.
  const bodyLimit = BEFORE_MEMBERSHIP.has(operation.who) ? SMALL_BODY : LARGE_BODY
  return { ...bind(operation, handler as never, bodyRules), operation, bodyLimit }
}

/** As in the public API: slow or other work that must not happen inside the transaction. */
export type AppPreparation<O extends AppOperation, Prepared> = {
  prepare(input: Input<O>, context: Reading & Member): Promise<Prepared>
  write(input: Input<O>, context: Writing & Member, prepared: Prepared): Promise<Output<O>>
}

export function bindAppPrepared<O extends AppOperation, Prepared>(
  operation: O,
  preparation: AppPreparation<O, Prepared>,
  bodyRules?: BodyRules,
): AppBound {
  // Safe because the pipeline gives members' operations these contexts.
  return { ...bindPrepared(operation, preparation as never, bodyRules), operation }
}

/** A write that waits on the network holds no transaction while it waits. */
export type AppWaitingHandler<O extends AppOperation> = (
  input: Input<O>,
  context: Waiting & Member,
) => Promise<Output<O>>

export function bindAppWaiting<O extends AppOperation>(
  operation: O,
  handler: AppWaitingHandler<O>,
  bodyRules?: BodyRules,
): AppBound {
  // Safe because the pipeline gives what waits its own context.
  return { ...bind(operation, handler as never, bodyRules), operation, waits: true }
}

/** An operation whose answer is a file: the rows come in batches. */
export type ExportHandler<O extends AppOperation> = (
  input: Input<O>,
  context: Context<O>,
) => Promise<AsyncIterable<Cell[][]>>

export function bindExport<O extends AppOperation & { reply: { columns: readonly string[] } }>(
  operation: O,
  handler: ExportHandler<O>,
): AppBound {
  const lines = async (input: unknown, context: unknown) => {
    // Safe because the pipeline validates the input and picks the context as for every operation.
    const rows = await handler(input as Input<O>, context as Context<O>)
    return toLines(operation.reply.columns, rows)
  }
  return { ...bind(operation, refuse as never), operation, lines, mediaType: CSV }
}

/** A file whose lines are JSON. */
export function bindLines(
  operation: AppOperation,
  make: (context: Reading) => AsyncIterable<string>,
): AppBound {
  const lines = async (_input: unknown, context: unknown) => make(context as Reading)
  return { ...bind(operation, refuse as never), operation, lines, mediaType: JSON_LINES }
}

const CSV = 'text/csv; charset=utf-8'
const JSON_LINES = 'application/x-ndjson'
const refuse = async () => Promise.reject(new Error('A file is not made whole'))

async function* toLines(columns: readonly string[], batches: AsyncIterable<Cell[][]>) {
  yield toCsvHead(columns)
  for await (const rows of batches) yield rows.map(toCsvLine).join('')
}

/** Who follows is found as for every operation; what they are told is the stream's own. */
export function bindStream(operation: AppOperation, openStream: OpenStream): AppBound {
  const handle = () => Promise.reject(new Error('A stream is opened, not answered'))
  return { ...bind(operation, handle), operation, openStream }
}

/** Start-up fails when the contract promises what nobody does, or somebody does what it does not promise. */
export function assertAppComplete(
  operations: readonly AppOperation[],
  bound: readonly AppBound[],
): void {
  const promised = new Set(operations.map(({ id, method, path }) => `${id} ${method} ${path}`))
  const handled = new Set(
    bound.map(({ operation: { id, method, path } }) => `${id} ${method} ${path}`),
  )
  const odd = [...promised.symmetricDifference(handled)]
  if (odd.length > 0 || bound.length !== handled.size)
    throw new Error(`Promised or handled, but not both, or twice: ${odd.join(', ')}`)
}

/** A public operation, done by its own handler for a member of the organization in the path. */
export function bindForMembers(bound: Bound): AppBound {
  return { ...bound, operation: forMembers(bound.operation as Operation) }
}
