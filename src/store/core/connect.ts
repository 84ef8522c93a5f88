// Opens a single connection outside the pool. It fails quickly and explains why.
import pg from 'pg'

export const CONNECT_TIMEOUT_MS = 5_000

const POOLED =
  'Upvane must connect directly to PostgreSQL: a pooler in between, such as PgBouncer or RDS Proxy, drops connection settings that it needs. ' +
  "Put PostgreSQL's own address into DATABASE_URL and MIGRATE_DATABASE_URL, without an options parameter."

/** A problem with the database URL that the operator can fix. The message says how. */
export class ConnectionError extends Error {}

/** A server that accepts the connection but never responds fails like an unreachable one. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = createClient({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config })
  await client.connect().catch((error: unknown) => {
    throw withTimeoutCode(error)
  })
  return client
}

/**
 * Fails if connection settings are dropped on the way. The service sets its role with one, and migrations hold a
 * session-level lock, so neither works through a pooler.
 */
export async function openDirectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = await openClient({ ...config, options: '-c upvane.direct=on' }).catch(
    (error: unknown) => {
      throw isRefusedSetting(error) ? new ConnectionError(POOLED, { cause: error }) : error
    },
  )
  const { rows } = await client.query<{ direct: string | null }>(
    `select current_setting('upvane.direct', true) as direct`,
  )
  if (rows[0]?.direct === 'on') return client
  await client.end()
  throw new ConnectionError(POOLED)
}

/** PgBouncer and RDS Proxy reject unknown settings unless configured to ignore them. */
function isRefusedSetting(error: unknown): boolean {
  return error instanceof Error && /startup parameter|command-line options/i.test(error.message)
}

/** Reads the certificate files named in the URL. */
function createClient(config: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(config)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConnectionError(`The address of the database cannot be used: ${reason}`)
  }
}

/** The driver's own timeout errors have a message but no code. */
export function withTimeoutCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || !/time(d )?out/i.test(error.message))
    return error
  const message = `no answer within ${CONNECT_TIMEOUT_MS / 1000} s`
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' })
}
