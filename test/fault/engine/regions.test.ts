// A probe that cannot see is not a target that is down: one region is cut off or dead, and no target is reported down
// because of it. A target that no region can reach is.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { listen } from '../../kit/targets/listen.ts'
import { isInside, runInNamespace } from '../../kit/targets/namespace.ts'
import { type Judgement, judge } from '../../oracle/judge.ts'
import type { Run } from '../../oracle/run.ts'
import { canCreateNamespaces, NetworkNamespace } from './network-namespace.ts'
import { assertSound, keys, openWorld, type World } from './world.ts'

const CUT_SECONDS = Number(process.env['CUT_SECONDS'] ?? 15)
const DEAD_SECONDS = Number(process.env['DEAD_SECONDS'] ?? 15)
const HEALTHY = 90
const BROKEN = 5
const SERVERS = 2
const FIRST_CHECKS_MS = 20_000
const ANNOUNCED_MS = 2500
const IN_HAND_MS = 10_000
const SETTLE_MS = 30_000
const PROVEN_MS = 60_000
const TIMEOUT = { timeoutSeconds: 2 }

const skip = canCreateNamespaces() ? false : 'needs root, ip and nft'
// The guard calls them public: regions stand in for each other only for public targets.
const PUBLIC = '11'
const WITHIN_MS = 480_000

if (isInside()) describe('regions', { concurrency: true }, runInside)
else
  test('regions, in a namespace of their own that nothing can leave', { skip }, () => {
    const setup = ['ip link set lo up']
    const { passed, failed, output } = runInNamespace(import.meta.filename, setup, WITHIN_MS)
    process.stdout.write(output)
    assert.deepEqual([failed, passed], [0, 2], output)
  })

function runInside(): void {
  test('one of three regions cut off, then dead: no incident but those of dead targets', async (t) => {
    const place = new NetworkNamespace(PUBLIC)
    const world = await openWorld({ servers: SERVERS, host: place.hostAddress, ownPostgres: true })
    try {
      await startRoles(world, place, ['us', 'ap'])
      const [healthy, broken] = [keys(HEALTHY), keys(BROKEN, HEALTHY)]
      await world.createMonitors([...broken, ...healthy], TIMEOUT)
      await firstChecks(world)
      await untilCount(world, 'region_proofs where passed_at is not null', 3 * (HEALTHY + BROKEN))
      world.targets.script = (key) => (broken.includes(key) ? 'ERROR' : 'OK')
      for (const key of broken) world.outages.push(outageOf(world, key))
      const silentUuid = await createSilent(world, place)
      await untilCount(world, 'incidents', BROKEN + 1)
      const events = await world.count('events')

      const cutMs = Date.now()
      place.cut(world.targets.ports)
      await sleep(CUT_SECONDS * 1000)
      place.heal()
      const killedMs = Date.now()
      await world.crew.kill('probe-eu')
      await sleep(DEAD_SECONDS * 1000)

      const { run, judgement } = await finish(world)
      t.diagnostic(JSON.stringify(judgement.counts))
      assertSound(judgement)
      assert.equal(judgement.counts['incidents'], BROKEN + 1)
      assert.equal(judgement.counts['events'], events, 'something was published')
      assertConfirmed(run, silentUuid, place)
      const standIns = (fromMs: number, toMs: number) =>
        run.results.filter(
          ({ region, slotMs, verdict }) =>
            region !== 'eu' && verdict === 'PASSED' && slotMs >= fromMs && slotMs < toMs,
        ).length
      const [cut, dead] = [standIns(cutMs, killedMs), standIns(killedMs, run.settledMs)]
      t.diagnostic(`passed from another region: ${cut} while cut off, ${dead} while dead`)
      assert.ok(cut > 0 && dead > 0)
    } finally {
      await world.stop()
      await place.close()
    }
  })

  test('the only region cut off, control targets set: inconclusive, no incident', async (t) => {
    const place = new NetworkNamespace(PUBLIC)
    const control = await listen(createServer(), place.hostAddress)
    const world = await openWorld({ servers: SERVERS, host: place.hostAddress, ownPostgres: true })
    try {
      const controls = { PROBE_CONTROL_TARGETS: `${place.hostAddress}:${control.port}` }
      await startRoles(world, place, [], controls)
      await world.createMonitors(keys(HEALTHY), TIMEOUT)
      await firstChecks(world)
      const events = await world.count('events')

      place.cut([...world.targets.ports, control.port])
      await sleep(CUT_SECONDS * 1000)
      const inconclusive = await readInconclusive(world)
      place.heal()

      const { judgement } = await finish(world)
      t.diagnostic(`${JSON.stringify(judgement.counts)}, inconclusive by egress: ${inconclusive}`)
      assertSound(judgement)
      assert.equal(judgement.counts['incidents'], 0)
      assert.equal(judgement.counts['events'], events, 'something was published')
      assert.ok(inconclusive > 0, 'nobody was cut off')
    } finally {
      await world.stop()
      await control.close()
      await place.close()
    }
  })
}

