// `upvane doctor` on a healthy installation, and on the same one with one problem at a time. docs/operating/health.md
// shows the command.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { type SmtpSink, startSmtpSink } from '../../../test/kit/smtp-sink.ts'
import { createAuthority } from '../../../test/kit/targets/certificates.ts'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { type Nats, startNats } from '../../../tools/services/nats.ts'
import { installationSurface } from '../../api/http/installation.ts'
import { createApiServer } from '../../api/http/server.ts'
import { type DoctorLevel, exitCodeOf } from '../../domain/operating/doctor.ts'
import { type MasterKeys, parseMasterKeys } from '../../platform/crypto/encryption.ts'
import { CommandContext } from '../cli/command.ts'
import { MIGRATIONS } from '../commands.ts'
import { type Diagnosis, diagnose } from './doctor.ts'

const ROOT = join(MIGRATIONS, '..')
const SECRETS = ['right-database-pw', 'secret-of-nats', 'secret-of-relay']
const WITHIN_MS = 9_000
// Nothing listens here.
const NOWHERE = '127.0.0.1:9'

const directory = mkdtempSync(join(tmpdir(), 'upvane-doctor-'))
const keysFile = join(directory, 'master_keys')
let fixture: DbFixture
let database: TestDatabase
let nats: Nats
/** Its certificate is of an authority that nobody knows. */
let foreignNats: Nats
let relay: SmtpSink
/** The public side of this installation, and of another one. */
let own: PublicSide
let foreign: PublicSide
let environment: NodeJS.ProcessEnv

before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
  await database.createOrganization()
  await requirePassword()
  nats = await startNats({ config: NATS_CONFIG })
  foreignNats = await startForeignNats()
  relay = await startSmtpSink({ login: { user: 'mailer', password: 'secret-of-relay' } })
  const [[kid, key] = []] = [...database.masterKeys.byId]
  writeFileSync(keysFile, `${kid}:${key?.toString('base64')}`, { mode: 0o600 })
  // Other accounts can reach the files, so that the files' own permissions matter.
  chmodSync(directory, 0o755)
  own = await openPublicSide(database.masterKeys)
  const other = Buffer.alloc(32, 9).toString('base64')
  const otherKeys = parseMasterKeys(`other:${other}`)
  assert.ok(typeof otherKeys !== 'string')
  foreign = await openPublicSide(otherKeys)
  environment = {
    BASE_URL: own.url,
    DATABASE_URL: databaseUrl('right-database-pw'),
    MASTER_KEYS_FILE: keysFile,
    NATS_URL: natsUrl('upvane'),
    SMTP_URL: relayUrl('secret-of-relay'),
    SMTP_FROM: 'status@example.com',
    DISK_WATERMARK_PERCENT: '100',
  }
  await database.admin.query(
    `insert into probes (region, name, last_seen_at) values ('default', 'one', now() + interval '1 hour')`,
  )
  await recordBackup('1 hour')
  await reportConditions([])
})
after(async () => {
  own.server.close()
  foreign.server.close()
  rmSync(directory, { recursive: true })
  await relay.close()
  await Promise.all([nats.stop(), foreignNats.stop()])
  await fixture.stop()
})

test('a sound installation: every check is there and none fails', async () => {
  const { isSound, checks } = await examine()
  const others = checks.filter(({ level, check }) => level !== 'ok' && check !== 'ping')
  assert.deepEqual(others, [])
  assert.ok(isSound)
  const names = checks.map(({ check }) => check)
  assert.deepEqual(names, [
    'configuration',
    'files',
    'database',
    'pooler',
    'TLS',
    'roles',
    'migrations',
    'writes',
    'partitions',
    'database size',
    'master keys',
    'clock',
    'probes',
    'private hosts',
    'backups',
    'conditions',
    'BASE_URL',
    'proxy',
    'NATS',
    'mail relay',
    'ping',
    'disk',
  ])
  assert.equal(relay.mails.length, 0, 'it sends nothing')
})

type Fault = {
  name: string
  variables?: () => NodeJS.ProcessEnv
  plant?: () => unknown
  repair?: () => unknown
  check: string
  level?: DoctorLevel
  says: RegExp
  exitCode?: number
}

const sql = (text: string) => () => database.admin.query(text)

