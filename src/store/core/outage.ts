// Tells failures of the database that pass by themselves from a statement that fails every time.
import pg from 'pg'
import { UnreplicatedError } from '../wire/unreplicated.ts'

// 08: the connection broke. 53: no connection, memory or disk left. 57P: stopping, or still starting. 25006: read-only, as
// a primary that another server has replaced.
const PASSING = /^(?:08|53|57P0|25006)/
// The statement ended for another one: it was too slow or waited too long, met a deadlock, or ran on a server that became
// a standby. Unlike in an outage, its stack says which one it was.
const CANCELED: ReadonlySet<string> = new Set(['57014', '40001', '40P01'])
const NETWORK: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// The driver's own errors have a text and no code.
const LOST =
  /^(?:Connection terminated|Query read timeout|Client was closed|Client has encountered a connection error)/

// A client that leaves in the middle of its request has the same codes as a database that does.
const ofDatabase = new WeakSet<Error>()

/** This error came from a connection to the database. */
export function noteDatabaseError(error: unknown): void {
  if (error instanceof Error) ofDatabase.add(error)
}

/** Whether the same request may succeed in a few seconds. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError)
    return PASSING.test(codeOf(error)) || CANCELED.has(codeOf(error))
  if (error instanceof UnreplicatedError) return true
  if (!(error instanceof Error) || !ofDatabase.has(error)) return false
  return NETWORK.has(codeOf(error)) || LOST.test(error.message)
}

/** What a log line says of it, without a stack: an outage has the same one for every request. Undefined for anything else. */
export function describeOutage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !isDatabaseOutage(error)) return undefined
  const code = codeOf(error)
  return CANCELED.has(code) ? undefined : error.message || code
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
