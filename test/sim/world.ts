// The world of a simulation: one clock, one event queue, and processes that may crash (everything in memory is lost) or
// freeze (they resume later without noticing).
import { createRng, type Rng } from './rng.ts'

/** The guards of the engine. Each can be removed on its own, and then the oracle must object. */
export const PLANTS = {
  fencing: 'results are applied without checking the lease token',
  'slot-unique': 'a slot that has its record is recorded again',
  epoch: 'results of an old epoch drive the monitor',
  'void-slot': 'a void result takes the slot of the check that is still to come',
  'missed-range': 'slots skipped after an outage are not written down',
  'state-lock': 'the state is folded from what was read when the check was sent',
  'resend-limit': 'a silent job is sent again without limit',
  'send-once': 'an accepted request with an effect is sent again',
  'job-id': 'an answer counts whatever job it answers',
  'fault-is-down': 'a fault of our own counts as a failure of the target',
  'last-ping': 'the deadline is judged by the ping that was read before the lock',
  'own-downtime': 'our own downtime counts as the silence of a job',
  'home-region': 'the home region is one without a probe, so that no response time counts',
  proven: 'a region decides that has never seen the target work',
  'base-needs-pass': 'the base moves with the home region, without a pass there',
  'refused-is-answer': 'a refused connection raises doubt about our own network',
  'doubt-ends': 'doubt about our own network has no end',
  findings: 'what a probe reports is a verdict even if it is no finding',
  'private-try': 'a private target is tried from another site',
  'doubt-memory':
    'an incident begins with a failure from before a pause, or before the last verdict',
  'try-epoch': 'a try of the old target proves the new one',
  maintenance: 'incidents open inside maintenance windows',
  'mark-before-send': 'a delivery is marked as sent before it is sent',
  'claim-once': 'a delivery whose sender died is never claimed again',
} as const
export type Plant = keyof typeof PLANTS

export type Process = {
  name: string
  generation: number
  frozenUntilMs: number
  /** The offset of its estimate of the database clock. */
  skewMs: number
  /** Restarts it with empty memory. */
  boot(): void
}

export type World = {
  readonly rng: Rng
  readonly trace: string[]
  readonly quietFromMs: number
  readonly endMs: number
  /** No process dies or freezes: nothing excuses a delay. */
  readonly isCalm: boolean
  /** When a scheduler died or froze, and for how long. */
  readonly disturbances: { atMs: number; forMs: number }[]
  nowMs(): number
  at(): Date
  /** True unless this guard is the removed one. */
  guards(plant: Plant): boolean
  /** True if faults are enabled and this one occurs. */
  fault(probability: number): boolean
  log(who: string, what: string): void
  /** An event outside all processes: the database, the network, a target. */
  schedule(delayMs: number, happen: () => void): void
  /** A step of a process: skipped if it has crashed since, delayed if it is frozen. */
  run(process: Process, delayMs: number, step: () => void): void
  /** Replies to the process as it is now: after a crash the reply is dropped. */
  replyTo(process: Process): (delayMs: number, step: () => void) => void
  crash(process: Process, why: string): void
  freeze(process: Process, forMs: number): void
  disturb(process: Process, forMs: number): void
  play(): void
}

type Entry = { ms: number; n: number; happen: () => void }

const START_MS = Date.UTC(2026, 10, 14, 22, 0, 0)
const CALM = 0.5
const RESTART_MS = [200, 15_000] as const

type WorldOptions = { seed: number; minutes: number; quietMinutes: number; plant?: Plant }

export function createWorld({ seed, minutes, quietMinutes, plant }: WorldOptions): World {
  const rng = createRng(seed)
  const queue = createQueue()
  const trace: string[] = []
  const endMs = START_MS + minutes * 60_000
  const quietFromMs = endMs - quietMinutes * 60_000
  let nowMs = START_MS
  const isCalm = rng.chance(CALM)
  const world: World = {
    rng,
    trace,
    endMs,
    quietFromMs,
    isCalm,
    disturbances: [],
    nowMs: () => nowMs,
    at: () => new Date(nowMs),
    guards: (guard) => guard !== plant,
    fault: (probability) => rng.chance(probability) && nowMs < quietFromMs,
    log: (who, what) =>
      void trace.push(`${((nowMs - START_MS) / 1000).toFixed(3)} ${who}: ${what}`),
    schedule: (delayMs, happen) => queue.push(nowMs + Math.max(0, delayMs), happen),
    run: (process, delayMs, step) => world.replyTo(process)(delayMs, step),
    replyTo: (process) => {
      const { generation } = process
      return (delayMs, step) => {
        const attempt = () => {
          if (process.generation !== generation) return
          if (process.frozenUntilMs <= nowMs) step()
          else queue.push(process.frozenUntilMs, attempt)
        }
        queue.push(nowMs + Math.max(0, delayMs), attempt)
      }
    },
    crash: (process, why) => {
      process.generation += 1
      process.frozenUntilMs = 0
      world.log(process.name, `crash ${why}`)
      const forMs = rng.int(...RESTART_MS)
      world.disturb(process, forMs)
      world.schedule(forMs, () => process.boot())
    },
    freeze: (process, forMs) => {
      process.frozenUntilMs = nowMs + forMs
      world.log(process.name, `frozen for ${forMs / 1000} s`)
      world.disturb(process, forMs)
    },
    disturb: ({ name }, forMs) => {
      if (name.startsWith('scheduler')) world.disturbances.push({ atMs: nowMs, forMs })
    },
    play: () => {
      for (let entry = queue.pop(); entry && entry.ms <= endMs; entry = queue.pop()) {
        nowMs = entry.ms
        entry.happen()
      }
      nowMs = endMs
    },
  }
  return world
}

// A binary heap ordered by time, then by insertion, so that ties are deterministic.
function createQueue() {
  const heap: Entry[] = []
  let count = 0
  const before = (a: Entry, b: Entry) => a.ms < b.ms || (a.ms === b.ms && a.n < b.n)
  const get = (i: number): Entry =>
    heap[i] ?? { ms: Number.POSITIVE_INFINITY, n: i, happen: () => {} }
  return {
    push(ms: number, happen: () => void): void {
      const entry = { ms, n: count++, happen }
      let i = heap.length
      for (let up = (i - 1) >> 1; i > 0 && before(entry, get(up)); up = (i - 1) >> 1) {
        heap[i] = get(up)
        i = up
      }
      heap[i] = entry
    },
    pop(): Entry | undefined {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      let i = 0
      for (let down = smaller(1); before(get(down), last); down = smaller(2 * i + 1)) {
        heap[i] = get(down)
        i = down
      }
      heap[i] = last
      return first
    },
  }

  function smaller(left: number): number {
    return before(get(left + 1), get(left)) ? left + 1 : left
  }
}
