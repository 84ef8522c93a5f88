// What people and their jobs do: pings, pauses, resumes, changes, deletes, POST /check. And what happens to the
// engine's processes: freezes longer than a lease, sudden deaths.
import { heartbeatDueAt } from '../../src/domain/monitors/heartbeat.ts'
import { type ChangeName, changeMonitor } from './apply.ts'
import { applyPing, noteReceiving } from './apply-heartbeat.ts'
import { isWithin, type Nature, REGIONS } from './nature.ts'
import type { Scheduler } from './scheduler.ts'
import type { MonitorRow, Store } from './store.ts'
import type { Process, World } from './world.ts'

type Deps = { world: World; store: Store; nature: Nature }

const NOTE_EVERY_MS = 500
const CHANGE_EVERY_MS = 20_000
const CALM_CHANGE_EVERY_MS = 300_000
const MOVE_EVERY_MS = 600_000
const FREEZE_EVERY_MS = 60_000
const REQUEST_EVERY_MS = 10_000

/** A job that pings its CRON monitor, sometimes within a millisecond of the deadline. */
export function startJob({ world, store, nature }: Deps, uuid: string): void {
  const { rng } = world
  const ping = () => {
    const row = store.tables.monitors.get(uuid)
    if (row === undefined) return
    const isSilent = [nature.outages.get(uuid), nature.deaf].some((spells) =>
      isWithin(spells, world.nowMs()),
    )
    if (!isSilent)
      store.commit((tx) => {
        const isMaintenance = isWithin(nature.maintenance, tx.nowMs)
        const signal = world.fault(0.05) ? 'FAIL' : 'SUCCESS'
        applyPing(world, tx, { uuid, signal, isMaintenance })
      })
    world.schedule(untilNextPing(row), ping)
  }
  world.schedule(rng.int(0, 30_000), ping)

  function untilNextPing(row: MonitorRow): number {
    const periodMs = (row.expectedPeriodSec ?? row.intervalSeconds) * 1000
    const after = store.tables.monitors.get(uuid) ?? row
    const dueAt = after.clock && heartbeatDueAt(after, after.clock)
    if (dueAt && rng.chance(0.3)) return dueAt.getTime() - world.nowMs() + rng.int(-12, 12)
    return periodMs + rng.int(-5_000, 5_000)
  }
}

/** Receives pings. During an outage a silent job cannot be told from a lost ping. */
export function startReceiving({ world, store, nature }: Deps): void {
  const note = () => {
    if (!isWithin(nature.deaf, world.nowMs())) store.commit(noteReceiving)
    world.schedule(NOTE_EVERY_MS, note)
  }
  note()
}

/** A person who keeps changing monitors until the quiet time; then everything runs again. */
export function startOperator({ world, store }: Deps): void {
  // An outage is hidden only if nobody changes the monitor for minutes.
  const mostMs = world.isCalm ? CALM_CHANGE_EVERY_MS : CHANGE_EVERY_MS
  const change = () => {
    const uuids = [...store.tables.monitors.keys()]
    if (world.nowMs() >= world.quietFromMs || uuids.length === 0) return
    const uuid = world.rng.pick(uuids)
    const isPaused = store.tables.monitors.get(uuid)?.position.state === 'PAUSED'
    const name = isPaused ? 'RESUMED' : pickChange()
    world.log('operator', `${store.tables.monitors.get(uuid)?.name} ${name}`)
    store.commit((tx) => changeMonitor(tx, uuid, name))
    world.schedule(world.rng.int(1_000, mostMs), change)
  }
  world.schedule(CHANGE_EVERY_MS, change)
  world.schedule(world.quietFromMs - world.nowMs(), resumeAll)

  function pickChange(): ChangeName {
    if (world.rng.chance(0.02)) return 'DELETED'
    return world.rng.chance(0.6) ? 'RETARGETED' : 'PAUSED'
  }

  function resumeAll(): void {
    for (const uuid of store.tables.monitors.keys())
      store.commit((tx) => changeMonitor(tx, uuid, 'RESUMED'))
  }
}

/** Organizations that choose another home region, or leave the choice to us. */
export function startMoves({ world, store }: Deps, orgs: readonly string[]): void {
  const move = (org: string) => {
    const chosen = world.rng.pick([...REGIONS, null])
    world.log('operator', `home of ${org} is ${chosen ?? 'the oldest'}`)
    store.commit((tx) => {
      const chosenAt = chosen === null ? null : new Date(tx.nowMs)
      tx.put(tx.tables.homes, org, { chosen, chosenAt })
      tx.append({ atMs: tx.nowMs, uuid: org, what: 'HOME', home: chosen })
    })
    const inMs = world.rng.int(30_000, MOVE_EVERY_MS)
    if (world.nowMs() + inMs < world.quietFromMs) world.schedule(inMs, () => move(org))
  }
  for (const org of orgs) move(org)
}

/** POST /check goes to the owner of the monitor's shard. */
export function startRequests({ world, store }: Deps, schedulers: readonly Scheduler[]): void {
  const request = () => {
    const uuids = [...store.tables.monitors.values()].filter(({ type }) => type === 'HTTP')
    if (uuids.length > 0) {
      const { uuid } = world.rng.pick(uuids)
      schedulers.find((scheduler) => scheduler.owns(uuid))?.requestCheck(uuid)
    }
    world.schedule(world.rng.int(500, REQUEST_EVERY_MS), request)
  }
  world.schedule(REQUEST_EVERY_MS, request)
}

/** Freezes of up to three lease durations, and kills without warning. */
export function startFaults({ world }: Deps, processes: readonly Process[]): void {
  const injectFault = () => {
    const victim = world.rng.pick(processes)
    const seconds = world.rng.int(1, 30)
    if (world.fault(0.7)) {
      world.freeze(victim, seconds * 1000)
    } else if (world.fault(1)) {
      world.crash(victim, 'killed')
    }
    world.schedule(world.rng.int(5_000, FREEZE_EVERY_MS), injectFault)
  }
  if (!world.isCalm) world.schedule(FREEZE_EVERY_MS, injectFault)
}