const FAULTS: readonly Fault[] = [
  {
    name: 'a misspelled variable',
    variables: () => ({ SMTP_FORM: 'status@example.com' }),
    check: 'configuration',
    says: /^SMTP_FORM is not a setting; did you mean SMTP_FROM\? Change it/,
    exitCode: 2,
  },
  {
    name: 'a bad network',
    variables: () => ({ PROBE_ALLOW_CIDRS: '10.0.0.0/99' }),
    check: 'configuration',
    says: /^PROBE_ALLOW_CIDRS .+ Change it in the environment/,
    exitCode: 2,
  },
  {
    name: 'a secret file that cannot be read',
    variables: () => ({ MASTER_KEYS_FILE: join(directory, 'absent') }),
    check: 'files',
    says: /^MASTER_KEYS_FILE: \S+ cannot read .+absent\. Create the file/,
    exitCode: 2,
  },
  {
    name: 'a secret file that every account can read',
    plant: () => chmodSync(keysFile, 0o644),
    repair: () => chmodSync(keysFile, 0o600),
    check: 'files',
    says: /^MASTER_KEYS_FILE: every account can read .+ Run chmod o-rwx /,
  },
  {
    name: 'a file of settings that every account can read',
    plant: () => writeFileSync(join(directory, 'upvane.env'), 'PORT=8080', { mode: 0o644 }),
    variables: () => ({ UPVANE_ENV_FILE: join(directory, 'upvane.env') }),
    check: 'files',
    level: 'warn',
    says: /^UPVANE_ENV_FILE: every account can read .+ If it has a password, run chmod/,
    exitCode: 0,
  },
  {
    name: 'a database that accepts and never answers',
    plant: () => fixture.postgres.freeze(),
    repair: () => fixture.postgres.thaw(),
    check: 'database',
    says: /^The database cannot be reached\. .+no answer within 5 s/,
  },
  {
    name: 'a wrong password',
    variables: () => ({ DATABASE_URL: databaseUrl('wrong-database-pw') }),
    check: 'database',
    says: /^The database refuses this login\. Look at DATABASE_URL/,
  },
  {
    name: 'a database that is away',
    variables: () => ({ DATABASE_URL: `postgres://upvane@${NOWHERE}/upvane` }),
    check: 'database',
    says: /^The database cannot be reached\. Does it run, and is DATABASE_URL right\?/,
  },
  {
    name: 'no connection left',
    plant: sql('alter role upvane connection limit 0'),
    repair: sql('alter role upvane connection limit -1'),
    check: 'database',
    says: /^PostgreSQL has no connection left\. Raise its max_connections/,
  },
  {
    name: 'a missing role',
    plant: sql('alter role upvane_people rename to somebody_else'),
    repair: sql('alter role somebody_else rename to upvane_people'),
    check: 'roles',
    says: /^The role upvane_people is missing\. Run roles\.sql/,
  },
  {
    name: 'a login without a role',
    // Since PostgreSQL 16, only the grantor can revoke it.
    plant: sql('revoke upvane_engine from upvane granted by upvane_owner'),
    repair: sql('grant upvane_engine to upvane'),
    check: 'roles',
    says: /^The login upvane is not a member of upvane_engine\. Run upvane migrate/,
  },
  {
    name: 'a role that bypasses row-level security',
    plant: sql('alter role upvane_app bypassrls'),
    repair: sql('alter role upvane_app nobypassrls'),
    check: 'roles',
    says: /^The role upvane_app bypasses row-level security\. Run: alter role/,
  },
  {
    name: 'a database behind this version',
    plant: sql(`create table kept as select * from schema_migrations where name like '0032-%';
                delete from schema_migrations where name like '0032-%'`),
    repair: sql('insert into schema_migrations select * from kept; drop table kept'),
    check: 'migrations',
    says: /^The database is behind this version by 1, from 0032-\S+ on\. Run upvane migrate\./,
  },
  {
    name: 'a database newer than this version',
    plant: sql(`insert into schema_migrations (name, sha256) values ('9999-later.sql', 'x')`),
    repair: sql(`delete from schema_migrations where name = '9999-later.sql'`),
    check: 'migrations',
    says: /^The database is newer than this version: it has 9999-later\.sql\. Run/,
  },
  {
    name: 'a database that is read-only',
    plant: sql('alter role upvane set default_transaction_read_only = on'),
    repair: sql('alter role upvane reset default_transaction_read_only'),
    check: 'writes',
    says: /^The database is read-only\. If it is a standby, put the address of the primary into/,
  },
  {
    name: 'BASE_URL of another host',
    variables: () => ({ BASE_URL: foreign.url }),
    check: 'BASE_URL',
    says: /^BASE_URL does not lead to this installation \(it responds with 200\)\. Check BASE_URL/,
  },
  {
    name: 'BASE_URL that this machine cannot reach',
    variables: () => ({ BASE_URL: `http://${NOWHERE}` }),
    check: 'BASE_URL',
    level: 'warn',
    says: /^BASE_URL cannot be reached from this machine \(ECONNREFUSED\)\. If browsers reach it/,
    exitCode: 0,
  },
  {
    name: 'https without a trusted proxy',
    variables: () => ({ BASE_URL: `https://${NOWHERE}` }),
    check: 'proxy',
    level: 'warn',
    says: /^BASE_URL is https, so a proxy is in front, but TRUSTED_PROXIES is empty/,
    exitCode: 0,
  },
  {
    name: 'no partitions ahead',
    plant: sql(`do $$ begin execute format('alter table %I rename to kept_partition',
                  'results_' || to_char((now() at time zone 'UTC')::date + 1, 'YYYYMMDD')); end $$`),
    repair: sql(`do $$ begin execute format('alter table kept_partition rename to %I',
                  'results_' || to_char((now() at time zone 'UTC')::date + 1, 'YYYYMMDD')); end $$`),
    check: 'partitions',
    says: /^Tables lack partitions: .+ The role janitor creates them: start it/,
  },
  {
    name: 'a database larger than it may be',
    variables: () => ({ DATABASE_SIZE_LIMIT: '1MB' }),
    check: 'database size',
    says: /^The database uses more than 100% of DATABASE_SIZE_LIMIT\. Enlarge/,
  },
  {
    name: 'another master key',
    variables: () => ({
      MASTER_KEYS_FILE: '',
      MASTER_KEYS: `other:${Buffer.alloc(32, 7).toString('base64')}`,
    }),
    check: 'master keys',
    says: /^MASTER_KEYS does not open secrets .+"first"\. Give that key back/,
  },
  {
    name: 'probes that say nothing any more',
    plant: sql(`update probes set last_seen_at = now() - interval '1 minute'`),
    repair: sql(`update probes set last_seen_at = now() + interval '1 hour'`),
    check: 'probes',
    level: 'warn',
    says: /^Region default has no live probe\. Start a probe there with REGION=default /,
    exitCode: 0,
  },
  {
    name: 'a nightly backup that did not come',
    plant: () => recordBackup('27 hours'),
    repair: () => recordBackup('1 hour'),
    check: 'backups',
    says: /^The newest backup is more than 26 hours old\. Look at journalctl -u upvane-backup /,
  },
  {
    name: 'a nightly backup that failed',
    plant: sql(`insert into operator_log (operator, action, detail)
                values ('root', 'backup failed', '{"scheduled": true}')`),
    repair: () => recordBackup('1 hour'),
    check: 'backups',
    says: /^The last nightly backup failed\. Look at journalctl -u upvane-backup /,
  },
  {
    name: 'no backups at all',
    plant: sql(`delete from operator_log where action like 'backup%'`),
    repair: () => recordBackup('1 hour'),
    check: 'backups',
    level: 'warn',
    says: /^No nightly backup was recorded yet\. Turn on upvane-backup\.timer, or start /,
    exitCode: 0,
  },
  {
    name: 'a condition that a process reports',
    plant: () =>
      reportConditions([
        { code: 'NO_JANITOR', subject: '', message: 'No janitor is running', since: new Date() },
      ]),
    repair: () => reportConditions([]),
    check: 'conditions',
    says: /^No janitor is running\. Start the role janitor, .+ See docs\/.+troubleshooting\.md#no_janitor\./,
  },
  {
    name: 'no process at all',
    plant: sql('delete from processes'),
    repair: () => reportConditions([]),
    check: 'conditions',
    says: /^No process of the service is running\. Start it: upvane start/,
  },
  {
    name: 'NATS away',
    variables: () => ({ NATS_URL: `nats://upvane:secret-of-nats@${NOWHERE}` }),
    check: 'NATS',
    says: /^NATS cannot be used \(.+\)\. Does it run, and is NATS_URL right\?/,
  },
  {
    name: 'NATS with another password',
    variables: () => ({
      NATS_URL: natsUrl('upvane').replace('secret-of-nats', 'secret-of-nobody'),
    }),
    check: 'NATS',
    says: /^NATS refuses this user \(.+\)\. Look at the user and password in NATS_URL/,
  },
  {
    name: 'NATS with a certificate of its own authority',
    variables: () => ({ NATS_URL: foreignNats.url.replace('//', '//upvane:secret-of-nats@') }),
    check: 'NATS',
    says: /^The certificate of NATS cannot be verified \(.+\)\. Name its authority in NATS_CA_FILE\.$/,
  },
  {
    name: 'NATS without permission to hear probes',
    variables: () => ({ NATS_URL: natsUrl('deaf') }),
    check: 'NATS',
    says: /^NATS does not permit what the service needs \(.*upvane\.probes.*\)\. Compare/,
  },
  {
    name: 'NATS without permission to ask',
    variables: () => ({ NATS_URL: natsUrl('mute') }),
    check: 'NATS',
    says: /^NATS does not permit what the service needs \(.+\)\. Compare/,
  },
  {
    name: 'a relay that refuses the password',
    variables: () => ({ SMTP_URL: relayUrl('another-password') }),
    check: 'mail relay',
    says: /^The mail relay does not accept our connection \(.*535.*\)\. Look at host, port, user/,
  },
  {
    name: 'a refused password that is a word of the advice',
    variables: () => ({ SMTP_URL: relayUrl('password') }),
    check: 'mail relay',
    says: /\. Look at host, port, user and password in SMTP_URL\.$/,
  },
  {
    name: 'a relay that is away',
    variables: () => ({ SMTP_URL: `smtp://mailer:secret-of-relay@${NOWHERE}?tls=off` }),
    check: 'mail relay',
    says: /^The mail relay does not accept our connection \(.+\)\. Look at host, port, user/,
  },
  {
    name: 'a disk above its watermark',
    variables: () => ({ DISK_WATERMARK_PERCENT: '1' }),
    check: 'disk',
    says: /^The disk of .+ is \d+% full, more than DISK_WATERMARK_PERCENT\. Free space/,
  },
]

