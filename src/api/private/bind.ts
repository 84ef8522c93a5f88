// What only the dashboard's operations are bound to: files and streams. All others are bound as in every API.
import type { ServerResponse } from 'node:http'
import type { HandlerInput, Operation } from '../../contract/operation.ts'
import { forMembers, type PrivateOperation } from '../../contract/private/operation.ts'
import type { Session } from '../../domain/people/session.ts'
import { type CsvCell, toCsvHead, toCsvLine } from '../../domain/values/csv.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Db } from '../../store/core/db.ts'
import { findUser, type User } from '../../store/people/users.ts'
import { type BoundOperation, bind } from '../http/bind.ts'
import type { ContextOf, ReadContext } from '../http/contexts.ts'
import { decoderOf } from '../http/input/decode.ts'
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

/** The complete user record of a session. */
export async function userOf({ people, session }: { people: Db; session: Session }): Promise<User> {
  const user = await findUser(people, session.user.uuid)
  if (user === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  return user
}

/** An operation whose response is a file, with its rows in batches. */
export type ExportHandler<O extends PrivateOperation> = (
  input: HandlerInput<O>,
  context: ContextOf<O>,
) => Promise<AsyncIterable<CsvCell[][]>>

export function bindExport<O extends PrivateOperation & { reply: { columns: readonly string[] } }>(
  operation: O,
  handler: ExportHandler<O>,
): BoundPrivateOperation {
  const decode = decoderOf(operation)
  const lines = async (input: unknown, context: unknown) => {
    // Safe because the pipeline validates the input and picks the context, as for every operation.
    const rows = await handler(decode(input) as HandlerInput<O>, context as ContextOf<O>)
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

/** A public operation, run by its own handler for a member of the organization in the path. */
export function bindForMembers(bound: BoundOperation): BoundPrivateOperation {
  return { ...bound, operation: forMembers(bound.operation as Operation) }
}
