// More checks are due than probes can run. They run as many as they can, nothing piles up meanwhile, and checks are on time
// again when there is room.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge } from '../../oracle/judge.ts'
import { assertSound, keys, openWorld, type World } from './world.ts'

const OVERLOAD_SECONDS = Number(process.env['OVERLOAD_SECONDS'] ?? 25)
const MONITORS = Number(process.env['OVERLOAD_MONITORS'] ?? 900)
const INTERVAL_SECONDS = 30
const CAPACITY = 20
const SLOW_MS = 2000
const SETTLE_MS = 45_000
// Of what the probe could do without a pause between two checks.
const LEAST_USED = 0.6
const MAX_REFUSED_PER_SECOND = 20
// What no probe accepts within 10 s is given up, so this does not depend on how long there is no room.
const MAX_WAITING = 1000
const ON_TIME_SECONDS = 2
// The scheduler writes this metric once a second.
const REPORTED_MS = 2000

test('a probe with too little room: used fully, asked seldom, and on time again afterward', async (t) => {
  const world = await openWorld()
  try {
    await startRoles(world)
    await world.createMonitors(keys(MONITORS))
    await world.settle(Date.now(), SETTLE_MS)

    const begunMs = Date.now()
    const refusedBefore = await read(world, 'probe', 'upvane_probe_busy_total')
    world.targets.delayMs = SLOW_MS
    let waiting = 0
    while (Date.now() < begunMs + OVERLOAD_SECONDS * 1000) {
      await sleep(500)
      waiting = Math.max(waiting, await read(world, 'scheduler', 'upvane_attempts_waiting'))
    }
    const seconds = (Date.now() - begunMs) / 1000
    const refused = (await read(world, 'probe', 'upvane_probe_busy_total')) - refusedBefore
    const seen = world.targets.visits.filter(({ atMs }) => atMs >= begunMs).length
    const possible = (CAPACITY * 1000 * seconds) / SLOW_MS
    t.diagnostic(`${seen} of ${Math.round(possible)} possible checks in ${seconds} s`)
    t.diagnostic(`${refused} packets refused, at most ${waiting} attempts waiting`)
    world.targets.delayMs = 0

    const settleMs = await world.settle(Date.now(), SETTLE_MS)
    t.diagnostic(`nothing was overdue ${Math.round(settleMs)} ms later`)
    await sleep(REPORTED_MS)
    const oldest = await read(world, 'scheduler', 'upvane_oldest_due_slot_seconds')
    assert.ok(seen >= LEAST_USED * possible, `${seen} checks ran, ${possible} were possible`)
    assert.ok(seen < (MONITORS / INTERVAL_SECONDS) * seconds, 'there was room for all')
    assert.ok(refused > 0 && refused <= MAX_REFUSED_PER_SECOND * seconds, `${refused} refused`)
    assert.ok(waiting <= MAX_WAITING, `${waiting} attempts were waiting`)
    assert.ok(oldest < ON_TIME_SECONDS, `a slot is ${oldest} s overdue`)
    const judgement = judge(await world.record(Date.now() - ON_TIME_SECONDS * 1000))
    t.diagnostic(JSON.stringify(judgement.counts))
    assertSound(judgement)
    assert.equal(judgement.counts['incidents'], 0)
  } finally {
    await world.stop()
  }
})

async function startRoles(world: World): Promise<void> {
  const { crew } = world
  const [baseUrl] = await Promise.all([
    crew.hire('api', { command: 'api' }),
    crew.hire('scheduler', { command: 'scheduler' }),
    crew.hire('probe', { command: 'probe', env: { PROBE_CAPACITY: String(CAPACITY) } }),
  ])
  world.baseUrl = baseUrl
}

async function read({ crew }: World, role: string, metric: string): Promise<number> {
  const text = await crew.metricsOf(role)
  const line = text.split('\n').find((each) => each.startsWith(`${metric} `))
  assert.ok(line, `${role} has no ${metric}`)
  return Number(line.slice(metric.length + 1))
}
