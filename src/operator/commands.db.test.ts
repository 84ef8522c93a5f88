// Every changing command writes an entry to the operator log. A command in the table without a case here fails.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type DbFixture, startDbFixture, type TestDatabase } from '../../test/db-kit/db-fixture.ts'
import { makeSignedRelease, makeSigningKeys } from '../../test/kit/signed-release.ts'
import { COMPILE_CACHE } from '../../tools/compile-cache.ts'
import { getPostgresFolder } from '../../tools/services/executables.ts'
import { toPublicId } from '../domain/values/id.ts'
import { Database } from '../store/core/db.ts'
import { insertUser } from '../store/people/users.ts'
import { CommandContext } from './cli/command.ts'
import { readCommandLine } from './cli/command-line.ts'
import { UsageError } from './cli/flags.ts'
import { manualOf } from './cli/manual.ts'
import { OPERATOR_COMMANDS } from './commands.ts'

let fixture: DbFixture
let database: TestDatabase
let environment: NodeJS.ProcessEnv
let org = ''
const directory = mkdtempSync(join(tmpdir(), 'upvane-commands-'))

before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
  org = toPublicId('org', await database.createOrganization())
  const [[kid, key] = []] = [...database.masterKeys.byId]
  environment = {
    PATH: [getPostgresFolder(), process.env['PATH']].join(delimiter),
    ...COMPILE_CACHE,
    DATABASE_URL: fixture.postgres.databaseUrl(database.name),
    MIGRATE_DATABASE_URL: fixture.postgres.databaseUrl(database.name, 'upvane_owner'),
    MASTER_KEYS: `${kid}:${key?.toString('base64')}`,
  }
})
after(async () => {
  rmSync(directory, { recursive: true })
  await fixture.stop()
})

const RESTORED = 'restored'

function keyFile(): string {
  const file = join(directory, 'move.key')
  writeFileSync(file, Buffer.alloc(32, 7).toString('base64'))
  return file
}

function signedRelease(): string[] {
  const { open, secret } = makeSigningKeys(directory, 'release')
  const release = join(directory, 'release')
  makeSignedRelease(release, ['provenance.json'], { secret })
  return [release, '--key', open]
}

/** The arguments for each command, created when it runs. */
const CASES: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
  migrate: () => [],
  backup: () => [join(directory, 'upvane.dump')],
  restore: async () => {
    const file = join(directory, 'to-restore.dump')
    await run('backup', [file])
    await fixture.postgres.createDatabase(RESTORED)
    return [file]
  },
  'config check': () => [],
  'config print': () => [],
  doctor: () => [],
  'org create': () => ['--name', 'Made'],
  'org change': () => [org, '--plan', 'PRO'],
  'org rename': () => [org, 'Another name'],
  'org set-region': async () => {
    await database.admin.query(`insert into regions (name) values ('eu-west')`)
    return [org, 'eu-west']
  },
  'org export': () => [org, '--file', join(directory, 'org.json')],
  'org delete': async () => [toPublicId('org', await database.createOrganization()), '--yes'],
  'org move export': async () => [
    toPublicId('org', await database.createOrganization()),
    '--file',
    join(directory, 'out.move'),
    '--key-file',
    keyFile(),
  ],
  'org move import': async () => {
    const moved = toPublicId('org', await database.createOrganization())
    const file = join(directory, 'in.move')
    await run('org move export', [moved, '--file', file, '--key-file', keyFile()])
    await run('org delete', [moved, '--yes'])
    return [file, '--key-file', keyFile()]
  },
  'org move undo': async () => {
    const moved = await database.createOrganization()
    await database.admin.query(
      'update organizations set deleted_at = now(), moved_at = now() where id = $1',
      [moved],
    )
    return [toPublicId('org', moved), '--yes']
  },
  'org list': () => [],
  'key create': () => ['--org', org, '--name', 'Key'],
  'key list': () => [org],
  'key disable': async () => [await makeKey()],
  'key revoke': async () => [await makeKey()],
  'person list': () => [],
  'person invite': () => ['new@example.com', '--org', org],
  'person reset-link': async () => [await addPerson('reset@example.com')],
  'person disable': async () => [await addPerson('disable@example.com')],
  'person enable': async () => {
    const email = await addPerson('enable@example.com')
    await database.admin.query('update users set disabled_at = now() where email = $1', [email])
    return [email]
  },
  'person export': async () => [
    await addPerson('export@example.com'),
    '--file',
    join(directory, 'person.json'),
  ],
  'person delete': async () => [await addPerson('delete@example.com'), '--yes'],
  'person remove-second-factor': async () => {
    const email = await addPerson('factor@example.com')
    await database.admin.query(`update users set totp_seed = '\\x00' where email = $1`, [email])
    return [email]
  },
  'operator add': async () => [await addPerson('operator@example.com')],
  'operator remove': async () => {
    const email = await addPerson('former@example.com')
    await run('operator add', [email])
    return [email]
  },
  'operator list': () => [],
  'nats setup': () => ['--dir', directory],
  'region add': () => ['eu-west', '--nats-url', 'tls://nats.example.com:4222'],
  'region list': () => [],
  'region remove': async () => {
    await database.admin.query(
      `insert into probes (region, name, last_seen_at) values ('closed', 'probe-1', now() - interval '1 minute')`,
    )
    return ['closed']
  },
  'probe list': () => [],
  'probe revoke': async () => {
    await database.admin.query(
      `insert into probes (region, name, public_key) values ('eu-west', 'eu-west-1', 'U')`,
    )
    return ['eu-west-1']
  },
  'verify-release': () => signedRelease(),
  'rotate-keys': async () => {
    await database.admin.query('update organization_keys set updated_at = now()')
    return []
  },
}

