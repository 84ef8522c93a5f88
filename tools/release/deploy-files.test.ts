// The files of deploy/ are consistent with each other and with the product.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('a unit for one role is as restricted as the unit for all of them', () => {
  const restrictions = (file: string) => read(file).slice(read(file).indexOf('KillSignal='))
  assert.ok(restrictions('deploy/upvane.service').includes('NoNewPrivileges=yes'))
  assert.equal(restrictions('deploy/upvane@.service'), restrictions('deploy/upvane.service'))
})

test('the environment file has one reader: the product', () => {
  for (const file of ['deploy/upvane.service', 'deploy/upvane@.service']) {
    assert.match(read(file), /^Environment=UPVANE_ENV_FILE=\/etc\/upvane\/upvane\.env$/m)
    assert.doesNotMatch(read(file), /^EnvironmentFile=/m)
  }
  // A shell would interpret `My organization`, `&` and `$`.
  assert.doesNotMatch(read('deploy/upvane.sh'), /^\s*(?:\.|source) /m)
})

const directory = mkdtempSync(join(tmpdir(), 'upvane-deploy-'))
after(() => rmSync(directory, { recursive: true }))

test('the nightly backup keeps the newest, deletes only after one that worked, and no other file', () => {
  const at = (name: string) => join(directory, 'backups', name)
  mkdirSync(join(directory, 'backups'))
  const nights = ['01', '02', '03', '04'].map((day) => `upvane-2026-01-${day}T031500.dump`)
  for (const name of nights)
    for (const file of [name, `${name}.json`]) writeFileSync(at(file), 'old')
  writeFileSync(at('upvane-2026-01-05T031500.dump'), 'incomplete')
  writeFileSync(at('mine.dump'), 'mine')
  const program = (name: string, line: string) => {
    const path = join(directory, name)
    writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    return path
  }
  const run = (upvane: string) =>
    execFileSync(
      '/bin/sh',
      [join(ROOT, 'deploy/upvane-backup.sh'), join(directory, 'backups'), '3'],
      {
        env: { PATH: process.env['PATH'] ?? '', UPVANE: upvane },
        stdio: 'pipe',
      },
    )
  const before = readdirSync(join(directory, 'backups'))
  assert.throws(() => run(program('failing', 'exit 1')))
  assert.deepEqual(readdirSync(join(directory, 'backups')), before)
  run(program('working', '[ "$1 $2" = "backup --scheduled" ] && touch "$3" "$3.json"'))
  const left = readdirSync(join(directory, 'backups'))
  assert.deepEqual(left.slice(0, 6), [
    'mine.dump',
    'upvane-2026-01-03T031500.dump',
    'upvane-2026-01-03T031500.dump.json',
    'upvane-2026-01-04T031500.dump',
    'upvane-2026-01-04T031500.dump.json',
    'upvane-2026-01-05T031500.dump',
  ])
  assert.equal(left.length, 8)
})

test('in a container a backup is written at 03:15 UTC, every night, also after one that failed', () => {
  const home = join(directory, 'nightly')
  mkdirSync(home)
  const program = (name: string, text: string) =>
    writeFileSync(join(home, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  writeFileSync(join(home, 'nightly.sh'), read('deploy/upvane-nightly.sh'))
  program('upvane-backup.sh', `echo "backup $*" >>${home}/log; exit 1`)
  // One second before the time, and then at it.
  program('date', `if [ -e ${home}/log ]; then echo 1767323700; else echo 1767323699; fi`)
  program('sleep', `echo "sleep $1" >>${home}/log; [ "$1" -lt 86400 ] || kill "$PPID"`)
  execFileSync('/bin/sh', [join(home, 'nightly.sh'), '/backups', '7'], {
    env: { PATH: `${home}:${process.env['PATH']}` },
    stdio: 'pipe',
  })
  assert.deepEqual(readFileSync(join(home, 'log'), 'utf8').trim().split('\n'), [
    'sleep 1',
    'backup /backups 7',
    'sleep 86400',
  ])
  assert.equal(new Date(1767323700 * 1000).toISOString(), '2026-01-02T03:15:00.000Z')
})

test('the command of a host takes the owner of the tables where it may, and never over a setting', () => {
  const script = read('deploy/upvane.sh')
    .replace('/etc/upvane/secrets/migrate_database_url', join(directory, 'owner'))
    .replace(/^exec .+$/m, 'echo "$' + '{MIGRATE_DATABASE_URL_FILE:-none}"')
  writeFileSync(join(directory, 'env'), '#MIGRATE_DATABASE_URL_FILE=x\n')
  const run = (more: Record<string, string> = {}) =>
    execFileSync('/bin/sh', ['-c', script], {
      env: { PATH: process.env['PATH'] ?? '', UPVANE_ENV_FILE: join(directory, 'env'), ...more },
      encoding: 'utf8',
    }).trim()
  assert.equal(run(), 'none')
  writeFileSync(join(directory, 'owner'), 'postgres://')
  assert.equal(run(), join(directory, 'owner'))
  assert.equal(run({ MIGRATE_DATABASE_URL: 'postgres://other' }), 'none')
  writeFileSync(join(directory, 'env'), 'MIGRATE_DATABASE_URL_FILE=/elsewhere\n')
  assert.equal(run(), 'none')
})

test('install.sh leaves /opt/upvane alone until the database is migrated, and goes back with the units of a version', () => {
  const script = read('deploy/install.sh')
  execFileSync('/bin/sh', ['-n', join(ROOT, 'deploy/install.sh')])
  const steps = script.slice(script.lastIndexOf('add_secrets\n'))
  assert.ok(steps.indexOf('migrate_database') < steps.indexOf('switch_version'))
  assert.ok(script.indexOf('mv /opt/upvane /opt/upvane-old') > script.indexOf('switch_version() {'))
})
