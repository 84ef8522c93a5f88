// Dumps a database in use from the installed PostgreSQL, restores it into another version and starts the service there:
// `node tools/restore-into.ts <folder of the other version's programs>`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../src/store/core/migrate.ts'
import { getPostgresFolder } from './services/executables.ts'
import { startPostgres } from './services/postgres.ts'
import { startStack } from './stack.ts'

const MAX_DUMP_BYTES = 64 * 1024 * 1024
const MONITORS = 20
const [folder = ''] = process.argv.slice(2)
const client = getPostgresFolder()

const from = await startStack({ nats: false })
const service = await from.start()
const created = await Promise.all(
  Array.from({ length: MONITORS }, (_, n) => createMonitor(service.baseUrl, n)),
)
assert.deepEqual(new Set(created), new Set([201]))
await service.stop()
const before = await count(from.databaseUrl)
const dump = execFileSync(join(client, 'pg_dump'), ['--dbname', from.databaseUrl], {
  maxBuffer: MAX_DUMP_BYTES,
})

process.env['TEST_POSTGRES_FOLDER'] = folder
const to = await startPostgres()
try {
  await to.createDatabase('upvane')
  const owner = to.databaseUrl('upvane', 'upvane_owner')
  const roles = ['upvane_app', 'upvane_engine', 'upvane_people']
  await run(owner, roles.map((role) => `create role ${role}`).join(';'))
  const admin = to.databaseUrl('upvane', 'postgres')
  execFileSync(join(client, 'psql'), ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '--dbname', admin], {
    input: dump,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const directory = join(import.meta.dirname, '../migrations')
  const serviceUrl = to.databaseUrl('upvane')
  assert.deepEqual(await migrate({ url: owner, directory, serviceUrl }), [])
  assert.deepEqual(await count(admin), before)
  const restored = await from.start('start', {
    env: { DATABASE_URL: serviceUrl, MIGRATE_DATABASE_URL: owner },
  })
  const response = await fetch(`${restored.baseUrl}/api/v1/monitors?limit=100`, {
    headers: { 'X-API-Key': from.keys.full },
  })
  const { data } = (await response.json()) as { data: unknown[] }
  assert.equal(data.length, MONITORS)
  console.log(`${before.tables} tables, ${before.rows} rows, ${dump.length} bytes restored`)
} finally {
  await from.stop()
  await to.stop()
}

async function createMonitor(baseUrl: string, n: number): Promise<number> {
  const response = await fetch(`${baseUrl}/api/v1/monitors`, {
    method: 'POST',
    headers: { 'X-API-Key': from.keys.full, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: `M ${n}`,
      type: 'HTTP',
      url: `${baseUrl}/docs`,
      intervalSeconds: 60,
    }),
  })
  return response.status
}

/** The number of our tables and of all their rows. */
async function count(url: string): Promise<{ tables: number; rows: number }> {
  const [sum] = await run<{ tables: number; rows: number }>(
    url,
    `select count(*)::int as tables, sum((xpath('/row/n/text()', query_to_xml(
              format('select count(*) as n from public.%I', relname), false, true, '')))[1]::text::int)::int as rows
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  if (sum === undefined) throw new Error('Nothing was counted')
  return sum
}

async function run<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  const { rows } = await connection.query<R>(text)
  await connection.end()
  return rows
}
