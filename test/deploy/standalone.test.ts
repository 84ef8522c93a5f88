// One container that keeps its data: the image with a volume and nothing else.
import assert from 'node:assert/strict'
import { readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Visitor } from '../kit/private-client.ts'
import { findObstacle } from './abilities.ts'
import { getRelease } from './release.ts'
import { run } from './shell.ts'
import { Standalone } from './standalone-container.ts'

const skip = findObstacle('containers') ?? false
const KILLS = process.env['DEPLOY_LONG'] === '1' ? 50 : 3
const START_SECONDS = 20
const STOP_SECONDS = 30
const WRITERS = 4
const GREEN_SECONDS = 60

const volume = `upvane-${process.pid}`
let key = ''
const monitors: string[] = []

before(async () => {
  if (skip === false) await getRelease()
})

test('from nothing to the first green check by one command', { skip }, async (t) => {
  const startMs = Date.now()
  const container = await Standalone.start(volume)
  t.after(() => container.end())
  const link = await container.waitForOutput(/"link":"(http:\/\/localhost:[^"]+\/setup#[^"]+)"/)
  await container.waitUntilReady()
  const readySeconds = (Date.now() - startMs) / 1000
  const visitor = new Visitor({ baseUrl: container.url, origin: new URL(link).origin })
  const token = new URL(link).hash.slice(1)
  const password = 'correct horse battery staple'
  const account = { name: 'Ana', email: 'ana@example.com', password, organization: 'Acme', token }
  const created = await visitor.post('/setup', account)
  assert.ok(created.status < 300, created.text)
  key = (
    JSON.parse(await container.exec('upvane', 'key', 'create', '--name', 'Test', '--json')) as {
      key: string
    }
  ).key
  monitors.push(await createMonitor(container))
  await waitUntilUp(container)
  const size = await container.imageBytes()
  t.diagnostic(
    `ready after ${readySeconds.toFixed(1)} s, first green check after ${((Date.now() - startMs) / 1000).toFixed(1)} s; image ${Math.round(size / 1e6)} MB with its base`,
  )
  await assertClosed(container)
  const doctor = await container.exec('upvane', 'doctor')
  assert.match(doctor, /^ok +database +PostgreSQL \d+/m)
  assert.match(doctor, /^ok +backups +the first one is due within a day$/m)
  assert.match(doctor, /^warn +backups +\/data\/backups is on the same volume as the data/m)
  const nightly = ['/app/deploy/upvane-backup.sh', '/data/backups']
  assert.match(await container.exec(...nightly), /^Backed up \d+ rows/)
  const { seconds, code } = await container.stop()
  assert.equal(code, 0, container.output)
  assert.ok(seconds < STOP_SECONDS, `stopped after ${seconds} s`)
  const order = ['"part":"internal","msg":"stopped"', 'database system is shut down']
  const places = order.map((text) => container.output.indexOf(text))
  assert.ok(places.every((place) => place >= 0))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    'PostgreSQL stops last',
  )
  for (const secret of await secretsOf(container)) assert.ok(!container.output.includes(secret))
})

test('kill -9 of the container under load loses nothing that was acknowledged', {
  skip,
}, async (t) => {
  let container = await Standalone.start(volume)
  t.after(() => container.end())
  await container.waitUntilReady()
  while (monitors.length < WRITERS) monitors.push(await createMonitor(container))
  const acknowledged = new Map(monitors.map((id) => [id, 0]))
  const starts: number[] = []
  for (let round = 0; round < KILLS; round++) {
    const writers = monitors.map((id) => writeUntilKilled(container, id, acknowledged))
    await delay(300 + Math.random() * 1_200)
    await container.kill()
    await Promise.all(writers)
    const startMs = Date.now()
    container = await Standalone.start(volume)
    await container.waitUntilReady()
    starts.push((Date.now() - startMs) / 1000)
    for (const [id, count] of acknowledged) {
      const { name } = (await container.api('GET', `/monitors/${id}`, key)) as { name: string }
      assert.ok(Number(name) >= count, `${id} is ${name}, and ${count} was acknowledged`)
    }
  }
  const writes = [...acknowledged.values()].reduce((sum, count) => sum + count, 0)
  assert.ok(writes >= KILLS, 'there was no load')
  const slowest = Math.max(...starts)
  t.diagnostic(`${KILLS} kills, ${writes} writes kept, slowest start ${slowest.toFixed(1)} s`)
  assert.ok(slowest < START_SECONDS, `a start took ${slowest} s`)
  const postmaster = await container.exec('sed', '-n', '1p', '/data/postgres/postmaster.pid')
  const killing = `process.kill(${postmaster.trim()}, 'SIGKILL')`
  await container.exec('/app/node_modules/.bin/node', '-e', killing)
  await container.waitForOutput(/PostgreSQL ended; it is started again/)
  await container.waitForOutput(/(again)[\s\S]*ready to accept connections/)
  await waitUntilUp(container)
})