/** The probe of `eu` runs in its namespace and reaches targets and NATS only over the cable. */
async function startRoles(
  world: World,
  place: NetworkNamespace,
  others: readonly string[],
  more: Record<string, string> = {},
): Promise<void> {
  const { crew, stack } = world
  const natsPort = await place.forward(stack.nats?.port ?? 0)
  const databasePort = await place.forward(stack.postgres.port)
  const database = new URL(stack.env['DATABASE_URL'] ?? '')
  database.host = `${place.hostAddress}:${databasePort}`
  const shared = { PROBE_ALLOW_CIDRS: place.cidr, ...more }
  const remote = {
    ...shared,
    REGION: 'eu',
    NATS_URL: `nats://${place.hostAddress}:${natsPort}`,
    DATABASE_URL: database.href,
    INTERNAL_HOST: place.address,
  }
  const [baseUrl] = await Promise.all([
    crew.hire('api', { command: 'api' }),
    crew.hire('scheduler', { command: 'scheduler', env: { REGION: 'eu' } }),
    crew.hire('probe-eu', {
      command: 'probe',
      env: remote,
      inside: place.inside,
      internalHost: place.address,
    }),
    ...others.map((region) =>
      crew.hire(`probe-${region}`, { command: 'probe', env: { ...shared, REGION: region } }),
    ),
  ])
  world.baseUrl = baseUrl
  // Probes announce themselves every two seconds; before that another region would substitute for it.
  await sleep(ANNOUNCED_MS)
}

/** A target that no region can reach. */
async function createSilent(world: World, place: NetworkNamespace): Promise<string> {
  const url = `http://${place.deadAddress}:8080/`
  const settings = { name: 'Silent', type: 'HTTP', url, intervalSeconds: 30, ...TIMEOUT }
  const reply = await world.call('POST', '/monitors', settings)
  assert.equal(reply?.status, 201)
  const monitorUuid = toUuid(String(reply?.body['id']))
  world.outages.push({ monitorUuid, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER })
  return monitorUuid
}

const outageOf = (world: World, key: string) => {
  const monitorUuid = world.uuidOf.get(key) ?? assert.fail(key)
  return { monitorUuid, fromMs: Date.now(), toMs: Number.MAX_SAFE_INTEGER }
}

async function untilCount(world: World, what: string, count: number): Promise<void> {
  const deadlineMs = performance.now() + PROVEN_MS
  let found = 0
  while ((found = await world.count(what)) < count) {
    assert.ok(performance.now() < deadlineMs, `${found} of ${count} ${what}`)
    await sleep(250)
  }
}

async function firstChecks(world: World): Promise<void> {
  const deadlineMs = performance.now() + FIRST_CHECKS_MS
  while ((await world.count(`monitor_states where state = 'PENDING'`)) > 0) {
    assert.ok(performance.now() < deadlineMs, 'the first checks took too long')
    await sleep(100)
  }
}

/** Checks that fell due in the last seconds may still be in flight. */
async function finish(world: World): Promise<{ run: Run; judgement: Judgement }> {
  const settledMs = Date.now() - IN_HAND_MS
  await world.settle(settledMs, SETTLE_MS)
  const run = await world.record(settledMs)
  return { run, judgement: judge(run) }
}

/**
 * One incident for each dead target, and a second region that had seen it work confirmed it before it was opened. Nobody
 * had seen the silent one work: only home may decide about it.
 */
function assertConfirmed(run: Run, silentUuid: string, place: NetworkNamespace): void {
  const opened = run.evidence.filter(({ part }) => part === 'OPENED')
  assert.equal(opened.length, BROKEN + 1)
  for (const { attempts } of opened) assert.equal(attempts.length, 2)
  assert.equal(opened.filter(({ location }) => location === 'eu').length, 1)
  assert.equal(run.incidents.filter(({ monitorUuid }) => monitorUuid === silentUuid).length, 1)
  const failing = run.hits.filter(({ status }) => status === 500)
  for (const seen of Map.groupBy(failing, ({ monitorUuid }) => monitorUuid).values()) {
    const firstTwo = seen.slice(0, 2).map(({ from }) => from)
    assert.deepEqual(firstTwo, [place.address, place.hostAddress])
  }
}

async function readInconclusive({ crew }: World): Promise<number> {
  const text = await crew.metricsOf('scheduler')
  const line = /^upvane_checks_inconclusive_total\{[^}]*reason="EGRESS"[^}]*\} (\d+)/m.exec(text)
  return Number(line?.[1] ?? 0)
}
