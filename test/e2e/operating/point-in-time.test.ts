// Recovers a moment between two writes and moves it to another server, with the commands of docs/operating/backup.md.
// RESTORE_MAJOR=18 moves it to that version of PostgreSQL: npm run long backup.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { findClientPrograms } from '../../../tools/postgres-clients.ts'
import { findEmbeddedPostgres } from '../../../tools/services/embedded-postgres.ts'
import { getPostgresFolder } from '../../../tools/services/executables.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import { type Postgres, startPostgres } from '../../../tools/services/postgres.ts'
import { until } from '../webhooks/fixture.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating/backup.md'), 'utf8')
const BLOCK = /```sh test=test\/e2e\/operating\/point-in-time\.test\.ts\n([^`]*)```/g
const MAJOR = process.env['RESTORE_MAJOR']
const INSTANT = '2026-11-16 03:00:00+00'
const directory = mkdtempSync(join(tmpdir(), 'upvane-point-in-time-'))
const OWNER_FILE = join(directory, 'secrets/migrate_database_url')
const folder = getPostgresFolder()
const programsOf = new Map<Postgres, string>()
const keys = `k1:${randomBytes(32).toString('base64')}`
after(() => rmSync(directory, { recursive: true }))

// The commands are meant for an administrator on the database machine.
const skip = process.getuid?.() !== 0 && 'needs root'

test('a moment between two writes, moved to another server', { skip }, async (t) => {
  const [archive, base, recover, dump, restore, ...rest] = blocks()
  assert.deepEqual(rest, [])
  prepareDirectory()
  const source = await startPostgres({ durable: true })
  const words = await wordsOf(source)
  try {
    await source.createDatabase('upvane')
    writeFileSync(OWNER_FILE, source.databaseUrl('upvane', 'upvane_owner'))
    await run('upvane migrate', source, words)
    await run(archive, source, words)
    await source.restart()
    await run(base, source, words)

    await run('upvane org create --name Before', source, words)
    words[INSTANT] = await instantOf(source)
    await run('upvane org create --name After', source, words)
    await untilArchived(source)

    await run(recover, source, words)
    await run(dump, source, words)
  } finally {
    await source.stop()
  }
  const target = await startTarget()
  try {
    await target.createDatabase('upvane')
    writeFileSync(OWNER_FILE, target.databaseUrl('upvane', 'upvane_owner'))
    const output = await run(restore, target, words)
    assert.match(output, /Restored \d+ rows/)
    assert.match(output, /Before/)
    assert.doesNotMatch(output, /After/)
    const version = await ask(target, 'show server_version')
    t.diagnostic(`restored into PostgreSQL ${version}`)
    assert.ok(version.startsWith(MAJOR ?? ''))
  } finally {
    await target.stop()
  }
})

function blocks(): string[] {
  return [...DOCUMENT.matchAll(BLOCK)].map(([, text = '']) => text)
}

function prepareDirectory(): void {
  chmodSync(directory, 0o755)
  for (const name of ['bin', 'secrets']) mkdirSync(join(directory, name))
  const program = `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'src/main.ts')} "$@"\n`
  writeFileSync(join(directory, 'bin/upvane'), program, { mode: 0o755 })
}

/** The placeholders in the document, and their values here. */
async function wordsOf(source: Postgres): Promise<Record<string, string>> {
  return {
    '/etc/postgresql/15/main': join(source.directory, 'data'),
    '/usr/lib/postgresql/15/bin': folder,
    '/etc/upvane/secrets': join(directory, 'secrets'),
    '/var/backups': directory,
    ':5432': `:${source.port}`,
    '5433': String(await findFreePort()),
  }
}

async function run(
  script: string | undefined,
  server: Postgres,
  words: Record<string, string>,
): Promise<string> {
  assert.ok(script !== undefined, 'docs/operating/backup.md has fewer commands')
  const text = Object.entries(words).reduce(
    (left, [word, ours]) => left.replaceAll(word, ours),
    script,
  )
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-euc', text], {
    cwd: '/',
    env: environmentOf(server),
  })
  return stdout
}

function environmentOf(server: Postgres): NodeJS.ProcessEnv {
  const programs = programsOf.get(server) ?? folder
  return {
    PATH: [join(directory, 'bin'), programs, process.env['PATH']].join(delimiter),
    ...COMPILE_CACHE,
    PGHOST: server.directory,
    PGPORT: String(server.port),
    MASTER_KEYS: keys,
    DATABASE_URL: server.databaseUrl('upvane'),
    MIGRATE_DATABASE_URL_FILE: OWNER_FILE,
  }
}

/** A moment after everything committed so far, and before everything that is not. */
async function instantOf(source: Postgres): Promise<string> {
  await sleep(1000)
  const instant = await ask(source, 'select clock_timestamp()::text')
  await sleep(1000)
  return instant
}

async function untilArchived(source: Postgres): Promise<void> {
  const last = await ask(source, 'select pg_walfile_name(pg_switch_wal())')
  const wal = join(directory, 'postgresql/wal')
  await until('the archive', async () => readdirSync(wal).includes(last))
}

async function startTarget(): Promise<Postgres> {
  if (MAJOR === undefined) return startPostgres()
  const embedded = findEmbeddedPostgres()
  assert.ok(embedded !== undefined)
  const client = findClientPrograms(MAJOR)
  assert.ok(client !== undefined)
  process.env['TEST_POSTGRES_FOLDER'] = embedded
  const target = await startPostgres()
  programsOf.set(target, client)
  return target
}

async function ask(server: Postgres, text: string): Promise<string> {
  const connection = new pg.Client({ connectionString: server.url })
  await connection.connect()
  try {
    const { rows } = await connection.query({ text, rowMode: 'array' })
    return String(rows[0]?.[0])
  } finally {
    await connection.end()
  }
}
