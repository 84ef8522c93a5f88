// Everything is killed, again and again, while targets go down and up and people pause and resume monitors. In the end
// every slot is recorded, and the events match what happened.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { judge } from '../../oracle/judge.ts'
import { control } from '../../oracle/plant.ts'
import { cast, type Kill, Killer } from './kills.ts'
import { People } from './people.ts'
import type { Health } from './targets.ts'
import { assertSound, keys, openWorld, type World } from './world.ts'

const CHAOS_SECONDS = Number(process.env['CHAOS_SECONDS'] ?? 60)
const MONITORS = Number(process.env['CHAOS_MONITORS'] ?? 600)
const SEED = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const SETTLE_MS = 30_000
const TAKEOVER_MS = 12_000
const LEAST_RUN = 0.7
const FLIP_MS = 25_000
const SERVERS = 3
const REGIONS = ['eu', 'us', 'ap']

/** Four of six targets are always healthy; one returns errors and one closes connections, at times. */
function health(key: string, nowMs: number): Health {
  const no = Number.parseInt(key, 36)
  const isBadTurn = Math.floor((nowMs + no * 1000) / FLIP_MS) % 2 === 1
  if (no % 6 < 4 || !isBadTurn) return 'OK'
  return no % 6 === 4 ? 'ERROR' : 'CUT'
}

test(`chaos for ${CHAOS_SECONDS} s: no slot is lost and no false alarm is raised`, async (t) => {
  t.diagnostic(`CHAOS_SEED=${SEED}`)
  const world = await openWorld({ durable: true, servers: SERVERS })
  try {
    await startRoles(world)
    world.targets.script = health
    const names = keys(MONITORS)
    await world.createMonitors(names)

    const people = new People(world, {
      pausable: names.filter((_, i) => i % 10 === 3),
      checkable: names.filter((_, i) => i % 60 === 2),
    })
    const killer = new Killer(world)
    await killer.run(cast(CHAOS_SECONDS, SEED))
    await people.stop()
    await world.crew.allRunning()
    const endedMs = Date.now()
    const settleMs = await world.settle(endedMs, SETTLE_MS)
    reportKills(t, killer.kills, settleMs)
    t.diagnostic(`${world.crew.failedStarts.length} starts failed and were repeated`)

    const run = await world.record(endedMs)
    if (process.env['RUN_FILE']) writeFileSync(process.env['RUN_FILE'], JSON.stringify(run))
    const judgement = judge(run)
    t.diagnostic(JSON.stringify(judgement.counts))
    assertSound(judgement)
    const { slotsDue = 0, slotsRun = 0, incidents = 0 } = judgement.counts
    assert.ok(slotsRun >= LEAST_RUN * slotsDue, `${slotsRun} of ${slotsDue} slots really ran`)
    assert.ok(incidents > 0, 'no target was seen to fail')
    for (const { takeoverMs } of killer.kills)
      if (takeoverMs !== undefined)
        assert.ok(takeoverMs <= TAKEOVER_MS, `shards without an owner for ${takeoverMs} ms`)

    const outcomes = control(run)
    assert.deepEqual(
      outcomes.filter(({ outcome }) => outcome === 'MISSED'),
      [],
    )
    const caught = outcomes.filter(({ outcome }) => outcome === 'CAUGHT').length
    t.diagnostic(`${caught} of ${outcomes.length} planted violations caught`)
    assert.ok(caught >= 8)
  } finally {
    await world.stop()
  }
})

async function startRoles(world: World): Promise<void> {
  const { crew } = world
  const scheduler = { command: 'scheduler', env: { REGION: 'eu' } }
  const [baseUrl] = await Promise.all([
    crew.hire('api', { command: 'api' }),
    crew.hire('janitor', { command: 'janitor' }),
    crew.hire('scheduler-1', scheduler),
    crew.hire('scheduler-2', scheduler),
    ...REGIONS.map((region) =>
      crew.hire(`probe-${region}`, { command: 'probe', env: { REGION: region } }),
    ),
  ])
  world.baseUrl = baseUrl
}

function reportKills(
  t: { diagnostic(text: string): void },
  kills: readonly Kill[],
  settleMs: number,
) {
  const counts = Map.groupBy(kills, ({ what }) => what)
  const text = [...counts].map(([what, same]) => `${what} ${same.length}`).join(', ')
  const takeovers = kills.flatMap(({ takeoverMs }) => takeoverMs ?? [])
  t.diagnostic(`${kills.length} kills: ${text}`)
  t.diagnostic(`takeovers after ${takeovers.map(Math.round).join(', ')} ms`)
  t.diagnostic(`settled after ${Math.round(settleMs)} ms`)
}
