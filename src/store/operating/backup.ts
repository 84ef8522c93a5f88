// The database side of backup and restore; pg_dump and pg_restore do the rest.
import pg from 'pg'
import { openDirectClient } from '../core/connect.ts'
import { SERVICE_ROLES } from '../core/db.ts'
import { MigrationError } from '../core/migrate.ts'

export type RowCounts = Record<string, number>

export type Snapshot = {
  /** For pg_dump, which then sees exactly the rows that were counted. */
  id: string
  serverMajor: number
  /** The newest migration. */
  schema: string
  rows: RowCounts
}

type RestoreTarget = { serverMajor: number; objects: number }

const TABLES = `
  select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
   order by relname`
// Ignores extensions installed by the database provider.
const OBJECTS = `
  select count(*)::int as objects from (
    select oid, 'pg_class'::regclass as catalog, relnamespace as namespace from pg_class
    union all select oid, 'pg_proc'::regclass, pronamespace from pg_proc) found
    join pg_namespace n on n.oid = found.namespace
   where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
     and not exists (select from pg_depend d
                      where d.classid = found.catalog and d.objid = found.oid and d.deptype = 'e')`
const OWNED = `
  select pg_has_role(relowner, 'usage') as owned from pg_class
   where oid = to_regclass('public.schema_migrations')`

/** Runs `work` while the snapshot is valid. */
export async function withSnapshot<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withClient(url, async (client) => {
    await requireOwner(client)
    await client.query('begin isolation level repeatable read read only')
    await client.query(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    )
    const { rows } = await client.query<{ id: string; schema: string | null }>(
      'select pg_export_snapshot() as id, (select max(name) from schema_migrations) as schema',
    )
    const { id = '', schema } = rows[0] ?? {}
    if (typeof schema !== 'string')
      throw new MigrationError('The database has no schema yet: there is nothing to back up.')
    const serverMajor = await readServerMajor(client)
    return work({ id, schema, serverMajor, rows: await countTables(client) })
  })
}

/** Counts the objects already in the database, including functions. */
export async function inspectTarget(url: string): Promise<RestoreTarget> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ objects: number }>(OBJECTS)
    return { serverMajor: await readServerMajor(client), objects: rows[0]?.objects ?? 0 }
  })
}

/** A dump grants privileges to these roles but does not contain them. Returns the ones that were missing. */
export async function createMissingRoles(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) name
        where not exists (select from pg_roles where rolname = name)`,
      [SERVICE_ROLES],
    )
    const missing = rows.map(({ name }) => name)
    for (const name of missing)
      await client.query(`create role ${pg.escapeIdentifier(name)} nologin`).catch(explainRefusal)
    return missing
  })
}

/** Counts the rows of every table, including its partitions. */
export async function countRows(url: string): Promise<RowCounts> {
  return withClient(url, countTables)
}

/** Those of the backup run elsewhere, or no longer: none of them died in this database. */
export async function forgetRestoredProcesses(url: string): Promise<void> {
  await withClient(url, (client) => client.query('delete from processes'))
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof Error && 'code' in error && error.code === '42501')) throw error
  throw new MigrationError(
    `This account may not create the roles ${SERVICE_ROLES.join(', ')}. Create them as the administrator (create role … nologin), then run upvane restore again. Nothing was restored.`,
  )
}

async function requireOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owned: boolean }>(OWNED)
  if (rows.length === 0)
    throw new MigrationError('The database has no schema yet: there is nothing to back up.')
  if (rows[0]?.owned !== true)
    throw new MigrationError(
      'Only the owner of the tables sees all rows. Set MIGRATE_DATABASE_URL to the address of upvane_owner.',
    )
}

async function readServerMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  return Math.floor((rows[0]?.version ?? 0) / 10_000)
}

async function countTables(client: pg.Client): Promise<RowCounts> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  const counts: RowCounts = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ n: string }>(
      `select count(*) as n from public.${pg.escapeIdentifier(name)}`,
    )
    counts[name] = Number(rows[0]?.n)
  }
  return counts
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openDirectClient({
    connectionString: url,
    application_name: 'upvane-backup',
  })
  // If the connection breaks while pg_dump runs, the next query reports it.
  client.on('error', () => {})
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
