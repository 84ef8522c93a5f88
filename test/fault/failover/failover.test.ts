// The primary is lost with its disk while the product works: nothing that was acknowledged is lost, nothing is invented,
// checks continue, and no healthy target is reported down. Then the same for each NATS server. The commands in
// high-availability.md start the same servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasClusterPrograms } from '../../../tools/cluster/programs.ts'
import { toUuid } from '../../kit/ids.ts'
import { judge } from '../../oracle/judge.ts'
import { control } from '../../oracle/plant.ts'
import type { Health } from '../engine/targets.ts'
import { assertSound, keys } from '../engine/world.ts'
import { type ClusterWorld, type Failover, openClusterWorld } from './cluster-world.ts'
import { until } from './lose-primary.ts'

const FAILOVERS = Number(process.env['FAILOVERS'] ?? 1)
const MONITORS = Number(process.env['FAILOVER_MONITORS'] ?? 90)
/** One in this many targets fails from time to time. */
const FLAPPING_EVERY = 6
const FLIP_MS = 45_000
const LOAD_MS = 10_000
const BACK_MS = 30_000
const NATS_DOWN_MS = 3000
const NATS_GAP_MS = 15_000
const SETTLE_MS = 60_000
const FIRST_CHECKS_MS = 90_000
const IN_FLIGHT_MS = 10_000

// In CI the packages are installed, and a missing one is a failure.
const skip =
  hasClusterPrograms() || process.env['CI'] ? false : 'needs Patroni, etcd and HAProxy of Debian'

const isFlapping = (key: string) => Number.parseInt(key, 36) % FLAPPING_EVERY === 0

function health(key: string, nowMs: number): Health {
  const isBadTurn = Math.floor((nowMs + Number.parseInt(key, 36) * 1000) / FLIP_MS) % 2 === 1
  return isFlapping(key) && isBadTurn ? 'ERROR' : 'OK'
}

test(`the primary lost with its disk, ${FAILOVERS} times: nothing acknowledged is lost`, {
  skip,
}, async (t) => {
  const cluster = await openClusterWorld()
  try {
    const createdMs = await fill(cluster)
    cluster.readers.start()
    const failovers: Failover[] = []
    for (let no = 0; no < FAILOVERS; no++) {
      await sleep(LOAD_MS)
      failovers.push(await cluster.failOver(no % 2 === 0 ? 'MACHINE' : 'POSTGRES'))
      t.diagnostic(JSON.stringify(failovers.at(-1)))
    }
    const gaps = await cluster.killNatsServers(NATS_DOWN_MS)
    t.diagnostic(`NATS servers killed: checks after ${gaps.join(', ')} ms`)
    await Promise.all([cluster.writers.stop(), cluster.readers.stop()])

    await assertWritesKept(t, cluster)
    assertToldToRetry(t, cluster)
    await assertHistorySound(t, cluster)
    await assertDelivered(t, cluster, createdMs)
    for (const { checkedMs } of failovers)
      assert.ok(checkedMs <= BACK_MS, `checks were back after ${checkedMs} ms`)
    for (const gap of gaps) assert.ok(gap <= NATS_GAP_MS, `no check for ${gap} ms`)
  } finally {
    await cluster.stop()
  }
})

type Reporter = { diagnostic(text: string): void }

/** Returns when the endpoint existed: events since then have a delivery. */
async function fill({ world, receiver }: ClusterWorld): Promise<number> {
  world.targets.script = health
  await world.createMonitors(keys(MONITORS))
  const endpoint = { url: receiver.url, eventTypes: ['*'] }
  const reply = await world.call('POST', '/webhook-endpoints', endpoint)
  assert.equal(reply?.status, 201, JSON.stringify(reply?.body))
  const createdMs = Date.now()
  const areChecked = async () => (await world.count(`monitor_states where state = 'PENDING'`)) === 0
  await until('the first checks', areChecked, FIRST_CHECKS_MS)
  return createdMs
}

async function assertWritesKept(t: Reporter, { world, writers }: ClusterWorld): Promise<void> {
  t.diagnostic(
    `${writers.acknowledged.size} writes acknowledged: ${JSON.stringify(Object.fromEntries(writers.statuses))}`,
  )
  assert.deepEqual(writers.unexpected, [])
  assert.ok(
    [...writers.statuses.keys()].some((status) => status !== 201),
    'no failover was felt',
  )
  const rows = await world.query<{ slug: string }>(`select slug from status_pages`)
  const kept = new Set(rows.map(({ slug }) => slug))
  assert.deepEqual([...writers.acknowledged.difference(kept)], [], 'acknowledged and lost')
  assert.deepEqual([...kept.difference(writers.sent)], [], 'never sent')
  const creations = await world.count(`audit_log where action = 'createStatusPage'`)
  assert.equal(creations, kept.size, 'one entry of the log for each page')
}

/** During the failover every surface said that it is temporary, each in its way, and nothing else. */
function assertToldToRetry(t: Reporter, { readers }: ClusterWorld): void {
  t.diagnostic(JSON.stringify(Object.fromEntries(readers.seen)))
  assert.deepEqual(readers.unexpected, [])
  for (const [path, { usual, temporary }] of readers.seen) {
    assert.ok(usual > 0, `${path} never answered`)
    assert.ok(temporary > 0, `${path} felt no failover`)
  }
}

async function assertHistorySound(t: Reporter, { world }: ClusterWorld): Promise<void> {
  const settledMs = Date.now() - IN_FLIGHT_MS
  await world.settle(settledMs, SETTLE_MS)
  const run = await world.record(settledMs)
  const judgement = judge(run)
  t.diagnostic(JSON.stringify(judgement.counts))
  assertSound(judgement)
  const healthy = new Set(
    [...world.uuidOf].filter(([key]) => !isFlapping(key)).map(([, uuid]) => uuid),
  )
  const wrong = run.incidents.filter(({ monitorUuid }) => healthy.has(monitorUuid))
  assert.deepEqual(wrong, [], 'a healthy target was reported down')
  assert.ok(run.incidents.length > 0, 'no target was seen to fail')
  const missed = control(run).filter(({ outcome }) => outcome === 'MISSED')
  assert.deepEqual(missed, [], 'the judge overlooks planted violations')
}

/** Every event reached the receiver, and it received nothing else. */
async function assertDelivered(
  t: Reporter,
  { world, receiver }: ClusterWorld,
  createdMs: number,
): Promise<void> {
  const isDelivered = async () => (await world.count(`deliveries where status = 'PENDING'`)) === 0
  await until('every delivery', isDelivered, SETTLE_MS)
  const events = await world.query<{ id: string; isLater: boolean }>(
    `select id, occurred_at > to_timestamp($1 / 1000.0) as "isLater" from events`,
    [createdMs],
  )
  const received = new Set(receiver.seen.map(({ headers }) => toUuid(headers['webhook-id'] ?? '')))
  const published = new Set(events.map(({ id }) => id))
  const owed = new Set(events.filter(({ isLater }) => isLater).map(({ id }) => id))
  t.diagnostic(`${owed.size} events to deliver, ${receiver.seen.length} requests received`)
  assert.ok(owed.size > 0, 'nothing was to deliver')
  assert.deepEqual([...owed.difference(received)], [], 'lost')
  assert.deepEqual([...received.difference(published)], [], 'invented')
  assert.equal(await world.count(`deliveries where status <> 'SUCCEEDED'`), 0)
}