test('every command has a case here', () => {
  assert.deepEqual(
    OPERATOR_COMMANDS.map(({ name }) => name).toSorted(),
    Object.keys(CASES).toSorted(),
  )
})

for (const command of OPERATOR_COMMANDS)
  test(`${command.name}: what changes something is in the operator log`, async () => {
    const typed = await CASES[command.name]?.()
    assert.ok(typed !== undefined, 'no case')
    const before = await fingerprints()
    const lines = await countLines(command.name)
    await run(command.name, typed, environmentOf(command.name))
    const changed = await changedSince(before)
    const added = (await countLines(command.name)) - lines
    if (changed.length > 0) {
      assert.ok(command.changes, `it changes ${changed.join(', ')} and does not say so`)
      assert.equal(added, 1, `it changed ${changed.join(', ')} and wrote ${added} lines`)
    }
    if (!command.changes) assert.equal(added, 0)
  })

test('a command that changes something really did in its case, so that the test can fail', async () => {
  const { rows } = await database.admin.query<{ action: string }>(
    'select distinct action from operator_log',
  )
  const written = rows.map(({ action }) => action)
  // Nothing is pending here, so migrate has nothing to do; restore writes to the database that it restores.
  const elsewhere = ['migrate', 'restore']
  const changing = OPERATOR_COMMANDS.filter(
    ({ changes, name }) => changes && !elsewhere.includes(name),
  )
  assert.deepEqual(
    changing.map(({ name }) => name).filter((name) => !written.includes(name)),
    [],
  )
})

test('org create names the organizations that exist; key create takes the only one and asks among several', async () => {
  const alone = await fixture.openDatabase()
  const [[kid, key] = []] = [...alone.masterKeys.byId]
  const variables = {
    ...environment,
    DATABASE_URL: fixture.postgres.databaseUrl(alone.name),
    MASTER_KEYS: `${kid}:${key?.toString('base64')}`,
  }
  await assert.rejects(run('key create', ['--name', 'Key'], variables), /no organization yet/)
  const acme = toPublicId('org', await alone.createOrganization())
  await run('key create', ['--name', 'Key'], variables)
  const { rows } = await alone.admin.query('select org_id from api_keys')
  assert.equal(toPublicId('org', (rows[0] as { org_id: string }).org_id), acme)
  const created = (await run('org create', ['--name', 'My team'], variables)) as { note: string }
  assert.match(created.note, new RegExp(`Test \\(${acme}\\)\\. Their members do not see this one`))
  await assert.rejects(run('key create', ['--name', 'Key'], variables), (error: Error) => {
    assert.match(error.message, /several organizations/)
    assert.match(error.message, new RegExp(acme))
    return true
  })
})

