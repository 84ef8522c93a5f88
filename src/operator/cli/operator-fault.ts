// Explains problems that the operator can fix in a sentence instead of a stack trace.
import { NatsPermissionError } from '../../bus/nats-fault.ts'
import { PassingStartError } from '../../platform/process/start-error.ts'
import { ConnectionError, openDirectClient } from '../../store/core/connect.ts'
import { MigrationError } from '../../store/core/migrate.ts'
import { BackupError } from './postgres-programs.ts'

const UNREACHABLE = 'The database cannot be reached. Does it run, and is DATABASE_URL right?'
const NO_CONNECTION =
  'PostgreSQL has no connection left. Raise its max_connections, lower DATABASE_CONNECTIONS, or end other programs that hold connections.'
const FULL = 'PostgreSQL cannot write: its disk is full. Free space on it, or enlarge it.'
const REFUSED = 'The database refuses this login. Look at DATABASE_URL and MIGRATE_DATABASE_URL.'
const UNPREPARED =
  'The database is not prepared for this. Run upvane migrate first, with MIGRATE_DATABASE_URL.'
const NO_TLS =
  'The database requires TLS. Add ?sslmode=verify-full&sslrootcert=/path/to/ca.pem to DATABASE_URL and MIGRATE_DATABASE_URL.'
const UNTRUSTED =
  'The certificate of the database cannot be verified. Name the file of the authority that signed it: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem.'
const OTHER_NAME =
  'The certificate of the database is for another host name. Use the name in the certificate in DATABASE_URL and MIGRATE_DATABASE_URL.'
const TAKEN =
  'The address to listen on is taken or not of this machine. Check HOST, PORT and INTERNAL_PORT, and whether Upvane runs already.'

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  '57P03': UNREACHABLE, // still starting
  '53100': FULL,
  '53300': NO_CONNECTION, // too many connections, of all or of this login
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': REFUSED, // no such database
  '22023': UNPREPARED, // no such role
  '42501': UNPREPARED, // not a member of the role
  '42P01': UNPREPARED, // no such table
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: UNTRUSTED,
  CERT_NOT_YET_VALID: UNTRUSTED,
  ERR_OSSL_PEM_NO_START_LINE: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  EADDRINUSE: TAKEN,
  EADDRNOTAVAIL: TAKEN,
  EACCES: TAKEN,
}

const EXPLAINED = [
  MigrationError,
  ConnectionError,
  BackupError,
  PassingStartError,
  NatsPermissionError,
]

// It refuses a connection with this, without a code of its own, if it cannot write what it keeps for the next ones.
const NO_INIT_FILE = 'could not write init file'

// A rejected setting, or a role that was not applied.
const POOLER_SYMPTOMS = new Set(['08P01', '0A000', '42501', '22023'])

/** Undefined for our own bugs: those need the stack trace. */
export function operatorFault(error: unknown): string | undefined {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message
  if (!(error instanceof Error && 'code' in error)) return undefined
  const code = String(error.code)
  const sentence = sentenceOf(error, code)
  // If two addresses both refuse, Node reports one error without a message.
  return sentence && `${sentence} (${error.message || code})`
}

/** The same, but checks whether a pooler is the cause: its symptoms look like a missing migration. */
export async function explainFault(error: unknown, url: string): Promise<string | undefined> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (url === '' || !POOLER_SYMPTOMS.has(code)) return operatorFault(error)
  const cause = await openDirectClient({ connectionString: url }).then(
    (client) => client.end(),
    (found: unknown) => found,
  )
  return operatorFault(cause instanceof ConnectionError ? cause : error)
}

function sentenceOf(error: Error, code: string): string | undefined {
  if (error.message === NO_INIT_FILE) return FULL
  return isUnencrypted(error) ? NO_TLS : SENTENCES[code]
}

function isUnencrypted(error: Error): boolean {
  return error.message.includes('no pg_hba.conf entry') && error.message.includes('no encryption')
}
