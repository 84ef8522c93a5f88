import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, listSettings, readConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const sound = { DATABASE_URL: 'postgres://u@db/upvane', MASTER_KEYS: `k1:${key}` }

test('a sound environment gives a whole configuration with its defaults', () => {
  const config = readConfig(sound)
  assert.equal(config.port, 8080)
  // Not 9090, which is Prometheus's own default.
  assert.equal(config.internalPort, 8099)
  assert.equal(config.rateLimitRequests, 120)
  assert.equal(config.migrateDatabaseUrl, sound.DATABASE_URL)
  assert.equal(config.masterKeys.current, 'k1')
  assert.ok(Object.isFrozen(config))
})

test('a probe needs neither a database nor a master key', () => {
  assert.equal(readConfig({}, { withDatabase: false }).databaseUrl, '')
})

test('every problem is named at once', () => {
  const problems = problemsOf({
    PORT: 'http',
    LOG_LEVEL: 'loud',
    BASE_URL: 'ftp://x',
    MASTER_KEYS: 'k1:short',
  })
  for (const name of ['DATABASE_URL', 'PORT', 'LOG_LEVEL', 'BASE_URL', 'MASTER_KEYS'])
    assert.ok(
      problems.some((problem) => problem.startsWith(name)),
      name,
    )
})

test('a secret may come from a file, but not from both', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-config-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'keys')
  writeFileSync(file, `k9:${key}\n`)
  const { MASTER_KEYS: _, ...rest } = sound
  assert.equal(readConfig({ ...rest, MASTER_KEYS_FILE: file }).masterKeys.current, 'k9')
  assert.match(problemsOf({ ...sound, MASTER_KEYS_FILE: file })[0] ?? '', /both set/)
  assert.match(problemsOf({ ...rest, MASTER_KEYS_FILE: '/nowhere' })[0] ?? '', /cannot be read/)
})

test('an operator can only be told by mail where there is a relay', () => {
  const told = { ...sound, OPERATOR_EMAIL: 'ops@example.com' }
  assert.deepEqual(problemsOf(told), ['OPERATOR_EMAIL needs SMTP_URL'])
  const smtp = { SMTP_URL: 'smtp://localhost', SMTP_FROM: 'upvane@example.com' }
  assert.equal(readConfig({ ...told, ...smtp }).selfWatch.operatorEmail, 'ops@example.com')
  assert.match(
    problemsOf({ ...sound, SELF_HEARTBEAT_URL: 'ftp://x' })[0] ?? '',
    /SELF_HEARTBEAT_URL/,
  )
  assert.deepEqual(readConfig(sound).selfWatch, {
    heartbeatUrl: undefined,
    everySeconds: 30,
    lateSeconds: 300,
    operatorEmail: undefined,
    watermarkPercent: 85,
    databaseLimitBytes: undefined,
    databaseDiskPath: undefined,
    backupMaxAgeHours: 26,
  })
})

test('the size limit of the database is a number with a unit', () => {
  const limitOf = (text: string) =>
    readConfig({ ...sound, DATABASE_SIZE_LIMIT: text }).selfWatch.databaseLimitBytes
  assert.deepEqual(['500MB', '50GB', '2TB'].map(limitOf), [5e8, 5e10, 2e12])
  for (const wrong of ['50', '50 GB', '5gb', '-1GB', '1.5TB', '9999999GB'])
    assert.match(
      problemsOf({ ...sound, DATABASE_SIZE_LIMIT: wrong })[0] ?? '',
      /^DATABASE_SIZE_LIMIT must be a size/,
    )
})

test('NATS_CA_FILE must be readable, and PROBE_NAME must be a name NATS can carry', () => {
  assert.deepEqual(problemsOf({ ...sound, NATS_CA_FILE: '/nowhere', PROBE_NAME: 'probe.eu' }), [
    'NATS_CA_FILE names a file that cannot be read',
    'PROBE_NAME must be 1 to 64 letters, digits, hyphens or underscores',
  ])
  assert.equal(readConfig({ ...sound, PROBE_NAME: 'probe-eu-1' }).probeName, 'probe-eu-1')
})

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('values that a part would refuse later are refused at the start, by name', () => {
  const wrong = {
    TRUSTED_PROXIES: 'not-an-ip',
    PROBE_ALLOW_CIDRS: '10.0.0.0/99',
    WEBHOOK_ALLOW_CIDRS: '1.2.3',
    NATS_URL: 'http://x',
    PROBE_DNS_SERVERS: 'foo:bar',
    PROBE_CONTROL_TARGETS: 'nonsense',
    BASE_URL: 'https://up.example.com/path?query',
    HOST: '999.1.1.1',
    INTERNAL_HOST: '1.2.3.4.5',
    WHOIS_SERVER: 'http://whois',
  }
  const problems = problemsOf({ ...sound, ...wrong })
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]).sort(),
    Object.keys(wrong).sort(),
  )
})

test('a misspelled name is a problem, and not a setting that silently does nothing', () => {
  assert.deepEqual(problemsOf({ ...sound, RESULT_RETENTION_DAY: '90' }), [
    'RESULT_RETENTION_DAY is not a setting; did you mean RESULT_RETENTION_DAYS?',
  ])
  assert.deepEqual(problemsOf({ ...sound, OIDC_CLIENTID: 'x' }), [
    'OIDC_CLIENTID is not a setting; did you mean OIDC_CLIENT_ID?',
  ])
})

test('settings are listed with their source and without a secret', () => {
  const settings = listSettings({
    ...sound,
    DATABASE_URL: 'postgres://upvane:hunter2hunter2@db/upvane',
    SMTP_URL: 'smtps://me:hunter2hunter2@mail.example.com',
    SMTP_FROM: 'status@example.com',
    NATS_URL: 'tls://a:hunter2hunter2@x:4222,tls://b:hunter2hunter2@y:4222',
    ADMIN_PASSWORD: 'hunter2hunter2',
    SELF_HEARTBEAT_URL: 'https://other.example.com/hb/hunter2hunter2',
  })
  const text = JSON.stringify(settings)
  assert.ok(!text.includes('hunter2') && !text.includes(key), text)
  const of = (name: string) => settings.find((setting) => setting.name === name)
  assert.deepEqual(of('PORT'), { name: 'PORT', value: '8080', source: 'default' })
  assert.deepEqual(of('SMTP_FROM'), {
    name: 'SMTP_FROM',
    value: 'status@example.com',
    source: 'environment',
  })
  assert.equal(of('DATABASE_URL')?.value, 'postgres://upvane:***@db/upvane')
})
