// The data of the one container: moved to another PostgreSQL, brought to another major version, and on disks that refuse.
// From this checkout, with the PostgreSQL that is installed and the newer one from npm.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findEmbeddedPostgres } from '../../tools/services/embedded-postgres.ts'
import { getPostgresFolder } from '../../tools/services/executables.ts'
import { startPostgres } from '../../tools/services/postgres.ts'
import { startStack } from '../../tools/stack.ts'
import { Visitor } from '../kit/private-client.ts'
import { PastDays } from '../long/past-days.ts'
import { findObstacle } from './abilities.ts'
import { type Content, readContent, readOwnContent } from './database-content.ts'
import { skipUnlessLong } from './large.ts'
import { getAccount, OwnData, type Saved } from './own-data.ts'
import { run } from './shell.ts'

const skip = findObstacle('mounts') ?? false
const older = getPostgresFolder()
const newer = findEmbeddedPostgres() ?? older
// Needs PostgreSQL, and changes nothing.
const HARMLESS = ['restore', '/nowhere/none.dump']
const KILLS = process.env['DEPLOY_LONG'] === '1' ? 20 : 3

test('move-out copies everything to a PostgreSQL of the same and of a newer major version', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t)
  await fill(data)
  const before = await readOwnContent(data.directory, older)
  for (const folder of [older, newer]) {
    const target = await openTarget(t, folder)
    const { code, stdout, stderr } = await data.command(older, ['move-out'], target)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Copied \d+ rows of \d+ tables, schema 0/)
    assertSame(await readContent(target.MIGRATE_DATABASE_URL), before, 'move-out')
    // With what it said to set, and nothing else of the volume.
    const MASTER_KEYS_FILE = join(data.directory, 'secrets/master_keys')
    const { DATABASE_URL } = target
    await data.start('/nowhere', { DATABASE_URL, MASTER_KEYS_FILE })
    assert.equal(await countMonitors(data), 2)
    assert.equal(await data.stop(), 0)
    const again = await data.command(older, ['move-out'], target)
    assert.equal(again.code, 2)
    assert.match(again.stderr, /^The database that MIGRATE_DATABASE_URL names is not empty/)
  }
  assert.deepEqual(await readOwnContent(data.directory, older), before, 'the old data')
  assert.deepEqual(readdirSync(data.directory).toSorted(), [
    'backups',
    'lock',
    'postgres',
    'run',
    'secrets',
  ])
})

test('move-out refuses in a sentence what it cannot do, and copies nothing', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t)
  const target = await openTarget(t, older)
  const refuse = async (
    programs: string,
    environment: Record<string, string>,
    sentence: RegExp,
  ) => {
    const { code, stdout, stderr } = await data.command(programs, ['move-out'], environment)
    assert.notEqual(code, 0)
    assert.equal(stdout, '')
    assert.match(stderr, sentence)
    assert.ok(!stderr.includes('    at '), stderr)
  }
  await refuse(older, target, /has no database to move\.$/m)
  await refuse(older, {}, /^Set DATABASE_URL and MIGRATE_DATABASE_URL to the new database/)
  await refuse(older, { ...target, UPVANE_DATA: '' }, /^Only a container with its own PostgreSQL/)
  await data.start(newer)
  await refuse(newer, target, /^Upvane runs already with .+\. Stop the other container first\./m)
  await data.stop()
  await refuse(
    newer,
    target,
    /^The new database is of PostgreSQL 15, and the data are of PostgreSQL 18\. Move to/m,
  )
  const nobody = target.DATABASE_URL.replace('upvane@', 'nobody@')
  const elsewhere = { ...target, DATABASE_URL: nobody }
  rmSync(join(data.directory, 'postgres'), { recursive: true })
  await data.start(older)
  await data.stop()
  await refuse(older, elsewhere, /^The database refuses this login\./m)
  const empty = await readContent(target.MIGRATE_DATABASE_URL)
  assert.deepEqual(Object.keys(empty), [])
})

test('an image with a newer PostgreSQL upgrades the data, also when it is killed again and again', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t)
  const names = () => readdirSync(data.directory).filter((name) => name.startsWith('postgres'))
  await fill(data)
  const before = await readOwnContent(data.directory, older)
  for (let kill = 0; kill < KILLS; kill++) {
    const upgrading = data.command(newer, HARMLESS)
    await delay(700 + ((kill * 1_997) % 6_000))
    await data.kill()
    await upgrading
  }
  const { stderr } = await data.command(newer, HARMLESS)
  assert.match(stderr, /none\.dump\.json does not exist/)
  assert.deepEqual(names().toSorted(), ['postgres', 'postgres.15'])
  assert.equal(versionOf(data), '18')
  assertSame(await readOwnContent(data.directory, newer), before, 'upgrade')
  assert.deepEqual(await readOwnContent(data.directory, older, 'postgres.15'), before)

  await data.start(newer)
  assert.equal(await countMonitors(data), 2)
  await data.stop()
  assert.deepEqual(names().toSorted(), ['postgres', 'postgres.15'], 'within a day')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  utimesSync(join(data.directory, 'postgres.15/upgraded'), yesterday, yesterday)
  await data.start(newer)
  assert.deepEqual(names(), ['postgres'])
  await data.stop()
})

