import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { MIGRATIONS } from '../../../tools/migrated-postgres.ts'
import { type Postgres, startPostgres } from '../../../tools/services/postgres.ts'
import { measureDatabase } from '../history/retention.ts'
import { Database } from './db.ts'
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

test('migrate: the service can measure a database that only its login may connect to', async () => {
  const { url, serviceUrl } = await emptyDatabase()
  const name = new URL(url).pathname.slice(1)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  // Like roles.sql from deploy/make-secrets.sh.
  await owner.query(
    `revoke all on database ${name} from public; grant connect on database ${name} to upvane`,
  )
  await owner.end()
  await migrate({ url, directory: MIGRATIONS, serviceUrl })
  const engine = new Database({ url: serviceUrl, role: 'upvane_engine', connections: 1 }, () => {})
  const { sizeBytes } = await measureDatabase(engine).finally(() => engine.close())
  assert.ok(sizeBytes > 0)
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
  await assert.rejects(
    migrate({ url, directory: older }),
    /newer than this version: it has 0002-second\.sql/,
  )
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

test('migrate: state rows that are written anew keep everything they held', async () => {
  const { url } = await emptyDatabase()
  await migrate({ url, directory: migrationsBefore('0017') })
  await query(url, EXISTING_SCHEMA)
  // Without the columns that later migrations add.
  const added = `{room,due_unread,domain_expires_at,samples_region,issuer}`
  const read = () =>
    query(url, `select to_jsonb(s) - '${added}'::text[] as row from monitor_states s`)
  const before = await read()
  assert.equal(before.length, 1)
  await migrate({ url, directory: MIGRATIONS })
  assert.deepEqual(await read(), before)
})

test('migrate: 0027 confirms the email contacts that exist, and no contact of another channel', async () => {
  const { url } = await emptyDatabase()
  await migrate({ url, directory: migrationsBefore('0027') })
  await query(url, CONTACTS)
  assert.deepEqual(await migrate({ url, directory: migrationsBefore('0028') }), [
    '0027-confirmed-contacts.sql',
  ])
  const rows = await query(
    url,
    `select name, (confirmed_at between now() - interval '1 hour' and now())::text as confirmed,
            (confirm_token_hash is null and confirm_sent_at is null)::text as "hasNoLink"
       from alert_contacts order by name`,
  )
  assert.deepEqual(rows, [
    { name: 'Mail', confirmed: 'true', hasNoLink: 'true' },
    { name: 'Off', confirmed: 'true', hasNoLink: 'true' },
    { name: 'Slack', confirmed: null, hasNoLink: 'true' },
  ])
})

const CONTACTS = `
  with o as (
    insert into organizations (id, name, plan, private_targets)
    values (gen_random_uuid(), 'Old', 'PRO', false) returning id
  )
  insert into alert_contacts (id, org_id, name, channel, settings, enabled)
  select gen_random_uuid(), o.id, c.name, c.channel, '\\x00', c.enabled
    from o, (values ('Mail', 'EMAIL', true), ('Off', 'EMAIL', false), ('Slack', 'SLACK', true))
      as c (name, channel, enabled)`

const EXISTING_SCHEMA = `
  with o as (
    insert into organizations (id, name, plan, private_targets)
    values (gen_random_uuid(), 'Old', 'PRO', false) returning id
  ), m as (
    insert into monitors (
      id, org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl, keyword_match,
      dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds, timeout_seconds,
      grace_seconds, degraded_threshold_mode, degraded_samples)
    select gen_random_uuid(), id, 'Old', 'DNS', 'example.org', 'GET', '{200}', true, true, 'EXISTS',
           'A', true, 2, 60, 30, 60, 'LAST', 3 from o
    returning no, org_id
  )
  insert into monitor_states (
    monitor_no, org_id, shard, state, epoch, next_due_at, last_slot, last_checked_at, last_status_changed_at,
    last_response_ms, cert_expires_at, samples, dns_baseline, expiry_told_for, heartbeat)
  select no, org_id, 7, 'UP', 3, now(), now() - interval '1 minute', now() - interval '2 minutes',
         now() - interval '1 day', 12, now() + interval '30 days', '{11,12}', '{"answers":["192.0.2.1"]}',
         now() + interval '29 days', '{"runs":[]}' from m`

async function emptyDatabase() {
  const name = `empty_${databases++}`
  await postgres.createDatabase(name)
  return {
    url: postgres.databaseUrl(name, 'upvane_owner'),
    serviceUrl: postgres.databaseUrl(name),
  }
}

/** The shipped migrations before a number. */
function migrationsBefore(number: string): string {
  const files = readdirSync(MIGRATIONS).filter((file) => file < number)
  const texts = files.map((file) => [file, readFileSync(join(MIGRATIONS, file), 'utf8')])
  return copyOf(`before-${number}`, Object.fromEntries(texts))
}

function copyOf(name: string, files: Record<string, string>): string {
  const copy = join(directory, name)
  mkdirSync(copy)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(copy, file), text)
  return copy
}

async function tablesOf(url: string): Promise<string[]> {
  const rows = await query(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  return rows.map(({ name = '' }) => name)
}

async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(text)).rows
  } finally {
    await client.end()
  }
}
