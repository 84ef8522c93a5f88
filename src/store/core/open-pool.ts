// Connections to PostgreSQL in one of the service's roles.
import pg from 'pg'
import { watchReplication } from '../wire/unreplicated.ts'
import { types } from '../wire/wire-values.ts'
import { CONNECT_TIMEOUT_MS } from './connect.ts'

export type PoolOptions = {
  url: string
  role: string
  connections: number
  /** Called for each new connection. */
  onConnect?(): void
}

const STATEMENT_TIMEOUT_MS = 10_000
// A frozen backend ignores the server-side timeout, so the client has its own.
const QUERY_TIMEOUT_MS = 12_000

export function openPool(
  { url, role, connections, onConnect }: PoolOptions,
  onError: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    // Every statement is short: JIT compilation would cost more than running it.
    options: `-c role=${role} -c timezone=UTC -c jit=off`,
    application_name: role,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    types,
  })
  // The pool replaces an idle connection that breaks; no query is waiting on it.
  pool.on('error', onError)
  // A connection that breaks in use fails its query. Without a listener, the error would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    watchReplication(client)
    onConnect?.()
  })
  return pool
}