test('an upgrade that was killed before its last step is finished; the kept data go back under an older image', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t)
  const at = (...path: string[]) => join(data.directory, ...path)
  await fill(data)
  const before = await readOwnContent(data.directory, older)
  await data.command(newer, HARMLESS)
  // As it is between the two renames.
  mkdirSync(at('copy'))
  chownSync(at('copy'), getAccount().uid, getAccount().gid)
  renameSync(at('postgres'), at('copy/postgres'))
  writeFileSync(at('copy/complete'), '')
  await data.command(newer, HARMLESS)
  assertSame(await readOwnContent(data.directory, newer), before, 'upgrade')
  assert.equal(existsSync(at('copy')), false)
  renameSync(at('postgres'), at('postgres.18'))
  renameSync(at('postgres.15'), at('postgres'))
  await data.start(older)
  assert.equal(await countMonitors(data), 2)
  await data.stop()
})

test('an upgrade without space, or back to an older version, ends with a sentence and changes nothing', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t, '160m')
  await fill(data)
  const before = await readOwnContent(data.directory, older)
  const full = await data.tryStart(newer)
  assert.match(
    full.stderr,
    /The data are of PostgreSQL 15, .+ The upgrade needs \d+ MiB in .+ are free\./,
  )
  assert.deepEqual(await readOwnContent(data.directory, older), before)
  const other = await OwnData.open(t)
  await other.start(newer)
  await other.stop()
  const back = await other.tryStart(older)
  assert.match(
    back.stderr,
    /^The data are of PostgreSQL 18, .+ Use an image with PostgreSQL 18 or newer\.$/m,
  )
})

test('a disk that gets full while it runs loses nothing that was acknowledged, and the next start ends with a sentence', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t, '200m')
  await fill(data)
  await data.start(older)
  const [{ id } = { id: '' }] = ((await data.api('GET', '/monitors')) as { data: { id: string }[] })
    .data
  const file = join(data.directory, 'filled')
  const rename = (count: number) => data.api('PATCH', `/monitors/${id}`, { name: String(count) })
  let acknowledged = 0
  // What a write needs may have been reserved before.
  while (
    await rename(acknowledged + 1).then(
      () => true,
      () => false,
    )
  ) {
    acknowledged++
    fillDisk(file)
  }
  // What it reads is still answered.
  assert.equal(await countMonitors(data), 2)
  assert.match(data.output, /No space left on device/)
  await data.kill()
  const full = await data.tryStart(older)
  assert.match(full.stderr, /^\S+ is full: \d+ MiB are free, and PostgreSQL needs 32 MiB\./)
  assert.equal(full.stdout, '')
  rmSync(file)
  await data.start(older)
  const { name } = (await data.api('GET', `/monitors/${id}`)) as { name: string }
  assert.ok(Number(name) >= acknowledged && acknowledged > 0, `${name} of ${acknowledged}`)
})

test('a disk that is read-only at the start ends it with a sentence and is as it was', {
  skip,
}, async (t) => {
  const data = await OwnData.open(t)
  await fill(data)
  await run(['mount', '-o', 'remount,ro', data.directory])
  const before = await listFiles(data)
  const { code, stdout, stderr } = await data.tryStart(older)
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /^\S+ cannot be written \(EROFS\)\. It must be on a disk that is not full or read-only/,
  )
  assert.equal(stdout, '')
  assert.equal(await listFiles(data), before)
  await run(['mount', '-o', 'remount,rw', data.directory])
  await data.start(older)
  assert.equal(await countMonitors(data), 2)
})

test('move-out and an upgrade with 90 days of history and a million results are exact', {
  skip: skipUnlessLong('mounts'),
}, async (t) => {
  const data = await OwnData.open(t, '4g')
  await makeHistory(data)
  const before = await readOwnContent(data.directory, older)
  assert.ok(Number(before['results']?.split(' ')[0]) > 1e6, String(before['results']))
  for (const folder of [older, newer]) {
    const target = await openTarget(t, folder)
    const startMs = Date.now()
    const { code, stderr } = await data.command(older, ['move-out'], target)
    assert.equal(code, 0, stderr)
    t.diagnostic(`move-out took ${((Date.now() - startMs) / 1000).toFixed(1)} s`)
    assertSame(await readContent(target.MIGRATE_DATABASE_URL), before, 'move-out')
  }
  const sizeOf = (name: string) => run(['du', '-sm', join(data.directory, name)])
  const size = await sizeOf('postgres')
  const { stdout } = await data.command(newer, HARMLESS)
  assertSame(await readOwnContent(data.directory, newer), before, 'upgrade')
  const upgraded = stdout.split('\n').find((line) => line.includes('"msg":"upgraded"'))
  t.diagnostic(`before ${size.trim()}, after ${(await sizeOf('postgres')).trim()}: ${upgraded}`)
})

