// Thirteen ways in which the service fails to do its work. For each, the operator gets one email within 60 s (if the relay
// refuses, the heartbeat URL is called instead). /readyz of a working API stays 200 and says why, and so does a metric.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { getPostgresFolder } from '../../../tools/services/executables.ts'
import { startNats } from '../../../tools/services/nats.ts'
import { until } from '../webhooks/fixture.ts'
import { HAS_DEFAULTS, startWatched, type Watched } from './watched-service.ts'

const ROLES = ['api', 'scheduler', 'dispatcher', 'janitor', 'probe']
const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const SHIFTED_CLOCK = join(import.meta.dirname, 'shifted-clock.ts')

let watched: Watched

before(async () => {
  watched = await startWatched()
  await Promise.all(ROLES.map((role) => watched.start(role)))
  const { url } = watched.page
  await watched.api.createMonitor({ type: 'HTTP', name: 'Page', url, intervalSeconds: 30 })
  await probeIsKnown()
})
after(() => watched.stop())

/** Recorded twice, four seconds apart: by then every process knows about it. */
async function probeIsKnown(): Promise<void> {
  const seen = async () =>
    (await watched.db.run<{ at: Date }>('select max(last_seen_at) as at from probes')).at(0)?.at
  await until('the probe', async () => (await seen()) instanceof Date, 20_000)
  const first = await seen()
  await until('its next word', async () => Number(await seen()) > Number(first), 20_000)
}

test('no probe', async () => {
  const about = /No live probe in region default/
  const plant = () => watched.service('probe').kill()
  await watched
    .breaks({ code: 'NO_PROBE', about, plant, seenBy: watched.service('api') })
    .finally(() => watched.start('probe'))
  await watched.recovers('NO_PROBE', about)
})

test('no bus', async () => {
  const about = /NATS cannot be reached/
  const plant = async () => watched.stack.nats?.kill()
  await watched
    .breaks({ code: 'NO_BUS', about, plant, seenBy: watched.service('api') })
    .finally(() => watched.stack.nats?.restart())
  assert.ok(!watched.subjects().at(-1)?.includes('No live probe'), 'only the cause is reported')
  await watched.recovers('NO_BUS', about)
})

