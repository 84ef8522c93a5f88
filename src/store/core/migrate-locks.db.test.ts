// A migration on a database in use: requests continue, and the locks are the announced ones.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MIGRATIONS } from '../../../tools/migrated-postgres.ts'
import { type Postgres, startPostgres } from '../../../tools/services/postgres.ts'
import { MigrationError, migrate, planMigrations, readMigrations } from './migrate.ts'
import { findLocks } from './migration-plan.ts'

const OLD = '0016'
const READER_MS = 6000
const REQUEST_TIMEOUT_MS = 4000
const PAUSE_MS = 40
const TOUCHED = ['monitors', 'monitor_states', 'alert_contacts', 'alert_troubles', 'incidents']

let postgres: Postgres
let directory: string
let databases = 0

before(async () => {
  postgres = await startPostgres()
  directory = mkdtempSync(join(tmpdir(), 'upvane-old-migrations-'))
  for (const file of readdirSync(MIGRATIONS).filter((name) => name.slice(0, 4) <= OLD))
    cpSync(join(MIGRATIONS, file), join(directory, file))
})
after(async () => {
  await postgres.stop()
  rmSync(directory, { recursive: true })
})

test('migrate: a long reader is waited for, and no request fails meanwhile', async () => {
  const url = await databaseAt(directory)
  const reader = await open(url, { application_name: 'pg_dump' })
  await reader.query('begin')
  for (const table of TOUCHED) await reader.query(`select count(*) from ${table}`)
  const requests = serve(url)
  const waits: string[] = []
  const startMs = performance.now()
  const migrating = migrate({
    url,
    directory: MIGRATIONS,
    onWait: (message) => waits.push(message),
  })
  migrating.catch(() => {})
  await sleep(READER_MS)
  await reader.query('commit')
  await reader.end()
  const applied = await migrating
  await sleep(500)
  const { failures, slowestMs, count } = await requests.stop()

  assert.deepEqual(failures, [])
  assert.ok(count > 50, `${count} requests`)
  assert.ok(slowestMs < 3000, `the slowest request took ${slowestMs} ms`)
  assert.ok(performance.now() - startMs > READER_MS)
  assert.equal(applied[0]?.slice(0, 4), '0017')
  assert.match(waits[0] ?? '', /^0017-.*waits for process \d+ \(pg_dump\) that uses monitor/)
})

test('migrate: a reader that does not end is named, and nothing of the migration stays', async () => {
  const url = await databaseAt(directory)
  const reader = await open(url, { application_name: 'psql' })
  await reader.query('begin; select from monitor_states')
  await assert.rejects(migrate({ url, directory: MIGRATIONS, tablesWaitMs: 700 }), {
    constructor: MigrationError,
    message: /^Migration 0017-.* because of process \d+ \(psql\) that uses monitor_states\. .*run/,
  })
  await reader.end()
  assert.equal((await migrate({ url, directory: MIGRATIONS }))[0]?.slice(0, 4), '0017')
})

test('migrate --plan: says what is locked, and changes nothing', async () => {
  const url = await databaseAt(directory)
  const plan = await planMigrations(url, MIGRATIONS)
  const [first, ...rest] = plan
  assert.equal(rest.length, readdirSync(MIGRATIONS).length - Number(OLD) - 1)
  const rewritten = first?.locks.find(({ table }) => table === 'monitor_states')
  assert.deepEqual([rewritten?.mode, rewritten?.blocks], ['ACCESS EXCLUSIVE', 'reads and writes'])
  assert.deepEqual(await planMigrations(url, MIGRATIONS), plan)
  const fresh = `plan_${databases++}`
  await postgres.createDatabase(fresh)
  const whole = await planMigrations(postgres.databaseUrl(fresh, 'upvane_owner'), MIGRATIONS)
  assert.equal(whole.length, readdirSync(MIGRATIONS).length)
})

test('migrate: every migration takes the locks that are announced, and no others', async () => {
  const name = `each_${databases++}`
  await postgres.createDatabase(name)
  const client = await open(postgres.databaseUrl(name, 'upvane_owner'))
  for (const migration of readMigrations(MIGRATIONS)) {
    const announced = await findLocks(client, migration.text)
    await client.query('begin')
    const { rows: tables } = await client.query<{ oid: number; name: string }>(
      `select oid::int, relname as name from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    )
    await client.query(migration.text)
    const names = new Map(tables.map(({ oid, name }) => [oid, name]))
    const { rows } = await client.query<{ root: number; mode: string; parent: string | null }>(
      LOCKS_HELD,
      [[...names.keys()]],
    )
    await client.query('commit')
    const expected = announced.map(({ table, mode }) => `${table} ${mode}`)
    const isAnnounced = (name?: string | null) => announced.some(({ table }) => table === name)
    const taken = rows
      .filter(({ root, parent }) => isAnnounced(names.get(root)) || !isAnnounced(parent))
      .map(({ root, mode }) => `${names.get(root)} ${mode}`)
    assert.deepEqual(taken.toSorted(), expected.toSorted(), migration.name)
  }
  await client.end()
})

// The strongest lock on each existing table, with partitions counted as their table. `parent` is the table it inherits
// from: PostgreSQL 18 locks both for one statement, and taking the announced lock takes both in every version.
const LOCKS_HELD = `
  with taken as (
    select coalesce(pg_partition_root(relation), relation)::oid as root,
           min(array_position(array['AccessExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock'], mode)) as mode
      from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and relation = any($1::oid[])
     group by 1)
  select root::int, (array['ACCESS EXCLUSIVE', 'SHARE ROW EXCLUSIVE', 'SHARE'])[mode] as mode, parent
    from taken
    left join lateral (select inhparent::regclass::text as parent from pg_inherits where inhrelid = root) i on true
   where mode is not null`

/** Short transactions like those of requests, in orders that would deadlock with a migration. */
function serve(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 8, statement_timeout: REQUEST_TIMEOUT_MS })
  const failures: string[] = []
  let slowestMs = 0
  let count = 0
  let isOn = true
  const work = async (tables: readonly string[]) => {
    while (isOn) {
      const startMs = performance.now()
      try {
        await request(pool, tables)
      } catch (error) {
        failures.push(String(error))
      }
      count++
      slowestMs = Math.max(slowestMs, performance.now() - startMs)
      await sleep(PAUSE_MS)
    }
  }
  const orders = [TOUCHED, TOUCHED.toReversed(), ['monitor_states', 'monitors'], ['incidents']]
  const workers = orders.map(work)
  return {
    async stop() {
      isOn = false
      await Promise.all(workers)
      await pool.end()
      return { failures, slowestMs, count }
    },
  }
}

async function request(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const table of tables) await client.query(`select count(*) from ${table}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function databaseAt(migrations: string): Promise<string> {
  const name = `used_${databases++}`
  await postgres.createDatabase(name)
  const url = postgres.databaseUrl(name, 'upvane_owner')
  await migrate({ url, directory: migrations })
  return url
}

async function open(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...config })
  await client.connect()
  return client
}
