// Brings a database to the newest schema: numbered files, forward only, each applied once and never edited.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type Migration = { name: string; sha256: string; text: string; inTransaction: boolean }

const NAME = /^\d{4}-[a-z0-9-]+\.sql$/
const NO_TRANSACTION = '-- no-transaction'
const LOCK_KEY = 7_287_162
const SERVICE_ROLES = ['upvane_app', 'upvane_engine', 'upvane_people']
const LOCK_POLL_MS = 200
const LOCK_WAIT_SECONDS = 120

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

export type MigrateOptions = { url: string; directory: string; serviceUrl?: string }

/** Applies what is missing and returns its names. Safe to run from several places at once. */
export async function migrate({ url, directory, serviceUrl }: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(directory)
  const client = new pg.Client({ connectionString: url, application_name: 'upvane-migrate' })
  await client.connect()
  try {
    await takeLock(client)
    const applied = await readApplied(client)
    refuseEdited(migrations, applied)

    const missing = migrations.filter((migration) => !applied.has(migration.name))
    for (const migration of missing) await apply(client, migration)
    await admitServiceLogin(client, serviceUrl)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** True when nothing is missing; a process does not become ready before that. */
export async function isMigrated(url: string, directory: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('public.schema_migrations') is not null as exists`,
    )
    if (!rows[0]?.exists) return false
    const { rows: names } = await client.query<{ name: string }>(
      'select name from schema_migrations',
    )
    const applied = new Set(names.map((row) => row.name))
    return readMigrations(directory).every((migration) => applied.has(migration.name))
  } finally {
    await client.end()
  }
}

// Polled, because a session that waits inside pg_advisory_lock holds a snapshot that would block a
// concurrent index build of the one that has the lock.
async function takeLock(client: pg.Client): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_SECONDS * 1000; waitedMs += LOCK_POLL_MS) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) as taken',
      [LOCK_KEY],
    )
    if (rows[0]?.taken) return
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
  }
  throw new Error(`Another migration has held the lock for ${LOCK_WAIT_SECONDS} s`)
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now());
    grant select on schema_migrations to public;`)
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  )
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

function refuseEdited(migrations: Migration[], applied: Map<string, string>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.sha256]))
  for (const [name, sha256] of applied) {
    if (!known.has(name))
      throw new Error(`The database has ${name}, which this version does not know`)
    if (known.get(name) !== sha256) throw new Error(`${name} was edited after it had been applied`)
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const record = 'insert into schema_migrations (name, sha256) values ($1, $2)'
  try {
    if (migration.inTransaction) await client.query('begin')
    await client.query(migration.text)
    await client.query(record, [migration.name, migration.sha256])
    if (migration.inTransaction) await client.query('commit')
  } catch (error) {
    if (migration.inTransaction) await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed`, { cause: error })
  }
}

/** The service's login takes its roles by SET ROLE; who migrates lets it in. */
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
