// What stands between the operator and a working command, said in a sentence and not as a stack.
import { MigrationError } from '../store/migrate.ts'

const UNREACHABLE = 'The database cannot be reached. Does it run, and is DATABASE_URL right?'
const REFUSED = 'The database refuses this login. Look at DATABASE_URL and MIGRATE_DATABASE_URL.'
const UNPREPARED =
  'The database is not prepared for this. Run upvane migrate first, with MIGRATE_DATABASE_URL.'
const TAKEN = 'The address to listen on cannot be had. Look at HOST, PORT and INTERNAL_PORT.'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  '57P03': UNREACHABLE, // still starting
  '53300': UNREACHABLE, // too many connections
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': REFUSED, // no such database
  '22023': UNPREPARED, // no such role
  '42501': UNPREPARED, // not a member of the role
  '42P01': UNPREPARED, // no such table
  EADDRINUSE: TAKEN,
  EADDRNOTAVAIL: TAKEN,
  EACCES: TAKEN,
}

/** Undefined for what is a fault of ours: then the stack is wanted. */
export function operatorFault(error: unknown): string | undefined {
  if (error instanceof MigrationError) return error.message
  if (!(error instanceof Error && 'code' in error)) return undefined
  const code = String(error.code)
  const sentence = SENTENCES[code]
  // Two addresses that both refuse come as one error without a text.
  return sentence && `${sentence} (${error.message || code})`
}
