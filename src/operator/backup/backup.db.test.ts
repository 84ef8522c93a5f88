// Backs up a database with rows and restores it into another one, with the commands of docs/operating/backup.md.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { MIGRATIONS } from '../../../tools/migrated-postgres.ts'
import { getPostgresFolder } from '../../../tools/services/executables.ts'
import { startPostgres } from '../../../tools/services/postgres.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { migrate } from '../../store/core/migrate.ts'
import { readBackupStatus } from '../../store/operating/backup-status.ts'
import { announceProcess } from '../../store/operating/processes.ts'
import { CommandContext } from '../cli/command.ts'
import { readCommandLine } from '../cli/command-line.ts'
import { UsageError } from '../cli/flags.ts'
import { operatorFault } from '../cli/operator-fault.ts'
import { OPERATOR_COMMANDS } from '../commands.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating/backup.md'), 'utf8')
const PASSWORD = `secret-${randomBytes(12).toString('hex')}`
const PROGRAMS = [getPostgresFolder(), process.env['PATH']].join(delimiter)
const directory = mkdtempSync(join(tmpdir(), 'upvane-backup-'))
const file = join(directory, 'upvane.dump')

type Ended = { code: number | null; stdout: string; stderr: string }

let fixture: DbFixture
let source: TestDatabase
let org = ''

before(async () => {
  fixture = await startDbFixture({ own: true })
  source = await fixture.openDatabase()
  org = toPublicId('org', await source.createOrganization())
  await source.createOrganization()
  await source.admin.query(`insert into regions (name) values ('eu-west')`)
  const running = { id: randomUUID(), name: 'all roles on a (7)', roles: ['api'], version: '0.2.0' }
  const row = { ...running, region: 'eu-west', settings: {}, conditions: [], reach: 0 }
  await announceProcess(source.engine, row, 14)
})
after(async () => {
  rmSync(directory, { recursive: true })
  await fixture.stop()
})

test('the documented backup: private files, a true record, an audit line, the password in no argument', async () => {
  const slow = makeProgram('pg_dump', `sleep 1; exec ${join(getPostgresFolder(), 'pg_dump')} "$@"`)
  const child = start(documented('upvane backup'), environmentOf(source.name, slow))
  const ended = collect(child)
  const seen = await watchArguments(ended)
  const { code, stdout, stderr } = await ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Backed up \d+ rows of \d+ tables/)
  if (process.platform === 'linux') {
    assert.ok(seen.some((line) => line.includes('--snapshot=')))
    assert.deepEqual(
      seen.filter((line) => line.includes(PASSWORD)),
      [],
    )
  }
  for (const path of [file, `${file}.json`]) assert.equal(statSync(path).mode & 0o777, 0o600)
  const record = readRecord()
  assert.equal(record.rows['organizations'], 2)
  assert.ok('results' in record.rows)
  const { rows } = await source.admin.query(
    `select action, detail ->> 'sha256' as sha256 from operator_log where action = 'backup'`,
  )
  assert.deepEqual(rows, [{ action: 'backup', sha256: record.sha256 }])
})

test('an existing file is not overwritten', async () => {
  const content = readFileSync(file)
  const { code, stderr } = await run(['backup', file], environmentOf(source.name))
  assert.equal(code, 2)
  assert.match(stderr, /upvane\.dump exists already\. A backup never overwrites a file\.\n$/)
  assert.deepEqual(readFileSync(file), content)
  const other = join(directory, 'other.dump')
  writeFileSync(`${other}.json`, '{}')
  assert.equal((await run(['backup', other], environmentOf(source.name))).code, 2)
  assert.equal(existsSync(other), false)
})

test('the documented restore: every row but the processes of then, the grants of the service, and an audit line', async () => {
  await fixture.postgres.createDatabase('restored')
  const environment = environmentOf('restored')
  const { code, stdout, stderr } = await collect(start(documented('upvane restore'), environment))
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Restored \d+ rows of \d+ tables, schema \d{4}-.+ No migration was needed/)
  const listed = await collect(start(documented('upvane org list'), environment))
  assert.equal(listed.code, 0, listed.stderr)
  assert.ok(listed.stdout.includes(org))
  assert.deepEqual(await query('restored', 'select * from organizations order by id'), [
    ...(await query(source.name, 'select * from organizations order by id')),
  ])
  assert.equal((await query(source.name, 'select from processes')).length, 1)
  assert.deepEqual(await query('restored', 'select name from processes'), [], 'one that died')
  const lines = await query(
    'restored',
    `select action from operator_log where action <> 'org create'`,
  )
  assert.deepEqual(lines, [{ action: 'restore' }])
  const owners = await query(
    'restored',
    `select distinct tableowner from pg_tables where schemaname = 'public'`,
  )
  assert.deepEqual(owners, [{ tableowner: 'upvane_owner' }])
})

