// What is killed when, and how long the shards of a killed scheduler are without an owner.
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

type Victim = 'scheduler' | 'probe' | 'api' | 'nats' | 'postgres'
type Planned = { atMs: number; what: Victim; pick: number; pauseMs: number }
export type Kill = { what: Victim; name: string; takeoverMs?: number }

const PER_MINUTE: Record<Victim, number> = {
  scheduler: 4,
  probe: 9,
  api: 6,
  nats: 3,
  postgres: 3,
}
const LONGEST_PAUSE_MS = 2000
const SERVER_DOWN_MS = 500
// A takeover is measured while nothing else interferes, and must be complete at the end.
const QUIET_MS = 14_000
const MEASURED_AT_MS = 1000
const POLL_MS = 100
const GIVE_UP_MS = 30_000

/** The first kill is a scheduler whose shards are observed; then everything, in random order. */
export function cast(seconds: number, seed: number): Planned[] {
  const random = mulberry32(seed)
  const victims = Object.entries(PER_MINUTE).flatMap(([what, perMinute]) =>
    // Safe because the keys are the ones of the table.
    Array<Victim>(Math.round((perMinute * seconds) / 60)).fill(what as Victim),
  )
  victims.splice(victims.indexOf('scheduler'), 1)
  const lastMs = Math.max(QUIET_MS, seconds * 1000 - QUIET_MS)
  const gentle = (what: Victim) => what === 'probe' || what === 'api'
  const planned = victims.map((what): Planned => {
    const fromMs = gentle(what) ? MEASURED_AT_MS : MEASURED_AT_MS + QUIET_MS
    const toMs = gentle(what) ? seconds * 1000 - LONGEST_PAUSE_MS : lastMs
    const atMs = fromMs + random() * Math.max(0, toMs - fromMs)
    return { atMs, what, pick: random(), pauseMs: random() * LONGEST_PAUSE_MS }
  })
  const first: Planned = { atMs: MEASURED_AT_MS, what: 'scheduler', pick: 0, pauseMs: 1000 }
  return [first, ...planned].toSorted((a, b) => a.atMs - b.atMs)
}

export class Killer {
  readonly kills: Kill[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async run(plan: readonly Planned[]): Promise<void> {
    const startedMs = performance.now()
    const under: Promise<void>[] = []
    for (const [i, planned] of plan.entries()) {
      await sleep(Math.max(0, startedMs + planned.atMs - performance.now()))
      under.push(this.#kill(planned, i === 0))
    }
    await Promise.all(under)
  }

  async #kill(planned: Planned, isMeasured: boolean): Promise<void> {
    const { what } = planned
    if (what === 'nats' || what === 'postgres') return this.#killServer(what)
    const { crew } = this.#world
    const names = NAMES[what].filter((name) => crew.isRunning(name))
    const name = names[Math.floor(planned.pick * names.length)]
    // All of its kind are restarting: there is none left to kill.
    if (name === undefined) return
    const pid = crew.pidOf(name)
    const killed: Kill = { what, name }
    this.kills.push(killed)
    const killedMs = performance.now()
    await crew.kill(name)
    crew.revive(name, planned.pauseMs)
    if (!isMeasured) return
    await this.#takenOver(pid)
    killed.takeoverMs = performance.now() - killedMs
  }

  async #killServer(what: 'nats' | 'postgres'): Promise<void> {
    const server = this.#world.stack[what]
    this.kills.push({ what, name: what })
    await server?.kill()
    await sleep(SERVER_DOWN_MS)
    await server?.restart()
  }

  async #takenOver(pid: number): Promise<void> {
    const deadlineMs = performance.now() + GIVE_UP_MS
    const orphans = `shards s left join schedulers o on o.id = s.scheduler_id
                     where o.id is null or o.name like '% ' || $1::text`
    while (performance.now() < deadlineMs) {
      if ((await this.#world.count(orphans, [String(pid)])) === 0) return
      await sleep(POLL_MS)
    }
  }
}

const NAMES = {
  scheduler: ['scheduler-1', 'scheduler-2'],
  probe: ['probe-eu', 'probe-us', 'probe-ap'],
  api: ['api'],
} as const

/** The same seed gives the same plan. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