/** Forty monitors, and a result of each every five minutes for 90 days. */
async function makeHistory(data: OwnData): Promise<void> {
  const stack = await startStack({ nats: false })
  try {
    const service = await stack.start('start')
    for (let n = 0; n < 40; n++) {
      const monitor = { name: `M ${n}`, type: 'PORT', host: '127.0.0.1', port: 1 + n }
      const response = await fetch(`${service.baseUrl}/api/v1/monitors`, {
        method: 'POST',
        headers: { 'X-API-Key': stack.keys.full, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...monitor, intervalSeconds: 60 }),
      })
      assert.equal(response.status, 201, await response.text())
    }
    await service.stop()
    const past = new PastDays(stack.databaseUrl, 5)
    for (let daysAgo = 1; daysAgo <= 90; daysAgo++) await past.write(daysAgo)
    const file = join(data.directory, 'history.dump')
    const { DATABASE_URL = '', MIGRATE_DATABASE_URL = '', MASTER_KEYS = '' } = stack.env
    const source = { DATABASE_URL, MIGRATE_DATABASE_URL, MASTER_KEYS }
    const made = await data.command(older, ['backup', file], source)
    assert.equal(made.code, 0, made.stderr)
    const restored = await data.command(older, ['restore', file])
    assert.equal(restored.code, 0, restored.stderr)
    rmSync(file)
  } finally {
    await stack.stop()
  }
}

/** All of the space that is left, again and again: PostgreSQL frees some. */
function fillDisk(file: string): void {
  const { bavail, bsize } = statfsSync(dirname(file))
  const block = Buffer.alloc(Number(bavail) * bsize)
  if (block.length > 0) appendFileSync(file, block)
}

const listFiles = ({ directory }: OwnData): Promise<string> =>
  run(['bash', '-c', `cd ${directory} && find . -type f -printf '%p %s %T@\n' | sort | sha256sum`])

let filled: Saved | undefined

/** An account, a key and two monitors that were checked. Ended by kill -9. Made once, and copied for each test. */
async function fill(data: OwnData): Promise<void> {
  if (filled === undefined) {
    await makeContent(data)
    filled = await data.save()
  } else await data.restore(filled)
}

async function makeContent(data: OwnData): Promise<void> {
  await data.start(older)
  const visitor = new Visitor({ baseUrl: data.url, origin: 'http://localhost:8080' })
  const token = await data.setUpToken()
  const password = 'correct horse battery staple'
  const account = { name: 'Ana', email: 'ana@example.com', password, organization: 'Acme', token }
  assert.equal((await visitor.post('/setup', account)).status, 201)
  const created = await data.operate(older, 'key', 'create', '--name', 'Test', '--json')
  data.key = (JSON.parse(created) as { key: string }).key
  for (const port of [1, 2])
    await data.api('POST', '/monitors', {
      name: `Port ${port}`,
      type: 'PORT',
      host: '127.0.0.1',
      port,
      intervalSeconds: 30,
    })
  for (let incidents = 0; incidents < 2; await delay(200))
    incidents = ((await data.api('GET', '/incidents')) as { data: unknown[] }).data.length
  await data.kill()
}

async function countMonitors(data: OwnData): Promise<number> {
  return ((await data.api('GET', '/monitors')) as { data: unknown[] }).data.length
}

const versionOf = (data: OwnData): string =>
  readFileSync(join(data.directory, 'postgres/PG_VERSION'), 'utf8').trim()

type Target = { DATABASE_URL: string; MIGRATE_DATABASE_URL: string }

/** An empty database with its two accounts. */
async function openTarget(
  t: { after(end: () => Promise<void>): void },
  programs: string,
): Promise<Target> {
  process.env['TEST_POSTGRES_FOLDER'] = programs
  const server = await startPostgres()
  delete process.env['TEST_POSTGRES_FOLDER']
  t.after(() => server.stop())
  await server.createDatabase('moved')
  const MIGRATE_DATABASE_URL = server.databaseUrl('moved', 'upvane_owner')
  return { DATABASE_URL: server.databaseUrl('moved'), MIGRATE_DATABASE_URL }
}

/** All but what the command itself wrote: its line in the log; and the processes of then are not in a copy. */
function assertSame(found: Content, expected: Content, action: string): void {
  const different = Object.keys({ ...found, ...expected }).filter(
    (name) => found[name] !== expected[name],
  )
  const written = ['operator_log', 'processes', 'sequence operator_log_id_seq']
  assert.deepEqual(
    different.filter((name) => !written.includes(name)),
    [],
    action,
  )
  assert.ok(different.includes('operator_log'), 'the log has a line')
  assert.ok(Object.keys(found).length > 300, `${Object.keys(found).length} things were compared`)
}