test('another server without the roles gets them; an account that may not create roles is told', async () => {
  const server = await startPostgres()
  try {
    await server.createDatabase('fresh')
    const environment = {
      ...environmentOf('fresh'),
      DATABASE_URL: server.databaseUrl('fresh'),
      MIGRATE_DATABASE_URL: server.databaseUrl('fresh', 'upvane_owner'),
    }
    await query('postgres', 'alter role upvane_owner nocreaterole', server.url)
    const refused = await run(['restore', file], environment)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^This account may not create the roles upvane_app, .+ Nothing/)
    await query('postgres', 'alter role upvane_owner createrole', server.url)
    const { code, stdout, stderr } = await run(['restore', file, '--json'], environment)
    assert.equal(code, 0, stderr)
    assert.equal((JSON.parse(stdout) as { createdRoles: string[] }).createdRoles.length, 3)
  } finally {
    await server.stop()
  }
})

test('an older backup is brought to this version', async () => {
  const older = mkdtempSync(join(directory, 'migrations-'))
  const [newest = '', ...rest] = readdirSync(MIGRATIONS).toSorted().toReversed()
  for (const name of rest) cpSync(join(MIGRATIONS, name), join(older, name))
  await fixture.postgres.createDatabase('older')
  await migrate({
    url: fixture.postgres.databaseUrl('older', 'upvane_owner'),
    directory: older,
  })
  const dump = join(directory, 'older.dump')
  assert.equal((await run(['backup', dump], environmentOf('older'))).code, 0)
  await fixture.postgres.createDatabase('newer')
  const { code, stdout, stderr } = await run(['restore', dump], environmentOf('newer'))
  assert.equal(code, 0, stderr)
  const { schema, applied } = JSON.parse(stdout) as { schema: string; applied: string[] }
  assert.deepEqual([schema, applied], [rest[0], [newest]])
})

test('the database of 0.1.0, which has no operator log, is backed up before its upgrade', async () => {
  const first = mkdtempSync(join(directory, 'migrations-'))
  for (const name of readdirSync(MIGRATIONS).filter((one) => one < '0022'))
    cpSync(join(MIGRATIONS, name), join(first, name))
  await fixture.postgres.createDatabase('first')
  await migrate({
    url: fixture.postgres.databaseUrl('first', 'upvane_owner'),
    directory: first,
  })
  const dump = join(directory, 'first.dump')
  const { code, stderr } = await run(['backup', dump], environmentOf('first'))
  assert.equal(code, 0, stderr)
  assert.ok(existsSync(`${dump}.json`))
})

test('a database that is not empty is refused and stays as it is', async () => {
  const organizations = await query(source.name, 'select count(*) from organizations')
  const refused = await run(['restore', file], environmentOf(source.name))
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /is not empty: it has \d+ tables/)
  assert.deepEqual(await query(source.name, 'select count(*) from organizations'), organizations)
  await fixture.postgres.createDatabase('one_function')
  await query('one_function', `create function f() returns int language sql as 'select 1'`)
  assert.match((await run(['restore', file], environmentOf('one_function'))).stderr, /has 1 tables/)
})

test('a changed file, a newer schema, a lost record and other counts are refused', async () => {
  await fixture.postgres.createDatabase('target')
  const attempt = async (change: (copy: string) => void) => {
    const copy = join(directory, `copy-${randomBytes(4).toString('hex')}.dump`)
    cpSync(file, copy)
    cpSync(`${file}.json`, `${copy}.json`)
    change(copy)
    return run(['restore', copy], environmentOf('target'))
  }
  const rewrite = (copy: string, change: object) =>
    writeFileSync(`${copy}.json`, JSON.stringify({ ...readRecord(), ...change }))

  const changed = await attempt((copy) => {
    const bytes = readFileSync(copy)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    writeFileSync(copy, bytes)
  })
  assert.equal(changed.code, 2)
  assert.match(changed.stderr, /is not the file that upvane backup wrote/)
  const newer = await attempt((copy) => rewrite(copy, { schema: '9999-from-the-future.sql' }))
  assert.equal(newer.code, 2)
  assert.match(newer.stderr, /newer than this version of Upvane: its schema is 9999-from/)
  const lost = await attempt((copy) => rmSync(`${copy}.json`))
  const unreadable = await attempt((copy) => {
    rmSync(copy)
    mkdirSync(copy)
    rewrite(copy, { bytes: statSync(copy).size })
  })
  assert.equal(unreadable.code, 2)
  assert.match(unreadable.stderr, /^\S+\.dump cannot be read: EISDIR/)
  assert.match(lost.stderr, /\.json does not exist\. upvane backup writes it/)
  const odd = await attempt((copy) => writeFileSync(`${copy}.json`, '[]'))
  assert.match(odd.stderr, /is not the description of a backup/)
  assert.deepEqual(await query('target', `select 1 from pg_tables where schemaname = 'public'`), [])
  const counts = { ...readRecord().rows, organizations: 3 }
  const different = await attempt((copy) => rewrite(copy, { rows: counts }))
  assert.equal(different.code, 1)
  assert.match(different.stderr, /not those of the backup: organizations 2 instead of 3\. Do not/)
})

