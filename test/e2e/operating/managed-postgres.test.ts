// A managed PostgreSQL: no superuser, and no connection without TLS. Runs the commands of docs/operating/upgrade.md
// with its own values.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { getPostgres } from '../../../tools/services/executables.ts'
import { type Postgres, startPostgres } from '../../../tools/services/postgres.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'

const ROOT = join(import.meta.dirname, '../../..')
const directory = mkdtempSync(join(tmpdir(), 'upvane-managed-'))
const secrets = join(directory, 'secrets')
const caFile = join(directory, 'ca.pem')
const strangeCaFile = join(directory, 'strange-ca.pem')
const TLS = `?sslmode=verify-full&sslrootcert=${caFile}`
// Every password, including the administrator's, is only accepted over TLS.
const ACCESS = 'hostssl all all 127.0.0.0/8 scram-sha-256\n'

let postgres: Postgres
let urls: { service: string; owner: string; master: string }

before(async () => {
  const files = makeCertificates()
  postgres = await startPostgres({
    settings: {
      listen_addresses: '127.0.0.1, 127.0.0.2',
      ssl: 'on',
      ssl_cert_file: files.cert,
      ssl_key_file: files.key,
    },
  })
  await run(postgres.url, 'drop role upvane; drop role upvane_owner')
  await run(postgres.url, `create role master login createdb createrole password 'secret'`)
  writeFileSync(join(postgres.directory, 'data/pg_hba.conf'), ACCESS)
  await run(postgres.url, 'select pg_reload_conf()')
  const address = `127.0.0.1:${postgres.port}`
  execFileSync(join(ROOT, 'deploy/make-secrets.sh'), [secrets, address], { stdio: 'pipe' })
  const read = (name: string) => readFileSync(join(secrets, name), 'utf8').trim()
  urls = {
    service: read('database_url'),
    owner: read('migrate_database_url'),
    master: `postgres://master:secret@${address}/postgres`,
  }
})
after(async () => {
  await postgres.stop()
  rmSync(directory, { recursive: true })
})

test('roles.sql: an administrator who is no superuser creates the roles and the database', () => {
  const file = join(secrets, 'roles.sql')
  const { status, stderr } = spawnSync('psql', ['-X', '-q', '-d', urls.master + TLS, '-f', file], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})

test('without TLS: a sentence that says what to add', () => {
  const { status, stderr } = upvane('migrate', '')
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^The database requires TLS\. Add \?sslmode=verify-full&sslrootcert=\S+ to DATABASE_URL .*\n$/,
  )
})

test('another authority, none at all, a broken file, a missing file: a sentence each', () => {
  const broken = join(directory, 'broken.pem')
  writeFileSync(broken, 'not a certificate')
  const trusted = /^The certificate of the database cannot be verified\. .*sslrootcert.*\n$/
  assert.match(
    upvane('migrate', `?sslmode=verify-full&sslrootcert=${strangeCaFile}`).stderr,
    trusted,
  )
  assert.match(upvane('migrate', `?sslmode=verify-full`).stderr, trusted)
  assert.match(upvane('migrate', `?sslmode=verify-full&sslrootcert=${broken}`).stderr, trusted)
  const missing = upvane('migrate', '?sslmode=verify-full&sslrootcert=/no/such/ca.pem')
  assert.equal(missing.status, 1)
  assert.match(
    missing.stderr,
    /^The address of the database cannot be used: .*\/no\/such\/ca\.pem.*\n$/,
  )
})

test('with TLS: migrated, and an organization created by the service account', () => {
  const migrated = upvane('migrate', TLS)
  assert.equal(migrated.status, 0, migrated.stderr)
  const created = upvane('org create --name Acme', TLS)
  assert.equal(created.status, 0, created.stderr)
  assert.match(created.stdout, /"org_/)
})

test('with TLS: a certificate for another host name is a sentence', () => {
  const { status, stderr } = upvane('org list', TLS, '127.0.0.2')
  assert.equal(status, 1)
  assert.match(stderr, /^The certificate of the database is for another host name\. .*\n$/)
})

function upvane(words: string, query: string, host = '127.0.0.1') {
  const at = (url: string) => url.replace('@127.0.0.1:', `@${host}:`) + query
  return spawnSync(process.execPath, [join(ROOT, 'src/main.ts'), ...words.split(' '), '--json'], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      DATABASE_URL: at(urls.service),
      MIGRATE_DATABASE_URL: at(urls.owner),
      MASTER_KEYS: readFileSync(join(secrets, 'master_keys'), 'utf8').trim(),
    },
  })
}

function makeCertificates(): { cert: string; key: string } {
  const authority = createAuthority()
  const strange = createAuthority()
  const issued = authority.issue('managed', { san: 'IP:127.0.0.1' })
  writeFileSync(caFile, authority.root)
  writeFileSync(strangeCaFile, strange.root)
  authority.remove()
  strange.remove()
  const { account } = getPostgres()
  chmodSync(directory, 0o755)
  const files = { cert: join(directory, 'server.pem'), key: join(directory, 'server.key') }
  writeFileSync(files.cert, issued.cert)
  writeFileSync(files.key, issued.key, { mode: 0o600 })
  if (account) chownSync(files.key, account.uid, account.gid)
  return files
}

async function run(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}
