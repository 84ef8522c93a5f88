// The database freezes or cuts connections, and the product dies and restarts. No healthy target is reported down,
// nothing is published twice, and every slot is recorded.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge } from '../../oracle/judge.ts'
import type { Run } from '../../oracle/run.ts'
import { shiftRows } from './shift-rows.ts'
import { assertSound, keys, openWorld, type World } from './world.ts'

const FREEZE_SECONDS = Number(process.env['FREEZE_SECONDS'] ?? 10)
const TERMINATE_SECONDS = Number(process.env['TERMINATE_SECONDS'] ?? 15)
const HEALTHY = 100
const DOWN = 50
const FIRST_CHECKS_MS = 20_000
const SETTLE_MS = 45_000
const OUTAGE_MS = 10 * 60_000
const CLOCK_MS = 100
const ROLES = ['api', 'scheduler', 'probe', 'janitor']
// Shorter than the freeze, so that every lease expires during it.
const LEASE = { SHARD_LEASE_SECONDS: '5' }

describe('the database and restarts', { concurrency: true }, () => {
  test(`frozen for ${FREEZE_SECONDS} s: every slot is on record, nothing is called down`, async (t) => {
    await withRoles(t, async (world) => {
      world.stack.postgres.freeze()
      await sleep(FREEZE_SECONDS * 1000)
      world.stack.postgres.thaw()
    })
  })

  test('connections terminated every second, then all roles restarted: no event', async (t) => {
    await withRoles(t, async (world) => {
      t.diagnostic(`${await terminate(world)} connections in ${TERMINATE_SECONDS} s`)
      await Promise.all(ROLES.map((name) => world.crew.stop(name)))
      for (const name of ROLES) world.crew.revive(name)
      await world.crew.allRunning()
    })
  })

  test('the whole product killed for ten minutes: ENGINE_DOWN, and the newest slot once', async (t) => {
    const world = await openWorld({ durable: true, nats: false })
    try {
      const product = { command: 'start', env: { REGION: 'eu' } }
      const reporter = await fill(world, await world.crew.hire('product', product))

      await world.crew.kill('product')
      await shiftRows(world, OUTAGE_MS)
      const restartedMs = Date.now()
      world.crew.revive('product')
      await world.crew.allRunning()
      const run = await finish(t, world, { events: reporter, endedMs: restartedMs })
      assertCaughtUp(run, restartedMs)
    } finally {
      await world.stop()
    }
  })
})

/** Every role in its own process; the faults must leave no trace but lateness. */
async function withRoles(t: Reporter, work: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld({ durable: true, env: LEASE })
  try {
    const [baseUrl = ''] = await Promise.all(
      ROLES.map((command) => world.crew.hire(command, { command, env: { REGION: 'eu' } })),
    )
    const reporter = await fill(world, baseUrl)
    await work(world)
    await finish(t, world, { events: reporter, endedMs: Date.now() })
  } finally {
    await world.stop()
  }
}

type Reporter = { diagnostic(text: string): void }

/** Settles, and checks the records against the invariants: no new events were published. */
async function finish(
  t: Reporter,
  world: World,
  { events, endedMs }: { events: number; endedMs: number },
): Promise<Run> {
  t.diagnostic(`settled after ${Math.round(await world.settle(endedMs, SETTLE_MS))} ms`)
  const run = await world.record(endedMs)
  const judgement = judge(run)
  t.diagnostic(JSON.stringify(judgement.counts))
  assertSound(judgement)
  assert.equal(judgement.counts['incidents'], DOWN)
  assert.equal(judgement.counts['events'], events, 'events were published again')
  return run
}

/** Healthy monitors and broken ones, each checked once. Returns how many events were published. */
async function fill(world: World, baseUrl: string): Promise<number> {
  const [healthy, broken] = [keys(HEALTHY), keys(DOWN, HEALTHY)]
  const isBroken = new Set(broken)
  world.baseUrl = baseUrl
  world.targets.script = (key) => (isBroken.has(key) ? 'ERROR' : 'OK')
  await world.createMonitors([...broken, ...healthy])
  const deadlineMs = performance.now() + FIRST_CHECKS_MS
  const pending = `monitor_states where state = 'PENDING'`
  while ((await world.count(pending)) > 0) {
    assert.ok(performance.now() < deadlineMs, 'the first checks took too long')
    await sleep(100)
  }
  assert.equal(await world.count('incidents where resolved_at is null'), DOWN)
  return world.count('events')
}

async function terminate(world: World): Promise<number> {
  let cut = 0
  for (let second = 0; second < TERMINATE_SECONDS; second++) {
    cut += await world.count(
      `pg_stat_activity where datname = current_database() and application_name <> 'observer'
         and pg_terminate_backend(pid)`,
    )
    await sleep(1000)
  }
  return cut
}

/** Each monitor has one ENGINE_DOWN range, up to the slot before the one that was run instead. */
function assertCaughtUp({ monitors, missed, results, hits }: Run, restartedMs: number): void {
  for (const { no, uuid, intervalSeconds, state, nextDueMs } of monitors) {
    const ranges = missed.filter(({ monitorNo }) => monitorNo === no)
    assert.deepEqual(
      ranges.map(({ reason }) => reason).filter((reason) => reason !== 'OVERLAP'),
      ['ENGINE_DOWN'],
    )
    const range = ranges.find(({ reason }) => reason === 'ENGINE_DOWN')
    const slotMs = (range?.toMs ?? 0) + intervalSeconds * 1000
    const next = results.find((row) => row.monitorNo === no && row.slotMs > slotMs)
    const nextMs = next?.slotMs ?? nextDueMs ?? 0
    const looksUntil = (untilMs: number) =>
      hits.filter(
        ({ monitorUuid, atMs }) => monitorUuid === uuid && atMs >= restartedMs && atMs < untilMs,
      ).length
    assert.ok(results.some((row) => row.monitorNo === no && row.slotMs === slotMs))
    // A request this close to the next slot may belong to either: the catch-up check may run until then.
    const [least, most] = [looksUntil(nextMs - CLOCK_MS), looksUntil(nextMs + CLOCK_MS)]
    const wanted = state === 'DOWN' ? 2 : 1
    assert.ok(least <= wanted && wanted <= most, `${least} to ${most} looks at one slot`)
  }
}
