// An upgrade under load: 20 requests a second, checks and a backup continue. No request fails, and every slot is
// recorded. A migration that locks for long is noticed.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startStack } from '../../../tools/stack.ts'
import { toId } from '../../kit/ids.ts'
import { judge } from '../../oracle/judge.ts'
import { openTargets } from '../engine/targets.ts'
import { assertSound, keys, World } from '../engine/world.ts'
import { addFiller, startSlowDump } from './slow-dump.ts'
import { type Report, Traffic } from './traffic.ts'
import { checkOut, EARLIER, isInHistory, stackOf, type Version, withMigration } from './versions.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DUMP_SECONDS = Number(process.env['UPGRADE_DUMP_SECONDS'] ?? 6)
const AFTER_SECONDS = Number(process.env['UPGRADE_AFTER_SECONDS'] ?? 6)
const HEALTHY = Number(process.env['UPGRADE_MONITORS'] ?? 60)
const BROKEN = 10
const BEFORE_MS = 2000
const FIRST_CHECKS_MS = 30_000
const SETTLE_MS = 45_000
const PLENTY = 1_000_000

describe('upgrade', { concurrency: 1 }, () => {
  for (const [newest, commit] of Object.entries(EARLIER)) {
    const skip = !isInHistory(commit) && `this clone has no commit ${commit}`
    test(`from ${newest}: no request fails, every slot is on record`, { skip }, async (t) => {
      const version = checkOut(commit)
      try {
        await upgradeFrom(t, await openAt(await stackOf(version)))
      } finally {
        version.remove()
      }
    })
  }

  test('a migration that changes busy tables in an instant is not noticed', async (t) => {
    const report = await migratePlanted(
      t,
      `alter table monitor_states add column planted integer;
       alter table monitors add column planted integer;
       alter table incidents add column planted integer`,
    )
    assert.deepEqual(report.failures, [])
  })

  test('a migration that locks a busy table for long is noticed', async (t) => {
    const report = await migratePlanted(
      t,
      `alter table monitors add column planted integer;
       select pg_sleep(6)`,
    )
    assert.ok(report.failures.length > 0)
    assert.ok(report.slowestMs > 5000)
  })
})

/** The old version serves during the migration; the new one takes over before the old one stops. */
async function upgradeFrom(t: TestContext, world: World): Promise<void> {
  try {
    const old = await world.stack.start('start')
    const traffic = await open(t, world, old.baseUrl)
    const dump = await startSlowDump(world.stack.databaseUrl, DUMP_SECONDS)
    const startMs = performance.now()
    const applied = await migrate(world, { directory: ROOT })
    const migratedMs = performance.now() - startMs
    // The old version on the new schema, as between the migration and the restart.
    await sleep(BEFORE_MS)
    world.baseUrl = await world.crew.hire('new', { command: 'start' })
    await traffic.drained()
    assert.equal(await old.stop(), 0)
    const { tookMs, bytes, code } = await dump.ended
    assert.equal(code, 0, 'pg_dump failed')
    assert.ok(tookMs >= DUMP_SECONDS * 1000)
    await sleep(AFTER_SECONDS * 1000)
    const endedMs = Date.now()
    const report = await traffic.stop()
    t.diagnostic(`${applied.length} migrations in ${seconds(migratedMs)} s, ${show(report)}`)
    t.diagnostic(`pg_dump: ${seconds(tookMs)} s, ${bytes} bytes`)
    await assertRecord(t, world, endedMs)
    assert.deepEqual(report.failures, [])
    assert.ok(report.count > 20 * DUMP_SECONDS)
  } finally {
    await stop(world)
  }
}

async function migratePlanted(t: TestContext, sql: string): Promise<Report> {
  const next = withMigration(sql)
  const world = await openAt(startStack)
  try {
    const service = await world.stack.start('start')
    const traffic = await open(t, world, service.baseUrl)
    const dump = await startSlowDump(world.stack.databaseUrl, 2)
    const [name] = await migrate(world, next)
    assert.match(name ?? '', /planted/)
    assert.equal((await dump.ended).code, 0)
    const endedMs = Date.now()
    const report = await traffic.stop()
    t.diagnostic(show(report))
    await assertRecord(t, world, endedMs)
    return report
  } finally {
    await stop(world)
    next.remove()
  }
}

async function openAt(start: typeof startStack): Promise<World> {
  const targets = await openTargets(1)
  const stack = await start({ nats: false, rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  await addFiller(stack.databaseUrl)
  // Earlier versions do not report where their processes write logs.
  const directory = mkdtempSync(join(tmpdir(), 'upvane-upgrade-'))
  return new World({ ...stack, directory }, targets)
}

async function stop(world: World): Promise<void> {
  await world.stop()
  rmSync(world.stack.directory, { recursive: true, force: true })
}

/** Monitors that have been checked, and callers. */
async function open(t: TestContext, world: World, baseUrl: string): Promise<Traffic> {
  const broken = keys(BROKEN, HEALTHY)
  world.baseUrl = baseUrl
  world.targets.script = (key) => (broken.includes(key) ? 'ERROR' : 'OK')
  await world.createMonitors([...broken, ...keys(HEALTHY)])
  const deadlineMs = performance.now() + FIRST_CHECKS_MS
  while ((await world.count(`monitor_states where state = 'PENDING'`)) > 0) {
    assert.ok(performance.now() < deadlineMs, 'the first checks took too long')
    await sleep(200)
  }
  const traffic = new Traffic(
    world,
    [...world.uuidOf.values()].map((uuid) => toId('mon', uuid)),
    t.signal,
  )
  await sleep(BEFORE_MS)
  return traffic
}

async function migrate(world: World, { directory }: Pick<Version, 'directory'>): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(directory, 'src/main.ts'), 'migrate', '--json'],
    { env: world.stack.env },
  )
  return (JSON.parse(stdout) as { applied: string[] }).applied
}

/** Each slot has a result, or a reason why it has none; no healthy target was reported down. */
async function assertRecord(t: TestContext, world: World, endedMs: number): Promise<void> {
  await world.settle(endedMs, SETTLE_MS)
  const run = await world.record(endedMs)
  // The callers rename monitors, which the replay of checks does not cover.
  const events = run.events.filter(({ type }) => type !== 'monitor.updated')
  const judgement = judge({ ...run, events })
  const missed = await world.query<{ reason: string; n: number }>(
    'select reason, sum(count)::int as n from missed group by 1',
  )
  t.diagnostic(JSON.stringify(judgement.counts))
  t.diagnostic(`missed: ${missed.map(({ reason, n }) => `${n} ${reason}`).join(', ') || 'none'}`)
  assertSound(judgement)
  assert.equal(judgement.counts['incidents'], BROKEN)
}

function show({ count, slowestMs, failures }: Report): string {
  return `${count} requests, ${failures.length} failed, the slowest took ${Math.round(slowestMs)} ms`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
