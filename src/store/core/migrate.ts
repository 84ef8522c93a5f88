// Migrates a database to the newest schema. Files are numbered, forward only, applied once, and never edited.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openDirectClient } from './connect.ts'
import { SERVICE_ROLES } from './db.ts'
import {
  findLocks,
  type PlannedMigration,
  planMigration,
  type TableLock,
} from './migration-plan.ts'
import { type Blocker, findLongBlockers, isLockConflict, pause, takeLocks } from './take-locks.ts'

/** A problem that the operator can fix. The message says how. */
export class MigrationError extends Error {}

type Migration = { name: string; sha256: string; text: string; inTransaction: boolean }

const NAME = /^\d{4}-[a-z0-9-]+\.sql$/
const NO_TRANSACTION = '-- no-transaction'
const LOCK_KEY = 7_287_162
const LOCK_POLL_MS = 200
const LOCK_WAIT_SECONDS = 120
const TABLES_WAIT_MS = 15 * 60_000
const BLOCKED_POLL_MS = 500
const RETRY_MS = 100
const MAX_RETRY_MS = 5000

export function readMigrations(directory: string): Migration[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  return names.toSorted().map((name, index) => {
    if (!NAME.test(name) || Number(name.slice(0, 4)) !== index + 1)
      throw new Error(`Migration ${name} is not number ${index + 1}`)
    const text = readFileSync(join(directory, name), 'utf8')
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { name, sha256, text, inTransaction: !text.startsWith(NO_TRANSACTION) }
  })
}

type MigrateOptions = {
  url: string
  directory: string
  serviceUrl?: string
  /** Called with what the migration waits for, once for each change. */
  onWait?: (message: string) => void
  tablesWaitMs?: number
}

/** Applies the pending migrations and returns their names. Safe to run from several places at once. */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, directory, serviceUrl } = options
  const migrations = readMigrations(directory)
  const client = await openDirectClient({
    connectionString: url,
    application_name: 'upvane-migrate',
  })
  try {
    await takeLock(client)
    const missing = findMissing(migrations, await readApplied(client))
    for (const migration of missing) await applyWithRetries(client, migration, options)
    await admitServiceLogin(client, serviceUrl)
    await letMeasure(client)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** Returns what `migrate` would do now, without doing it. */
export async function planMigrations(url: string, directory: string): Promise<PlannedMigration[]> {
  const migrations = readMigrations(directory)
  const client = await openDirectClient({
    connectionString: url,
    application_name: 'upvane-migrate',
  })
  try {
    const applied = (await hasRecord(client)) ? await readRecord(client) : new Map()
    const planned: PlannedMigration[] = []
    for (const migration of findMissing(migrations, applied))
      planned.push(await planMigration(client, migration))
    return planned
  } finally {
    await client.end()
  }
}

/** Returns the names of pending migrations. Throws a MigrationError if the database is newer. */
export async function listPending(url: string, directory: string): Promise<string[]> {
  const client = await openDirectClient({ connectionString: url })
  try {
    const applied = (await hasRecord(client)) ? await readRecord(client) : new Map()
    return findMissing(readMigrations(directory), applied).map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** True if no migration is pending. A process is not ready before that. */
export async function isMigrated(url: string, directory: string): Promise<boolean> {
  const client = await openDirectClient({ connectionString: url })
  try {
    if (!(await hasRecord(client))) return false
    const applied = await readRecord(client)
    return readMigrations(directory).every((migration) => applied.has(migration.name))
  } finally {
    await client.end()
  }
}

async function hasRecord(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as exists`,
  )
  return rows[0]?.exists === true
}

// Polls, because a session waiting inside pg_advisory_lock holds a snapshot. That would block a concurrent index build
// by the session that has the lock.
async function takeLock(client: pg.Client): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_SECONDS * 1000; waitedMs += LOCK_POLL_MS) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [LOCK_KEY],
    )
    if (rows[0]?.taken) return
    await pause(LOCK_POLL_MS)
  }
  throw new MigrationError(
    `Another upvane migrate has been running for ${LOCK_WAIT_SECONDS} s. Wait for it, then run this one again.`,
  )
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now());
    grant select on schema_migrations to public;`)
  return readRecord(client)
}

async function readRecord(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  )
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

function findMissing(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration.sha256]))
  for (const [name, sha256] of applied) {
    if (!known.has(name))
      throw new MigrationError(
        `The database is newer than this version: it has ${name}. Run upvane migrate of the newer version.`,
      )
    if (known.get(name) !== sha256)
      throw new MigrationError(`${name} was edited after it had been applied.`)
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

/** Waits for long transactions and retries on conflicts with short ones. A conflict leaves nothing behind. */
async function applyWithRetries(
  client: pg.Client,
  migration: Migration,
  { onWait, tablesWaitMs = TABLES_WAIT_MS }: MigrateOptions,
): Promise<void> {
  // A concurrent index build blocks nothing, and a failed one would leave an invalid index behind.
  if (!migration.inTransaction) return apply(client, migration, [])
  const endMs = performance.now() + tablesWaitMs
  for (let tries = 1, told = ''; ; tries++) {
    const locks = await findLocks(client, migration.text)
    const blockers = await findLongBlockers(client, locks)
    const reason = describeBlockers(blockers)
    if (blockers.length === 0) {
      const conflict = await apply(client, migration, locks).catch(passLockConflict)
      if (conflict === undefined) return
    } else if (reason !== told) onWait?.(`${migration.name} waits for ${reason}`)
    told = reason
    if (performance.now() > endMs) throw tooLong(migration, reason)
    const backOffMs = Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(tries, 10))
    await pause(blockers.length > 0 ? BLOCKED_POLL_MS : backOffMs * (0.5 + Math.random() / 2))
  }
}