for (const { name, variables, plant, repair, check, says, ...fault } of FAULTS)
  test(`${name}: said with what to do`, async () => {
    const { level = 'fail', exitCode = 1 } = fault
    await plant?.()
    const startMs = performance.now()
    const { isSound, checks } = await examine(variables?.()).finally(() => repair?.())
    assert.ok(performance.now() - startMs < WITHIN_MS)
    const wrong = checks.filter((line) => line.level !== 'ok')
    const found = wrong.find((line) => line.check === check)
    assert.ok(found !== undefined, JSON.stringify(checks))
    assert.equal(found.level, level)
    assert.match(found.message, says)
    assert.equal(exitCodeOf(checks), exitCode, JSON.stringify(wrong))
    assert.equal(isSound, exitCode === 0)
    // Unrelated checks still run.
    assert.ok(checks.some((line) => line.level === 'ok'))
    for (const secret of SECRETS) assert.ok(!JSON.stringify(checks).includes(secret))
  })

test('every problem of the configuration is named, not only the first', async () => {
  const { checks } = await examine({ PORT: '80x', SMTP_FORM: 'status@example.com' })
  const [port, form, ...others] = checks.filter(({ check }) => check === 'configuration')
  assert.match(port?.message ?? '', /^PORT .+ Change it in the environment/)
  assert.match(form?.message ?? '', /did you mean SMTP_FROM\?/)
  assert.deepEqual(others, [])
  assert.equal(exitCodeOf(checks), 2)
})

