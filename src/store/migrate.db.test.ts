import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { MIGRATIONS } from '../../test/db-kit/db-bench.ts'
import { type Postgres, startPostgres } from '../../tools/services/postgres.ts'
import { isMigrated, migrate } from './migrate.ts'

let postgres: Postgres
let directory: string
let databases = 0

before(async () => {
  postgres = await startPostgres()
  directory = mkdtempSync(join(tmpdir(), 'upvane-migrations-'))
})
after(async () => {
  await postgres.stop()
  rmSync(directory, { recursive: true })
})

test('migrate: brings an empty database to the newest version, and a second run does nothing', async () => {
  const { url, serviceUrl } = await emptyDatabase()
  assert.equal(await isMigrated(serviceUrl, MIGRATIONS), false)
  const all = readdirSync(MIGRATIONS).toSorted()
  assert.deepEqual(await migrate({ url, directory: MIGRATIONS, serviceUrl }), all)
  assert.equal(await isMigrated(serviceUrl, MIGRATIONS), true)
  assert.deepEqual(await migrate({ url, directory: MIGRATIONS, serviceUrl }), [])
})

test('migrate: of four runners at once one applies everything and the others wait for it', async () => {
  const { url, serviceUrl } = await emptyDatabase()
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => migrate({ url, directory: MIGRATIONS, serviceUrl })),
  )
  const all = readdirSync(MIGRATIONS).length
  assert.deepEqual(runs.map((applied) => applied.length).toSorted(), [0, 0, 0, all])
})

test('migrate: a file that was edited after it had been applied is refused', async () => {
  const { url } = await emptyDatabase()
  const copy = copyOf('edited', { '0001-first.sql': 'create table first (id int)' })
  await migrate({ url, directory: copy })
  writeFileSync(join(copy, '0001-first.sql'), 'create table first (id bigint)')
  await assert.rejects(migrate({ url, directory: copy }), /0001-first\.sql was edited/)
})

test('migrate: a database from a newer version is left alone', async () => {
  const { url } = await emptyDatabase()
  const newer = copyOf('newer', { '0001-first.sql': 'select 1', '0002-second.sql': 'select 2' })
  const older = copyOf('older', { '0001-first.sql': 'select 1' })
  await migrate({ url, directory: newer })
  await assert.rejects(migrate({ url, directory: older }), /0002-second\.sql.*does not know/)
})

test('migrate: a file that fails leaves nothing behind, and works once it is mended', async () => {
  const { url } = await emptyDatabase()
  const copy = copyOf('failing', {
    '0001-first.sql': 'create table first (id int)',
    '0002-second.sql': 'create table second (id int); select 1 / 0;',
  })
  await assert.rejects(migrate({ url, directory: copy }), /0002-second\.sql failed/)
  assert.deepEqual(await tablesOf(url), ['first', 'schema_migrations'])

  writeFileSync(join(copy, '0002-second.sql'), 'create table second (id int)')
  assert.deepEqual(await migrate({ url, directory: copy }), ['0002-second.sql'])
})

test('migrate: numbers follow one another, and names have one form', async () => {
  const { url } = await emptyDatabase()
  const rows = [
    { '0002-first.sql': 'select 1' },
    { '0001-first.sql': 'select 1', '0003-third.sql': 'select 3' },
    { '0001-first.sql': 'select 1', '0001-again.sql': 'select 1' },
    { '1-first.sql': 'select 1' },
  ]
  for (const [index, files] of rows.entries())
    await assert.rejects(
      migrate({ url, directory: copyOf(`odd-${index}`, files) }),
      /is not number/,
    )
})

test('migrate: what cannot run in a transaction says so in its first line', async () => {
  const { url } = await emptyDatabase()
  const copy = copyOf('index', {
    '0001-first.sql': 'create table first (id int)',
    '0002-index.sql': '-- no-transaction\ncreate index concurrently first_ids on first (id)',
  })
  assert.equal((await migrate({ url, directory: copy })).length, 2)
})

async function emptyDatabase() {
  const name = `empty_${databases++}`
  await postgres.createDatabase(name)
  return {
    url: postgres.databaseUrl(name, 'upvane_owner'),
    serviceUrl: postgres.databaseUrl(name),
  }
}

function copyOf(name: string, files: Record<string, string>): string {
  const copy = join(directory, name)
  mkdirSync(copy)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(copy, file), text)
  return copy
}

async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}
