// A private PostgreSQL for tests and for trying the product. It stops when its parent exits.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { getPostgres, type PostgresPrograms } from './executables.ts'
import { copyDataDirectory, makeDataDirectory, readVersion } from './postgres-data.ts'
import { isRunning } from './processes.ts'
import { freezeServer, killServer, stopServer, thawServer } from './server-signals.ts'
import { type Started, startAgain, startOnFreePort } from './server-start.ts'
import { openTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts'

const HOST = '127.0.0.1'

// The two accounts an operator would create: one owns the schema, the product runs as the other.
const ROLES = `
  create role upvane_owner login createrole createdb nosuperuser;
  create role upvane login noinherit nosuperuser;`

export type PostgresOptions = {
  /** Lines for postgresql.conf. */
  settings?: Record<string, string>
  /** Keeps every commit across a kill, at the speed of the disk. */
  durable?: boolean
  /** Falls back to the PostgreSQL from npm if none is installed. Only for trying the product. */
  mayEmbed?: boolean
  /** Another server's data, by `copyData`, instead of new data. */
  copyOf?: string
}

type ServerDatabases = {
  /** The superuser's URL of the maintenance database. */
  url: string
  host: string
  port: number
  databaseUrl(name: string, user?: string): string
  /** The database is owned by upvane_owner. */
  createDatabase(name: string, options?: { template?: string }): Promise<void>
  /** Disconnects its users. No error if the database does not exist. */
  dropDatabase(name: string): Promise<void>
}

export type Postgres = ServerDatabases & {
  /** The postmaster's; changes after a restart. */
  readonly pid: number
  /** Holds the data, the socket and server.log. */
  directory: string
  /** Sends SIGKILL to the postmaster and its children; returns when they are gone. */
  kill(): Promise<void>
  /** Sends SIGSTOP: connections stay open and nothing responds, until thaw. */
  freeze(): void
  thaw(): void
  /** Stops it and copies its data into its directory, without settings. Returns the path. */
  copyData(): Promise<string>
  /** Starts again on the same port and data; stops first if it is still running. */
  restart(): Promise<void>
  /** Stops it and removes the directory. */
  stop(): Promise<void>
}

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const programs = getPostgres(options.mayEmbed)
  const { folder, account } = programs
  const home = openTemporaryDirectory('upvane-postgres-', 'data/postmaster.pid', account)
  try {
    const { settings = {}, durable = false, copyOf } = options
    const data = await makeDataDirectory(
      { ...programs, directory: home.path },
      { settings, durable, copyOf },
    )
    const started = await startOnFreePort((candidate) => ({
      command: join(folder, 'postgres'),
      args: ['-D', data, '-p', String(candidate)],
      directory: home.path,
      account,
      isReady: () => respondsAs(data, candidate),
    }))
    const postgres = toPostgres(started, home, programs)
    if (copyOf === undefined) await query(postgres.url, ROLES)
    return postgres
  } catch (error) {
    await home.close()
    throw error
  }
}

/** The installed version, and whose processes its servers are. */
export async function findPostgres(): Promise<{ version: string; uid: number }> {
  const programs = getPostgres()
  const version = await readVersion({ ...programs, directory: tmpdir() })
  return { version, uid: programs.account?.uid ?? process.getuid?.() ?? 0 }
}

function toPostgres(
  { program, port, pid }: Started,
  home: TemporaryDirectory,
  programs: PostgresPrograms,
): Postgres {
  let current = pid
  return {
    ...databasesAt(port),
    directory: home.path,
    get pid() {
      return current
    },
    kill: () => killServer(current),
    freeze: () => void freezeServer(current),
    thaw: () => thawServer(current),
    async copyData() {
      await stopServer(current)
      return copyDataDirectory({ ...programs, directory: home.path })
    },
    async restart() {
      if (isRunning(current)) await stopServer(current)
      current = await startAgain(program)
    },
    stop: () => home.close(),
  }
}

/** What can be done with the databases of a running server. */
export function databasesAt(port: number): ServerDatabases {
  const url = urlOf(port, 'postgres', 'postgres')
  return {
    url,
    host: HOST,
    port,
    databaseUrl: (name, user = 'upvane') => urlOf(port, name, user),
    async createDatabase(name, { template = 'template1' } = {}) {
      await query(
        url,
        `create database ${pg.escapeIdentifier(name)} owner upvane_owner template ${pg.escapeIdentifier(template)}`,
      )
    },
    async dropDatabase(name) {
      await query(url, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    },
  }
}

// Checks the data directory, because another server that took the port first would respond too.
async function respondsAs(data: string, port: number): Promise<boolean> {
  try {
    const rows = await query<{ path: string }>(
      urlOf(port, 'postgres', 'postgres'),
      `select current_setting('data_directory') as path`,
    )
    return rows[0]?.path === data
  } catch {
    // Not ready yet, or never: then the server exits, and its log says why.
    return false
  }
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A connection that breaks while idle is not an error of this process.
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function urlOf(port: number, database: string, user: string): string {
  return `postgres://${encodeURIComponent(user)}@${HOST}:${port}/${encodeURIComponent(database)}`
}