test('missing, old and failing programs are reported in a sentence and leave no file', async () => {
  const target = join(directory, 'none.dump')
  const attempt = (path: string) => run(['backup', target], environmentOf(source.name, path))
  const missing = await attempt(directory)
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /^pg_dump was not found on this machine\. Install/)
  const old = await attempt(makeProgram('pg_dump', 'echo "pg_dump (PostgreSQL) 9.6.1"'))
  assert.equal(old.code, 2)
  assert.match(old.stderr, /^pg_dump on this machine is version 9, and the server is version \d\d/)
  const full = makeProgram(
    'pg_dump',
    '[ "$1" = --version ] && echo "(PostgreSQL) 99" && exit; echo no space >&2; exit 1',
  )
  const failing = await collect(start(['backup', target], environmentOf(source.name, full)))
  assert.equal(failing.code, 1)
  assert.equal(failing.stderr, 'pg_dump failed with code 1:\n  no space\n')
  assert.deepEqual([existsSync(target), existsSync(`${target}.json`)], [false, false])
})

test('a backup of a timer is watched: what fails, what is old, and what ends it', async () => {
  const database = await fixture.openDatabase()
  const status = () => readBackupStatus(database.engine)
  const attempt = (name: string, more: NodeJS.ProcessEnv = {}, ...options: string[]) =>
    run(['backup', ...options, join(directory, name)], { ...environmentOf(database.name), ...more })
  const NONE = { isScheduled: false, ageSeconds: null, hasFailed: false }
  assert.deepEqual(await status(), NONE)
  assert.equal((await attempt('by-hand.dump', { PATH: directory })).code, 2)
  assert.deepEqual(await status(), NONE, 'whoever runs it sees that it fails')
  assert.equal((await attempt('by-hand.dump')).code, 0)
  assert.equal((await status()).isScheduled, false)

  const wrong = { MIGRATE_DATABASE_URL: 'postgres://upvane_owner@127.0.0.1:9/upvane' }
  assert.equal((await attempt('night-1.dump', wrong, '--scheduled')).code, 1)
  const first = { isScheduled: true, hasFailed: true }
  const { ageSeconds: byHand, ...failed } = await status()
  assert.deepEqual(failed, first, 'also if the login of the owner fails')
  assert.ok(byHand !== null)
  assert.equal((await attempt('by-hand-2.dump')).code, 0)
  assert.equal((await status()).hasFailed, false)
  assert.equal((await attempt('night-2.dump', { PATH: directory }, '--scheduled')).code, 2)
  assert.equal((await status()).hasFailed, true)
  assert.equal((await attempt('night-3.dump', {}, '--scheduled')).code, 0)
  const { ageSeconds, ...newest } = await status()
  assert.deepEqual(newest, { isScheduled: true, hasFailed: false })
  assert.ok(ageSeconds !== null && ageSeconds >= 0 && ageSeconds < 600)

  await database.admin.query(`update operator_log set at = now() - interval '3 days'`)
  assert.equal(Math.round((await status()).ageSeconds ?? 0), 3 * 86_400)
  await database.admin.query(`insert into operator_log (operator, action) values ('x', 'restore')`)
  assert.ok(((await status()).ageSeconds ?? 900) < 600, 'a database that was just restored')
})

