import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const sound = { DATABASE_URL: 'postgres://u@db/upvane', MASTER_KEYS: `k1:${key}` }

test('a sound environment gives a whole configuration with its defaults', () => {
  const config = readConfig(sound)
  assert.equal(config.port, 8080)
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
  })
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