test('a nightly backup is restored into a new database of the same volume', { skip }, async (t) => {
  const data = await Standalone.pathOf(volume)
  const backups = readdirSync(join(data, 'backups')).filter((name) => name.endsWith('.dump'))
  assert.equal(backups.length, 1)
  renameSync(join(data, 'postgres'), join(data, 'postgres.broken'))
  const command = ['restore', `/data/backups/${backups[0]}`]
  const { code, stdout, stderr } = await Standalone.tryStart(['-v', `${volume}:/data`], command)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Restored \d+ rows of \d+ tables/m)
  const container = await Standalone.start(volume)
  t.after(() => container.end())
  await container.waitUntilReady()
  await waitUntilUp(container)
})

test('a first start that is killed leaves nothing that stops the next one', { skip }, async (t) => {
  const other = `${volume}-killed`
  for (const seconds of [0.8, 1.6, 2.4]) {
    const killed = await Standalone.start(other)
    await delay(seconds * 1000)
    await killed.kill()
  }
  const container = await Standalone.start(other)
  t.after(() => container.end())
  await container.waitUntilReady()
})

test('what cannot work ends with one sentence', { skip }, async () => {
  const refusals: [string, string[], RegExp][] = [
    ['no volume', [], /^No volume is mounted at \/data,/],
    ['read-only', ['-v', `${volume}:/data:ro`], /^\/data cannot be written \(EROFS\)\./],
    [
      'full',
      ['--mount', 'type=tmpfs,destination=/data,tmpfs-size=8m'],
      /^\/data is full: \d MiB are free/,
    ],
    [
      'another database',
      ['-v', `${volume}-empty:/data`, '--env', 'DATABASE_URL=postgres://upvane@127.0.0.1:1/upvane'],
      /^The configuration has 1 problem\(s\):\n {2}MASTER_KEYS is required/,
    ],
  ]
  for (const [what, args, sentence] of refusals) {
    const { code, stdout, stderr } = await Standalone.tryStart(args)
    assert.notEqual(code, 0, what)
    assert.equal(stdout, '', what)
    assert.match(stderr, sentence, what)
    assert.ok(!stderr.includes('    at '), stderr)
  }
  assert.deepEqual(readdirSync(await Standalone.pathOf(`${volume}-empty`)), [])
  const data = await Standalone.pathOf(volume)
  writeFileSync(join(data, 'postgres/PG_VERSION'), '14\n')
  const older = await Standalone.tryStart(['-v', `${volume}:/data`])
  assert.match(
    older.stderr,
    /^The data are of PostgreSQL 14, and this image has PostgreSQL \d+, without/,
  )
})

async function createMonitor(container: Standalone): Promise<string> {
  const monitor = { name: '0', type: 'HTTP', url: `${container.url}/docs`, intervalSeconds: 30 }
  return ((await container.api('POST', '/monitors', key, monitor)) as { id: string }).id
}

/** Each container has a port of its own. The write may have to wait for PostgreSQL. */
async function waitUntilUp(container: Standalone): Promise<void> {
  const path = `/monitors/${monitors[0]}`
  const moved = { url: `${container.url}/docs` }
  let isMoved = false
  for (const deadline = Date.now() + GREEN_SECONDS * 1000; Date.now() < deadline; ) {
    isMoved ||= await container.api('PATCH', path, key, moved).then(
      () => true,
      () => false,
    )
    const found = (await container.api('GET', path, key).catch(() => ({}))) as { state?: string }
    if (isMoved && found.state === 'UP') return
    await delay(200)
  }
  throw new Error('The monitor did not come up.')
}

async function writeUntilKilled(
  container: Standalone,
  id: string,
  acknowledged: Map<string, number>,
): Promise<void> {
  for (let count = (acknowledged.get(id) ?? 0) + 1; ; count++) {
    try {
      await container.api('PATCH', `/monitors/${id}`, key, { name: String(count) })
    } catch {
      return
    }
    acknowledged.set(id, count)
  }
}

/** Files are closed to others, and nothing listens but the service. */
async function assertClosed(container: Standalone): Promise<void> {
  const data = await Standalone.pathOf(volume)
  const modeOf = (path: string) => (statSync(join(data, path)).mode & 0o777).toString(8)
  for (const path of ['.', 'secrets', 'postgres', 'run', 'backups'])
    assert.equal(modeOf(path), '700', path)
  for (const name of ['master_keys', 'database_url', 'migrate_database_url'])
    assert.equal(modeOf(join('secrets', name)), '600', name)
  const namespace = (await container.exec('readlink', '/proc/self/ns/pid')).trim()
  const sockets = await run([
    'ss',
    '--listening',
    '--tcp',
    '--numeric',
    '--processes',
    '--no-header',
  ])
  const listeners = sockets.split('\n').flatMap((line) => {
    const [, port, pid] = /:(\d+)\s.*pid=(\d+)/.exec(line) ?? []
    return pid !== undefined && Standalone.namespaceOf(pid) === namespace ? [Number(port)] : []
  })
  assert.deepEqual(listeners.toSorted(), [...container.ports].toSorted())
}

async function secretsOf(container: Standalone): Promise<string[]> {
  const data = await Standalone.pathOf(container.volume)
  const text = await run([
    'cat',
    ...['master_keys', 'database_url', 'migrate_database_url'].map((name) =>
      join(data, 'secrets', name),
    ),
  ])
  const found = [...text.matchAll(/:([0-9a-f]{48})@|:([A-Za-z0-9+/=]{44})$/gm)]
  assert.equal(found.length, 3)
  return found.map(([, password, masterKey]) => password ?? masterKey ?? '')
}
