// A rolling upgrade over several machines: probes of the first released version beside this service, and the reverse, on
// the schema of this version. Both over NATS, as processes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge } from '../../oracle/judge.ts'
import { assertSound, keys, openWorld, type World } from '../engine/world.ts'
import { checkOut, EARLIER, isInHistory, type Version } from './versions.ts'

const REGION = { REGION: 'eu' }
const COMMIT = EARLIER['0021']
const skip = !isInHistory(COMMIT) && `this clone has no commit ${COMMIT}`
const HEALTHY = 20
/** Half of them respond with an error, half close the connection. */
const BROKEN = 4
// A whole interval, so that every monitor has a slot in it.
const WATCHED_MS = 32_000
const FIRST_CHECKS_MS = 30_000
const SETTLE_MS = 20_000

let earlier: Version
before(() => {
  if (skip !== false) return
  earlier = checkOut(COMMIT)
  const manifest = readFileSync(join(earlier.directory, 'package.json'), 'utf8')
  assert.equal((JSON.parse(manifest) as { version: string }).version, '0.1.0')
})
after(() => earlier?.remove())

describe('probes and services of two versions', { concurrency: true, skip }, () => {
  test('a probe of the first version works with this service, and is replaced by one of this version', async (t) => {
    const world = await openWorld()
    try {
      const version = earlier.directory
      await hireService(world)
      await world.crew.hire('probe', { command: 'probe', version, env: REGION })
      await createMonitors(world)
      await untilReplaced(world)
      await assertRecord(t, world)
    } finally {
      await world.stop()
    }
  })

  test('a probe of this version works with a service of the first version, on the new schema', async (t) => {
    const world = await openWorld()
    try {
      await hireService(world, earlier.directory)
      await world.crew.hire('probe', { command: 'probe', env: REGION })
      await createMonitors(world)
      await sleep(WATCHED_MS)
      await assertRecord(t, world)
    } finally {
      await world.stop()
    }
  })
})

async function hireService(world: World, version?: string): Promise<void> {
  const other = version === undefined ? {} : { version }
  const { crew } = world
  const [baseUrl] = await Promise.all([
    crew.hire('api', { command: 'api', ...other }),
    crew.hire('scheduler', { command: 'scheduler', ...other }),
  ])
  world.baseUrl = baseUrl
}

/** Waits until each has been checked once. */
async function createMonitors(world: World): Promise<void> {
  const broken = keys(BROKEN, HEALTHY)
  world.targets.script = (key) => {
    const no = broken.indexOf(key)
    return no < 0 ? 'OK' : no % 2 === 0 ? 'ERROR' : 'CUT'
  }
  await world.createMonitors([...broken, ...keys(HEALTHY)])
  const deadlineMs = performance.now() + FIRST_CHECKS_MS
  while ((await world.count(`monitor_states where state = 'PENDING'`)) > 0) {
    assert.ok(performance.now() < deadlineMs, 'the first checks took too long')
    await sleep(200)
  }
}

/** Half of the time both probes work, and half of it the new one alone. */
async function untilReplaced({ crew }: World): Promise<void> {
  await sleep(WATCHED_MS / 4)
  await crew.hire('new-probe', { command: 'probe', env: REGION })
  await sleep(WATCHED_MS / 4)
  await crew.stop('probe')
  await sleep(WATCHED_MS / 2)
}

/** Each slot has a result, with the right verdict; nothing else is DOWN, and nothing was missed. */
async function assertRecord(t: TestContext, world: World): Promise<void> {
  const endedMs = Date.now()
  await world.settle(endedMs, SETTLE_MS)
  const judgement = judge(await world.record(endedMs))
  t.diagnostic(JSON.stringify(judgement.counts))
  assertSound(judgement)
  assert.equal(judgement.counts['incidents'], BROKEN)
  // A slot may fall while the first check of a monitor runs.
  const missed = await world.query(`select reason, count from missed where reason <> 'OVERLAP'`)
  assert.deepEqual(missed, [])
  const rows = await world.query<{ id: string; state: string }>(
    'select m.id, s.state from monitors m join monitor_states s on s.monitor_no = m.no',
  )
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  for (const [key, uuid] of world.uuidOf)
    assert.equal(states.get(uuid), keys(HEALTHY).includes(key) ? 'UP' : 'DOWN', key)
}