test('the command prints lines or JSON, and its exit code says whether anything failed', async () => {
  const sound = await type(['doctor'], {})
  assert.equal(sound.code, 0, sound.stdout + sound.stderr)
  assert.match(sound.stdout, /^ok {4}configuration {2}sound$/m)
  const failing = await type(['doctor', '--json'], { DISK_WATERMARK_PERCENT: '1' })
  assert.equal(failing.code, 1, failing.stderr)
  const { isSound, checks } = JSON.parse(failing.stdout) as Diagnosis
  assert.equal(isSound, false)
  assert.ok(checks.some(({ check, level }) => check === 'disk' && level === 'fail'))
  assert.equal((await type(['doctor'], { PORT: 'x' })).code, 2)
  const manual = await type(['help', 'doctor'], {})
  assert.match(manual.stdout, /upvane doctor: check everything[\s\S]+EXIT CODES/)
})

test('a file of variables that cannot be read is one line among the others', async () => {
  const UPVANE_ENV_FILE = join(directory, 'absent.env')
  const { code, stdout } = await type(['doctor', '--json'], { UPVANE_ENV_FILE })
  assert.equal(code, 2)
  const { checks } = JSON.parse(stdout) as Diagnosis
  const [line, ...others] = checks.filter(({ check }) => check === 'files')
  assert.match(line?.message ?? '', /^UPVANE_ENV_FILE: \S+ cannot read .+absent\.env\. Create/)
  assert.equal(others.length, 0)
  assert.equal(checks.filter(({ check }) => check === 'configuration').length, 1)
  assert.ok(checks.some(({ check, level }) => check === 'disk' && level === 'ok'))
  assert.equal((await type(['org', 'list'], { UPVANE_ENV_FILE })).code, 2)
})

