// The figures of a run as goals.
import type { GoalRow } from '../engine-report.ts'
import { percentile } from '../harness.ts'
import type { ApiTurns } from './api-turns.ts'
import type { Recovery, SchedulerStart } from './engine.ts'
import { type Buckets, boundOf } from './histogram.ts'
import type { BulkFigures, DeletionFigures } from './people.ts'
import type { RunSize } from './plan.ts'
import type { SlotTally, TableFigures } from './tally.ts'

/** By the target's clock: one entry per HTTP, HTTPS and KEYWORD check. */
export type Arrivals = { atMs: number[]; latenessMs: number[] }
export type Memory = {
  schedulerRss: number
  apiRss: number
  /** Heap and buffers of the scheduler after garbage collection, with the monitors it knows and without any. */
  heldBytes: number
  emptyBytes: number
  scheduled: number
}
export type RunFigures = {
  size: RunSize
  fillSeconds: number
  start: SchedulerStart
  recovery: Recovery
  bulk: BulkFigures
  deletion: DeletionFigures
  tally: SlotTally
  pings: { answered: number; failed: number; recorded: number }
  arrivals: Arrivals
  buckets: Buckets
  memory: Memory
  tables: TableFigures[]
  api: Pick<ApiTurns, 'figures' | 'failures'>
}

const P17 = 'P17'
const MIB = 1024 * 1024
// With shorter intervals, a slot that fell into the death of the scheduler may be written off for the next one.
const LONG_INTERVAL_SECONDS = 600
// With fewer, what a working scheduler holds anyway hides what each of them takes.
const MANY_MONITORS = 80_000

const plain = (measure: string, unit: string, ours: number): GoalRow => ({
  goal: '',
  measure,
  unit,
  ours,
})

export function toGoals(figures: RunFigures): GoalRow[] {
  return [
    plain('filling', 's', figures.fillSeconds),
    ...slotRows(figures),
    ...latenessRows(figures),
    ...startRows(figures),
    ...memoryRows(figures.memory),
    ...peopleRows(figures),
    ...apiRows(figures),
    ...figures.tables.flatMap(tableRows),
  ]
}

function slotRows({ tally, size, pings }: RunFigures): GoalRow[] {
  const { due, done, passed, missed } = tally
  const least = size.intervalSeconds >= LONG_INTERVAL_SECONDS && { atLeast: 0.9999 }
  return [
    plain('slots due', '', due),
    plain('slots run', '', done),
    plain('of them passed', '', passed),
    plain('written off', '', missed),
    { ...plain('run / due', '', done / due), goal: P17, ...least },
    { ...plain('slots without a trace', '', due - done - missed), goal: P17, atMost: 0 },
    plain('pings answered', '', pings.answered),
    plain('pings recorded', '', pings.recorded),
    { ...plain('pings refused', '', pings.failed), goal: P17, atMost: 0 },
  ]
}

function latenessRows({ arrivals, recovery, buckets }: RunFigures): GoalRow[] {
  const { killedMs, endMs } = recovery
  const { atMs, latenessMs } = arrivals
  const steady = latenessMs.filter((_, i) => !isWithin(atMs[i] ?? 0, killedMs, endMs))
  const during = latenessMs.filter((_, i) => isWithin(atMs[i] ?? 0, killedMs, endMs))
  return [
    plain('late p50', 'ms', percentile(steady, 0.5)),
    { ...plain('late p99', 'ms', percentile(steady, 0.99)), goal: P17, atMost: 500 },
    plain('late max', 'ms', percentile(steady, 1)),
    plain('late max, after kill -9', 'ms', percentile(during, 1)),
    plain('late p99 with kill -9', 'ms', percentile(latenessMs, 0.99)),
    plain('late p50, all types, at most', 'ms', 1000 * boundOf(buckets, 0.5)),
    plain('late p99, all types, at most', 'ms', 1000 * boundOf(buckets, 0.99)),
  ]
}

const isWithin = (ms: number, fromMs: number, toMs: number) => ms >= fromMs && ms <= toMs

function startRows({ start, recovery }: RunFigures): GoalRow[] {
  return [
    { ...plain('all shards owned after', 's', start.ownedSeconds), goal: P17, atMost: 10 },
    plain('all monitors known after', 's', start.loadedSeconds),
    plain('kill -9: all shards owned after', 's', recovery.ownedSeconds),
    plain('kill -9: all monitors known after', 's', recovery.loadedSeconds),
    plain('kill -9: on time again after', 's', recovery.onTimeSeconds),
  ]
}

function memoryRows(memory: Memory): GoalRow[] {
  const { schedulerRss, apiRss, heldBytes, emptyBytes, scheduled } = memory
  return [
    plain('scheduler RSS, highest', 'MiB', schedulerRss / MIB),
    plain('API RSS, highest', 'MiB', apiRss / MIB),
    plain('scheduler holds', 'MiB', heldBytes / MIB),
    plain('without monitors', 'MiB', emptyBytes / MIB),
    {
      ...plain('per monitor in the scheduler', 'B', (heldBytes - emptyBytes) / scheduled),
      goal: P17,
      ...(scheduled >= MANY_MONITORS && { atMost: 200 }),
    },
  ]
}

function peopleRows({ bulk, deletion }: RunFigures): GoalRow[] {
  return [
    plain('bulk pause: monitors', '', bulk.changed),
    plain('bulk pause', 's', bulk.seconds),
    plain('bulk pause: slowest round', 'ms', bulk.slowestRoundMs),
    plain('deleted: monitors', '', deletion.monitors),
    plain('deleted: rows', '', deletion.rows),
    plain('deletion', 's', deletion.seconds),
  ]
}

function apiRows({ api }: RunFigures): GoalRow[] {
  const rows = api.figures().map(
    ({ phase, operation, on, p95, smallP95 }): GoalRow => ({
      goal: P17,
      measure: `API p95, ${operation}, ${on}, ${phase}`,
      unit: 'ms',
      ours: p95,
      bare: smallP95,
      atMost: 2,
      by: 'ratio',
    }),
  )
  return [
    ...rows,
    { ...plain('API requests failed', '', api.failures.length), goal: P17, atMost: 0 },
  ]
}

function tableRows(figures: TableFigures): GoalRow[] {
  const { table, rows, deadRows, hotShare, autovacuums, bytes, vacuumSeconds, bloat } = figures
  // The partition's name is that of a day.
  const name = table.replace(/_\d+$/, '')
  return [
    plain(`${name}: size`, 'MiB', bytes / MIB),
    plain(`${name}: dead / live rows`, '', deadRows / Math.max(1, rows)),
    plain(`${name}: HOT share`, '', hotShare),
    plain(`${name}: autovacuums`, '', autovacuums),
    plain(`${name}: vacuum`, 's', vacuumSeconds),
    plain(`${name}: bloat`, 'x', bloat),
  ]
}