test('migrate: the first one of a database is in its operator log', async () => {
  await fixture.postgres.createDatabase('fresh')
  const { applied } = (await run('migrate', [], {
    ...environment,
    DATABASE_URL: fixture.postgres.databaseUrl('fresh'),
    MIGRATE_DATABASE_URL: fixture.postgres.databaseUrl('fresh', 'upvane_owner'),
  })) as { applied: string[] }
  assert.ok(applied.length >= 29)
  const client = new pg.Client({
    connectionString: fixture.postgres.databaseUrl('fresh', 'postgres'),
  })
  await client.connect()
  const { rows } = await client.query('select action, detail from operator_log')
  await client.end()
  assert.deepEqual(rows, [{ action: 'migrate', detail: { applied } }])
})

test('lines name the account, and neither names nor addresses of anybody', async () => {
  const { rows } = await database.admin.query<{ operator: string; detail: object }>(
    'select operator, detail from operator_log',
  )
  assert.ok(rows.length > 5)
  for (const { operator, detail } of rows) {
    assert.notEqual(operator, '')
    assert.doesNotMatch(JSON.stringify(detail), /@|Made|Another name/)
  }
})

test('every command has a manual with usage and exit codes, and refuses what it does not know', async () => {
  for (const { name } of OPERATOR_COMMANDS) {
    assert.match(
      manualOf(OPERATOR_COMMANDS, name.split(' ')),
      /^NAME\n[\s\S]+USAGE\n[\s\S]+EXIT CODES\n/,
    )
    await assert.rejects(run(name, ['--no-such-option']), UsageError)
    await assert.rejects(run(name, ['a', 'b', 'c', 'd']), UsageError)
  }
  assert.match(manualOf(OPERATOR_COMMANDS, []), /upvane org create/)
  assert.throws(() => readCommandLine(OPERATOR_COMMANDS, ['org']), /needs one more word/)
  assert.throws(() => readCommandLine(OPERATOR_COMMANDS, ['org', 'fly']), /There is no command/)
})

/** Only an empty database can be restored into. */
function environmentOf(name: string): NodeJS.ProcessEnv {
  if (name !== 'restore') return environment
  return {
    ...environment,
    DATABASE_URL: fixture.postgres.databaseUrl(RESTORED),
    MIGRATE_DATABASE_URL: fixture.postgres.databaseUrl(RESTORED, 'upvane_owner'),
  }
}

test('key create --mcp-writes marks a full key, and refuses a read-only one', async () => {
  const named = ['--org', org, '--name', 'For an assistant', '--mcp-writes']
  await assert.rejects(
    run('key create', [...named, '--access', 'READ_ONLY']),
    /needs --access FULL/,
  )
  await run('key create', named)
  const { rows } = await database.admin.query(
    `select mcp_writes from api_keys where name = 'For an assistant'`,
  )
  assert.deepEqual(rows, [{ mcp_writes: true }])
})

async function run(
  name: string,
  typed: readonly string[],
  variables = environment,
): Promise<unknown> {
  const { command, flags, args } = readCommandLine(OPERATOR_COMMANDS, [
    ...name.split(' '),
    ...typed,
  ])
  const context = new CommandContext(flags, args, variables)
  return command.run(context).finally(() => context.close())
}

async function makeKey(): Promise<string> {
  const created = await run('key create', ['--org', org, '--name', 'Short-lived'])
  return (created as { id: string }).id
}

async function addPerson(email: string): Promise<string> {
  const url = fixture.postgres.databaseUrl(database.name)
  const people = new Database({ url, role: 'upvane_people', connections: 1 }, () => {})
  await people.transaction(undefined, (tx) =>
    insertUser(tx, { uuid: tx.newUuid(), email, name: 'Person', passwordHash: 'x' }),
  )
  await people.close()
  return email
}

async function countLines(action: string): Promise<number> {
  const { rows } = await database.admin.query(
    'select count(*)::int as n from operator_log where action = $1',
    [action],
  )
  return (rows[0] as { n: number }).n
}

async function fingerprints(): Promise<Map<string, string>> {
  const { rows } = await database.admin.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'operator_log'`,
  )
  const prints = new Map<string, string>()
  for (const { name } of rows) {
    const found = await database.admin.query(
      `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${name} t`,
    )
    prints.set(name, (found.rows[0] as { print: string }).print)
  }
  return prints
}

async function changedSince(before: ReadonlyMap<string, string>): Promise<string[]> {
  const now = await fingerprints()
  return [...now].flatMap(([name, print]) => (before.get(name) === print ? [] : [name]))
}