function passLockConflict(error: unknown): Error {
  if (error instanceof Error && isLockConflict(error.cause)) return error
  throw error
}

function tooLong({ name }: Migration, reason: string): MigrationError {
  const who = reason === '' ? 'other transactions' : reason
  return new MigrationError(
    `Migration ${name} could not lock its tables because of ${who}. Nothing of it was applied; run upvane migrate again.`,
  )
}

function describeBlockers(blockers: readonly Blocker[]): string {
  return blockers
    .map(({ pid, application, table }) =>
      application === ''
        ? `process ${pid} that uses ${table}`
        : `process ${pid} (${application}) that uses ${table}`,
    )
    .join(', ')
}

async function apply(
  client: pg.Client,
  migration: Migration,
  locks: readonly TableLock[],
): Promise<void> {
  const record = 'insert into schema_migrations (name, sha256) values ($1, $2)'
  try {
    if (migration.inTransaction) {
      await client.query('begin')
      await takeLocks(client, locks)
    }
    await client.query(migration.text)
    await client.query(record, [migration.name, migration.sha256])
    if (migration.inTransaction) await client.query('commit')
  } catch (error) {
    if (migration.inTransaction) await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed`, { cause: error })
  }
}

/** The service's login switches roles with SET ROLE, so it must be a member of them. */
async function admitServiceLogin(client: pg.Client, serviceUrl?: string): Promise<void> {
  const login = serviceUrl ? decodeURIComponent(new URL(serviceUrl).username) : ''
  if (login === '') return
  const { rows } = await client.query<{ admitted: boolean }>(
    `select rolsuper or (select bool_and(pg_has_role(r.oid, role, 'member')) from unnest($2::text[]) role) as admitted
       from pg_roles r where rolname = $1`,
    [login, SERVICE_ROLES],
  )
  if (rows[0]?.admitted !== false) return
  await client.query(`grant ${SERVICE_ROLES.join(', ')} to ${pg.escapeIdentifier(login)}`)
}

const CANNOT_MEASURE = `
  select format('grant connect on database %I to upvane_engine', datname) as grant
    from pg_database, pg_roles r
   where datname = current_database() and r.rolname = 'upvane_engine'
     and pg_has_role(datdba, 'usage') and not has_database_privilege(r.oid, datname, 'connect')`

/** Reading the database size requires the CONNECT privilege, and roles.sql grants it only to the service's login. */
async function letMeasure(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ grant: string }>(CANNOT_MEASURE)
  for (const { grant } of rows) await client.query(grant)
}