/** As a timer runs it. `path` is where it looks for pg_dump. */
async function backUp(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'upvane-backup-'))
  try {
    await promisify(execFile)(
      process.execPath,
      [MAIN, 'backup', '--scheduled', join(folder, 'night.dump')],
      { env: { ...watched.stack.env, PATH: path } },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a frozen dispatcher, no janitor, a clock that is off, a probe of another configuration and no backup, all at once', async () => {
  const api = watched.service('api')
  const faults = [
    {
      code: 'NO_DISPATCHER',
      about: /No dispatcher is running/,
      plant: async () => void watched.service('dispatcher').process.kill('SIGSTOP'),
      seenBy: api,
    },
    {
      code: 'NO_JANITOR',
      about: /No janitor is running/,
      plant: () => watched.service('janitor').kill(),
      seenBy: api,
    },
    {
      code: 'CLOCK_OFF',
      about: /The clock is 60 s off the database's clock \(api on /,
      plant: () =>
        watched.stack.start('api', { env: { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}` } }),
      seenBy: api,
    },
    {
      code: 'CONFIGURATION_DIFFERS',
      about: /PROBE_ALLOW_CIDRS differs: probe-/,
      plant: () => watched.stack.start('probe', { env: { PROBE_ALLOW_CIDRS: '10.0.0.0/8' } }),
      seenBy: api,
    },
    {
      code: 'BACKUP_OLD',
      about: /The last nightly backup failed/,
      plant: () => assert.rejects(backUp('/nonexistent'), /pg_dump was not found/),
      seenBy: api,
    },
  ]
  const other: { stop(): Promise<unknown> }[] = []
  const broken = await Promise.allSettled(
    faults.map((fault) =>
      watched.breaks({
        ...fault,
        async plant() {
          const started = await fault.plant()
          if (started) other.push(started)
        },
      }),
    ),
  )
  await watched.service('dispatcher').kill()
  await Promise.all([
    ...other.map((one) => one.stop()),
    watched.start('dispatcher'),
    watched.start('janitor'),
    backUp(getPostgresFolder()),
  ])
  assert.deepEqual(
    broken.flatMap((one) => (one.status === 'rejected' ? String(one.reason) : [])),
    [],
  )
  for (const { code, about } of faults) await watched.recovers(code, about)
})

test('no API, and a scheduler that NATS refuses', async () => {
  const seenBy = watched.service('janitor')
  const strict = await startNats({
    config: 'authorization { user: "upvane", password: "right" }',
  })
  const noScheduler = {
    code: 'NO_SCHEDULER',
    about: /No scheduler is running/,
    seenBy,
    async plant() {
      await watched.service('scheduler').kill()
      const NATS_URL = strict.url.replace('//', '//upvane:wrong@')
      await assert.rejects(watched.stack.start('scheduler', { env: { NATS_URL } }), /NATS refuses/)
    },
  }
  const noApi = {
    code: 'NO_API',
    about: /No API process is running/,
    seenBy,
    plant: () => watched.service('api').kill(),
  }
  const broken = await Promise.allSettled([watched.breaks(noScheduler), watched.breaks(noApi)])
  await Promise.all([strict.stop(), watched.start('scheduler'), watched.start('api')])
  for (const one of broken) assert.equal(one.status, 'fulfilled', JSON.stringify(one))
  for (const { code, about } of [noScheduler, noApi]) await watched.recovers(code, about)
})

test('a read-only database', async () => {
  const about = /The database cannot write: it is read-only/
  const set = async (value: string) => {
    const admin = new pg.Client({ connectionString: watched.stack.databaseUrl })
    await admin.connect()
    await admin.query(`alter system set default_transaction_read_only = ${value}`)
    await admin.query('select pg_reload_conf()')
    await admin.end()
  }
  const plant = () => set('on')
  await watched
    .breaks({ code: 'WRITES_FAIL', about, plant, seenBy: watched.service('api') })
    .finally(() => set('off'))
  await watched.recovers('WRITES_FAIL', about)
})

// With short settings they are in self-watch.test.ts.
const skip = HAS_DEFAULTS ? false : 'with npm run long watch'

test('a frozen scheduler', { skip }, async () => {
  const about = /No scheduler is running/
  const { process: scheduler } = watched.service('scheduler')
  const plant = async () => scheduler.kill('SIGSTOP')
  await watched
    .breaks({ code: 'NO_SCHEDULER', about, plant, seenBy: watched.service('api') })
    .finally(() => scheduler.kill('SIGCONT'))
  await watched.recovers('NO_SCHEDULER', about)
})

test('a frozen PostgreSQL', { skip }, async () => {
  const about = /The database does not answer/
  const { postgres } = watched.stack
  const plant = async () => postgres.freeze()
  const seenBy = watched.service('api')
  await watched
    .breaks({ code: 'DATABASE_UNREACHABLE', about, plant, seenBy, status: 503 })
    .finally(() => postgres.thaw())
  await watched.recovers('DATABASE_UNREACHABLE', about)
})

test('a PostgreSQL without a free connection', { skip }, async () => {
  const about = /PostgreSQL has no connection left/
  const limit = (count: number) => watched.db.run(`alter role upvane connection limit ${count}`)
  const plant = async () => {
    await limit(0)
    await watched.db.run(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'upvane'`,
    )
  }
  const seenBy = watched.service('api')
  await watched
    .breaks({ code: 'DATABASE_UNREACHABLE', about, plant, seenBy, status: 503 })
    .finally(() => limit(-1))
  await watched.recovers('DATABASE_UNREACHABLE', about)
})

test('late: checks that fall due and cannot be planned', async () => {
  const about = /Checks are late/
  const plant = () =>
    until('a check to be due', async () => {
      const due =
        'next_due_at < now() and monitor_no = (select max(monitor_no) from monitor_states)'
      return (await watched.db.count('monitor_states', due, [])) === 1
    })
  await watched.db.holding('lock table monitors in access exclusive mode', [], () =>
    watched.breaks({ code: 'CHECKS_LATE', about, plant, seenBy: watched.service('api') }),
  )
  await watched.recovers('CHECKS_LATE', about)
})

test('an expired password of the relay: no email can say so, but the heartbeat address and a metric do', async () => {
  const before = watched.subjects().length
  watched.failures.length = 0
  watched.login.password = 'another-password'
  const startMs = performance.now()
  const said = () => watched.failures.find((text) => /mail relay.*535/.test(text))
  await until('the heartbeat to fail', async () => said() !== undefined, 60_000).catch(
    (error: unknown) => {
      watched.login.password = 'first-password'
      throw error
    },
  )
  console.log(
    `RELAY_REFUSES: the heartbeat failed after ${((performance.now() - startMs) / 1000).toFixed(1)} s`,
  )
  const api = watched.service('api')
  await until('it in /readyz', async () => {
    const { status, conditions } = await watched.conditionsOf(api)
    return status === 200 && conditions.some(({ code }) => code === 'RELAY_REFUSES')
  })
  // What reads their name of the version before finds the same.
  const shown = await (await fetch(`${api.internalUrl}/readyz`)).json()
  const { conditions, troubles } = shown as Record<'conditions' | 'troubles', object[]>
  assert.deepEqual(troubles, conditions)
  const metrics = await watched.metricsOf(api)
  for (const name of ['upvane_condition', 'upvane_trouble'])
    assert.match(metrics, new RegExp(`^${name}\\{code="RELAY_REFUSES"\\} 1$`, 'm'))
  for (const name of ['upvane_self_watch_condition', 'upvane_self_watch_troubled'])
    assert.match(metrics, new RegExp(`^${name} 1$`, 'm'))
  assert.doesNotMatch(await watched.metricsOf(api), /first-password/)
  watched.login.password = 'first-password'
  await until(
    'no condition',
    async () => (await watched.conditionsOf(api)).conditions.length === 0,
    120_000,
  )
  assert.equal(
    watched.subjects().length,
    before,
    'what was never reported has no recovery to report',
  )
})

test('a full disk of the database', { concurrency: true }, async () => {
  const full = await startWatched()
  const mount = mkdtempSync(join(tmpdir(), 'upvane-small-disk-'))
  const filler = join(mount, 'filler')
  try {
    await moveToSmallDisk(full, mount)
    const service = await full.start('start')
    const about = /The database cannot write: its disk is full/
    const { api } = full
    await api.createMonitor({ type: 'CRON', name: 'x', expectedPeriodSec: 3600, graceSeconds: 60 })
    const plant = async () => fillDisk(mount, filler)
    const write = setInterval(() => void create(full).catch(() => undefined), 500)
    // PostgreSQL may refuse new connections too: it has to write a file for the first one after catalogs have changed.
    await full
      .breaks({ code: 'WRITES_FAIL', about, plant, seenBy: service, status: [200, 503] })
      .finally(() => clearInterval(write))
    rmSync(filler)
    await full.recovers('WRITES_FAIL', about)
    await create(full)
  } finally {
    await full.stop()
    execFileSync('umount', ['-l', mount])
    rmSync(mount, { recursive: true })
  }
})

const create = (full: Watched) =>
  full.api.createMonitor({
    type: 'HTTP',
    name: 'x'.repeat(80),
    url: `${full.page.url}?${'x'.repeat(1500)}`,
    intervalSeconds: 3600,
  })

/** Moves all tables of the database, but not its write-ahead log, to a separate 128 MB. */
async function moveToSmallDisk({ stack }: Watched, mount: string): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m,mode=0777', 'tmpfs', mount])
  const space = join(mount, 'space')
  mkdirSync(space)
  // The account that PostgreSQL runs as.
  const { uid, gid } = statSync(stack.postgres.directory)
  execFileSync('chown', [`${uid}:${gid}`, space])
  execFileSync('chmod', ['755', mount])
  const admin = new pg.Client({ connectionString: stack.postgres.url })
  await admin.connect()
  await admin.query(`create tablespace small location '${space}'`)
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'upvane'`,
  )
  await admin.query('alter database upvane set tablespace small')
  await admin.end()
}

function fillDisk(mount: string, file: string): void {
  const { bavail, bsize } = statfsSync(mount)
  try {
    writeFileSync(file, Buffer.alloc(bavail * bsize))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
}
