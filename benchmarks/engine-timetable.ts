// How many bytes does a scheduler hold for each monitor, and how long does its timetable block the event loop? In this
// process alone, without a database.
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextSlotAt, shardOf } from '../src/domain/monitors/schedule.ts'
import { Timetable } from '../src/engine/scheduling/timetable.ts'
import { newUuid } from '../src/store/core/new-uuid.ts'
import { reportGoals } from './engine-report.ts'
import { watchBusyness } from './machine.ts'

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '1000000' },
    interval: { type: 'string', default: '3600' },
  },
})
const MONITORS = Number(values.monitors)
const INTERVAL_SECONDS = Number(values.interval)
const COLLECTIONS = 3
const REPEATS = 20
const STEP_MS = 250
const AHEAD_MS = 1000

// Without it, garbage of the filling would count.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const busy = watchBusyness()
const startMs = Date.now()
const emptyBytes = heldBytes()
const timetable = new Timetable()
const noteUs = timed(() => fill(timetable)) / MONITORS
const bytes = (heldBytes() - emptyBytes) / timetable.size
const collectMs = timed(collect) / 1000
const oldestUs = best(() => timetable.oldestMs())
const overdueUs = best(() => timetable.hasOverdue(startMs, 2))
const takes = takeSteps(timetable)
const forgetMs = timed(() => timetable.forget([0])) / 1000
const half = Array.from({ length: 128 }, (_, shard) => shard + 1)
const halfMs = timed(() => timetable.forget(half)) / 1000
const setting = {
  load: `${MONITORS} monitors every ${INTERVAL_SECONDS} s`,
  rounds: `the worst of ${takes.length} steps of ${STEP_MS} ms; the best of ${REPEATS} for the others`,
}
reportGoals('The timetable of a scheduler', { setting, busy }, [
  { goal: 'P17', measure: 'per monitor', unit: 'B', ours: bytes, atMost: 200 },
  { goal: '', measure: 'noting a monitor', unit: 'us', ours: noteUs },
  { goal: '', measure: 'a full garbage collection', unit: 'ms', ours: collectMs },
  { goal: '', measure: 'age of the oldest slot, each second', unit: 'us', ours: oldestUs },
  { goal: '', measure: 'whether a slot is overdue', unit: 'us', ours: overdueUs },
  { goal: '', measure: 'taking 250 ms of slots, worst', unit: 'us', ours: Math.max(...takes) },
  { goal: '', measure: 'losing a shard', unit: 'ms', ours: forgetMs },
  { goal: '', measure: 'losing half of the shards', unit: 'ms', ours: halfMs },
])

function fill(into: Timetable): void {
  for (let monitorNo = 1; monitorNo <= MONITORS; monitorNo++) {
    const uuid = newUuid(new Date(startMs))
    const grid = { uuid, intervalSeconds: INTERVAL_SECONDS }
    const dueAt = nextSlotAt(grid, new Date(startMs))
    const shard = shardOf(uuid)
    into.note({ ...grid, monitorNo, shard, epoch: 0, type: 'HTTP', dueAt }, startMs)
  }
}

/** Slots are taken and noted again for the next interval, as when their checks have been recorded. */
function takeSteps(from: Timetable): number[] {
  const steps: number[] = []
  for (let step = 0; step < REPEATS; step++) {
    const nowMs = startMs + step * STEP_MS
    const untilMs = nowMs + AHEAD_MS
    let taken: ReturnType<Timetable['take']> = []
    steps.push(
      timed(() => {
        taken = from.take({
          nowMs,
          fromMs: untilMs - STEP_MS,
          untilMs,
          most: Number.MAX_SAFE_INTEGER,
        })
      }),
    )
    for (const ticket of taken) {
      from.drop(ticket)
      const { monitorNo, shard, epoch, intervalSeconds } = ticket
      const dueAt = new Date(ticket.dueAt.getTime() + intervalSeconds * 1000)
      const rest = { uuid: '', type: 'HTTP' } as const
      from.note({ monitorNo, shard, epoch, intervalSeconds, dueAt, ...rest }, nowMs)
    }
  }
  return steps
}

function heldBytes(): number {
  for (let i = 0; i < COLLECTIONS; i++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** In microseconds. */
function timed(work: () => unknown): number {
  const beginMs = performance.now()
  work()
  return (performance.now() - beginMs) * 1000
}

function best(work: () => unknown): number {
  return Math.min(...Array.from({ length: REPEATS }, () => timed(work)))
}
