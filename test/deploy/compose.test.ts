// The compose files as Debian's Compose 1.29.2 reads them, the oldest version still in use. It refuses what newer
// versions ignore.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ROOT } from './release.ts'
import { run, tryRun } from './shell.ts'

const STANDALONE = 'compose.standalone.yaml'
const FILES = [
  'compose.yaml',
  'compose.nats.yaml',
  'compose.probe.yaml',
  STANDALONE,
  'nats.conf',
  'make-secrets.sh',
]
const home = mkdtempSync(join(tmpdir(), 'upvane-compose-'))

before(async () => {
  mkdirSync(join(home, 'deploy'))
  for (const file of FILES) cpSync(join(ROOT, 'deploy', file), join(home, 'deploy', file))
  await run(['deploy/make-secrets.sh', 'deploy/secrets', 'postgres:5432', 'nats:4222'], {
    cwd: home,
  })
  for (const name of ['upvane.env', 'probe.env']) writeFileSync(join(home, 'deploy', name), '')
})
after(() => rmSync(home, { recursive: true, force: true }))

function readConfig(...files: string[]): Promise<string> {
  const named = files.flatMap((file) => ['-f', `deploy/${file}`])
  return run(['docker-compose', '-p', 'upvane', ...named, 'config'], {
    cwd: home,
    env: { ...process.env, NATS_HOST: 'nats.example.com' },
  })
}

test('compose.yaml gives the service its whole configuration, secrets and a health check', async () => {
  const config = await readConfig('compose.yaml')
  const service = serviceOf(config, 'upvane')
  assert.match(service, /deploy\/upvane\.env:\/etc\/upvane\/upvane\.env:ro/)
  assert.match(service, /UPVANE_ENV_FILE: \/etc\/upvane\/upvane\.env/)
  assert.match(service, /8099\/livez/)
  assert.match(service, /net\.ipv4\.ping_group_range: 0 2147483647/)
  assert.doesNotMatch(service, /migrate_database_url/)
  // The operator sets these in upvane.env; a value here would override it.
  for (const name of ['BASE_URL', 'SMTP_URL', 'NATS_URL', 'TRUSTED_PROXIES', 'LOG_LEVEL'])
    assert.doesNotMatch(service, new RegExp(`^\\s+${name}:`, 'm'))
})

test('compose.yaml backs up every night as the owner of the tables, into a volume', async () => {
  const service = serviceOf(await readConfig('compose.yaml'), 'backup')
  assert.match(service, /entrypoint:\s+- \/app\/deploy\/upvane-nightly\.sh/)
  assert.match(service, /MIGRATE_DATABASE_URL_FILE: \/run\/secrets\/migrate_database_url/)
  assert.match(service, /- backups:\/var\/backups\/upvane:rw/)
  assert.match(service, /read_only: true/)
})

test('compose.nats.yaml adds NATS under the name in its certificate, and its key to the service', async () => {
  const config = await readConfig('compose.yaml', 'compose.nats.yaml')
  const nats = serviceOf(config, 'regions-nats')
  assert.match(nats, /aliases:\s+- nats\.example\.com/)
  assert.match(nats, /deploy\/nats:\/etc\/nats:ro/)
  assert.match(nats, /read_only: true/)
  const service = serviceOf(config, 'upvane')
  assert.match(service, /deploy\/nats:\/etc\/upvane\/nats:ro/)
  for (const name of ['migrate', 'backup'])
    assert.match(serviceOf(config, name), /deploy\/nats:\/etc\/upvane\/nats:ro/)
  assert.match(service, /deploy\/upvane\.env:\/etc\/upvane\/upvane\.env:ro/)
  assert.match(service, /regions-nats:\s+condition: service_started/)
})

test('compose.probe.yaml keeps who the probe is, and needs no database, no secret and no published port', async () => {
  const config = await readConfig('compose.probe.yaml')
  assert.match(config, /- probe:\/var\/lib\/upvane:rw/)
  assert.match(config, /deploy\/probe\.env:\/etc\/upvane\/upvane\.env:ro/)
  assert.match(config, /command:\s+- probe/)
  assert.doesNotMatch(config, /DATABASE_URL|MASTER_KEYS|ports:|secrets:/)
})

test('compose.standalone.yaml needs no other file, refuses to guess the image, and keeps one volume', async () => {
  const alone = mkdtempSync(join(home, 'downloaded-'))
  cpSync(join(ROOT, 'deploy', STANDALONE), join(alone, STANDALONE))
  const command = ['docker-compose', '-p', 'upvane', '-f', STANDALONE, 'config']
  const { UPVANE_IMAGE: _, ...unnamed } = process.env
  const refused = await tryRun(command, { cwd: alone, env: unnamed })
  assert.notEqual(refused.code, 0)
  assert.match(refused.stderr, /UPVANE_IMAGE.*name the image, such as UPVANE_IMAGE=localhost\//s)
  const env = { ...unnamed, UPVANE_IMAGE: 'localhost/upvane:0.2.0' }
  const config = await run(command, { cwd: alone, env })
  assert.match(config, /image: localhost\/upvane:0\.2\.0\n/)
  assert.match(config, /- upvane:\/data:rw/)
  assert.match(config, /read_only: true/)
  assert.doesNotMatch(config, /DATABASE_URL|MASTER_KEYS|secrets:|build:/)
})

function serviceOf(config: string, name: string): string {
  const parts = config.split(/^ {2}(?=\w[\w-]*:$)/m)
  return parts.find((part) => part.startsWith(`${name}:\n`) && part.includes('image:')) ?? ''
}