type PublicSide = { server: Server; url: string }

async function openPublicSide(masterKeys: MasterKeys): Promise<PublicSide> {
  const surfaces = [installationSurface(masterKeys)]
  const server = createApiServer(surfaces, { rateLimitRequests: 1 }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { server, url: `http://127.0.0.1:${address.port}` }
}

async function startForeignNats(): Promise<Nats> {
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost', { san: 'DNS:localhost,IP:127.0.0.1' })
  authority.remove()
  const [keyFile, certFile] = [join(directory, 'nats.key'), join(directory, 'nats.pem')]
  writeFileSync(keyFile, key)
  writeFileSync(certFile, cert)
  return startNats({
    config: `${NATS_CONFIG}\ntls { cert_file: "${certFile}", key_file: "${keyFile}" }`,
  })
}

async function examine(variables: NodeJS.ProcessEnv = {}): Promise<Diagnosis> {
  const context = new CommandContext({}, [], { ...environment, ...variables })
  return diagnose(context, { root: ROOT, migrations: MIGRATIONS }).finally(() => context.close())
}

function type(typed: string[], variables: NodeJS.ProcessEnv) {
  const env = { PATH: process.env['PATH'], ...COMPILE_CACHE, ...environment, ...variables }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [...process.execArgv.filter((arg) => !arg.startsWith('--test')), 'src/main.ts', ...typed],
      { cwd: ROOT, env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

function databaseUrl(password: string): string {
  return fixture.postgres.databaseUrl(database.name).replace('@', `:${password}@`)
}

function natsUrl(user: string): string {
  return nats.url.replace('//', `//${user}:secret-of-nats@`)
}

function relayUrl(password: string): string {
  return `smtp://mailer:${password}@127.0.0.1:${relay.port}?tls=off`
}

/** The test server trusts everyone; from here on it requires the service's password. */
async function requirePassword(): Promise<void> {
  await database.admin.query(`alter role upvane password 'right-database-pw'`)
  const { rows } = await database.admin.query<{ file: string }>(
    `select current_setting('hba_file') as file`,
  )
  const file = String(rows[0]?.file)
  const rules = readFileSync(file, 'utf8')
  writeFileSync(file, `host all upvane 127.0.0.1/32 scram-sha-256\n${rules}`)
  await database.admin.query('select pg_reload_conf()')
}

/** The only one, made by a timer. */
async function recordBackup(ago: string): Promise<void> {
  await database.admin.query(`delete from operator_log where action like 'backup%'`)
  await database.admin.query(
    `insert into operator_log (operator, action, at, detail)
     values ('root', 'backup', now() - $1::interval, '{"scheduled": true}')`,
    [ago],
  )
}

async function reportConditions(conditions: readonly object[]): Promise<void> {
  await database.admin.query('delete from processes')
  await database.admin.query(
    `insert into processes (id, name, roles, version, region, settings, troubles, reach, expires_at)
     values (gen_random_uuid(), 'start on test (1)', '{api}', '1', 'default', '{}', $1, 0, now() + interval '1 hour')`,
    [JSON.stringify(conditions)],
  )
}

const NATS_CONFIG = `
max_payload: 4MB
authorization {
  users: [
    { user: "upvane", password: "secret-of-nats", permissions: {
        publish: ["upvane.jobs.*", "upvane.requests.>", "upvane.hints.>", "upvane.inbox.>"]
        subscribe: ["upvane.probes.*.*", "upvane.requests.>", "upvane.hints.>", "upvane.inbox.upvane.>"] } }
    { user: "deaf", password: "secret-of-nats", permissions: {
        publish: ["upvane.>"], subscribe: ["upvane.requests.>", "upvane.hints.>", "upvane.inbox.>"] } }
    { user: "mute", password: "secret-of-nats", permissions: {
        publish: ["upvane.inbox.>"], subscribe: ["upvane.>"] } }
  ]
}
`