test('newer client programs restore into an older server, all of it or nothing', async (t) => {
  const [{ major } = { major: 0 }] = (await query(
    'postgres',
    `select current_setting('server_version_num')::int / 10000 as major`,
  )) as { major: number }[]
  if (major >= 17) return t.skip('programs of 17 and newer set what this server knows')
  await fixture.postgres.createDatabase('by_newer')
  const attempt = (output: string) =>
    run(['restore', file], environmentOf('by_newer', makeNewerRestore(output)))
  const broken = await attempt('head -n 400; exit 1')
  assert.equal(broken.code, 1)
  assert.match(broken.stderr, /^pg_restore failed with code 1/)
  const refused = await attempt('cat; echo "select nonsense;"')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^psql failed with code 3:\n {2}ERROR: {2}column "nonsense"/)
  assert.deepEqual(
    await query('by_newer', `select 1 from pg_tables where schemaname = 'public'`),
    [],
  )
  const { code, stderr } = await attempt('cat')
  assert.equal(code, 0, stderr)
  assert.equal((await query('by_newer', 'select 1 from organizations')).length, 2)
})

test('the account of the service, which does not see all rows, is refused', async () => {
  const { code, stderr } = await run(['backup', join(directory, 'partial.dump')], {
    ...environmentOf(source.name),
    MIGRATE_DATABASE_URL: fixture.postgres.databaseUrl(source.name),
  })
  assert.equal(code, 1)
  assert.match(stderr, /^Only the owner of the tables sees all rows\./)
})

/** The arguments of a command in the document, with our directory. */
function documented(command: string): string[] {
  const line = DOCUMENT.split('\n').find((each) => each.startsWith(command))
  assert.ok(line !== undefined, `docs/operating/backup.md has no ${command}`)
  return line.replaceAll('/var/backups', directory).split(' ').slice(1)
}

function environmentOf(database: string, path = PROGRAMS): NodeJS.ProcessEnv {
  const [[kid, key] = []] = [...source.masterKeys.byId]
  const owner = new URL(fixture.postgres.databaseUrl(database, 'upvane_owner'))
  owner.password = PASSWORD
  return {
    PATH: path,
    ...COMPILE_CACHE,
    DATABASE_URL: fixture.postgres.databaseUrl(database),
    MIGRATE_DATABASE_URL: owner.href,
    MASTER_KEYS: `${kid}:${key?.toString('base64')}`,
  }
}

/** A PATH that starts with a program of this content. */
function makeProgram(name: string, script: string): string {
  const folder = mkdtempSync(join(directory, 'bin-'))
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  return [folder, PROGRAMS].join(delimiter)
}

/**
 * A pg_restore that sets what servers before 17 do not know, as real ones since 17 do. `output` receives its script.
 */
function makeNewerRestore(output: string): string {
  return makeProgram(
    'pg_restore',
    `[ "$1" = --version ] && echo "pg_restore (PostgreSQL) 17.1" && exit
     case "$*" in *--dbname*) echo 'unrecognized configuration parameter "transaction_timeout"' >&2; exit 1;; esac
     ${join(getPostgresFolder(), 'pg_restore')} "$@" | sed '/^SET transaction_timeout = 0;$/d; s/^SET lock_timeout = 0;$/&\\nSET transaction_timeout = 0;/' | { ${output}; }`,
  )
}

function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], { env, cwd: directory })
}

async function collect(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** In this process, which is much faster than starting one. Exit codes match src/main.ts. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const line = readCommandLine(OPERATOR_COMMANDS, args)
  const context = new CommandContext(line.flags, line.args, env)
  try {
    return { code: 0, stdout: JSON.stringify(await line.command.run(context)), stderr: '' }
  } catch (error) {
    if (error instanceof UsageError) return { code: 2, stdout: '', stderr: `${error.message}\n` }
    const fault = operatorFault(error)
    if (fault === undefined) throw error
    return { code: 1, stdout: '', stderr: `${fault}\n` }
  } finally {
    await context.close()
  }
}

/** The arguments of all processes on this machine, until the command has ended. */
async function watchArguments(ended: Promise<Ended>): Promise<string[]> {
  const seen = new Set<string>()
  let running = process.platform === 'linux'
  const stop = () => {
    running = false
  }
  void ended.then(stop, stop)
  while (running) {
    for (const pid of readdirSync('/proc').filter((name) => Number(name) > 0))
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
      } catch {
        // The process has ended meanwhile.
      }
    await delay(20)
  }
  return [...seen]
}

function readRecord(): { sha256: string; rows: Record<string, number> } {
  return JSON.parse(readFileSync(`${file}.json`, 'utf8'))
}

async function query(database: string, text: string, url?: string): Promise<unknown[]> {
  const connectionString = url ?? fixture.postgres.databaseUrl(database, 'postgres')
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
