// What does a packed result cost, and how fast are finished days packed on one core while results are being recorded?
// Prints one line of JSON; the table for people goes to standard error.
// npm run bench:packing [-- --monitors 700 --days 2]
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Database } from '../src/store/core/db.ts'
import { packResults } from '../src/store/history/packing.ts'
import { RETENTION_DAYS, RETENTION_MONITORS, retentionCost } from '../tools/retention-cost.ts'
import { startStack } from '../tools/stack.ts'
import { copyRows } from './engine-copy.ts'
import { type GoalRow, goalTable, verdictOf } from './engine-report.ts'
import { insertMonitors } from './engine-rows.ts'
import { percentile } from './harness.ts'
import { describeMachine, familyCpuMicros, pin, watchBusyness } from './machine.ts'
import * as rows from './packing-rows.ts'
import { printJson } from './report.ts'

const MAX_BYTES = 10
const MIN_RATE = 200_000
// The largest batches of the janitor.
const ROWS_PER_BATCH = 100_000
const MAX_BATCHES = 100_000
const MAX_IDLES = 3
const COPY_BATCH = 500
const COPY_BATCHES = 200
const BESIDE_ROWS = 100
const BESIDE_EVERY_MS = 100
const POSTGRES_CORE = '1'
const OWN_CORE = '0'

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '700' },
    days: { type: 'string', default: '2' },
  },
})
const monitors = Number(values.monitors)
const days = Number(values.days)

const stack = await startStack({ nats: false })
pin(stack.postgres.pid, POSTGRES_CORE)
pin(process.pid, OWN_CORE)
const client = new pg.Client(stack.databaseUrl)
const beside = new pg.Client(stack.databaseUrl)
const url = stack.env['DATABASE_URL'] ?? ''
const engine = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
try {
  await client.connect()
  await beside.connect()
  await measure()
} finally {
  await engine.close()
  await client.end()
  await beside.end()
  await stack.stop()
}

async function measure(): Promise<void> {
  const address = `'http://127.0.0.1:1/' || phase`
  const shape = { type: 'HTTP', intervalSeconds: 60, timeoutSeconds: 10 } as const
  await insertMonitors(client, {
    ...shape,
    kind: 'packing',
    count: monitors,
    organizations: 10,
    address,
  })
  await rows.fillDays(client, days)
  const stored = await rows.measureRows(client, days)
  const before = await rows.checksum(client, days)
  const busy = watchBusyness()
  const firstCopy = await copyRate()
  const packing = await pack()
  const secondCopy = await copyRate()
  const packs = await rows.measurePacks(client)
  const after = await rows.checksum(client, days)
  const copyRowsPerSecond = Math.max(firstCopy.wall, secondCopy.wall)
  const bytes = { row: stored.bytes / stored.results, packed: packs.bytes / packs.results }
  const figures = {
    bytesPerResult: round(bytes.packed),
    rowBytesPerResult: round(bytes.row),
    resultsPerSecond: Math.round(packing.results / packing.seconds),
    resultsPerCpuSecond: Math.round(packing.results / packing.cpuSeconds),
    copyRowsPerSecond: Math.round(copyRowsPerSecond),
    copyRowsPerCpuSecond: Math.round(Math.max(firstCopy.cpu, secondCopy.cpu)),
    ratioToCopy: round(packing.results / packing.seconds / copyRowsPerSecond),
    walBytesPerResult: round(packing.walBytes / packing.results),
    results: packing.results,
    monitors,
    days,
    compression: packs.compression,
    isUnchanged: before === after && packing.results === stored.results,
    recordedBeside: packing.times.length * BESIDE_ROWS,
    recordingBesideP99Ms: round(percentile(packing.times, 0.99)),
    recordingBesideMaxMs: round(Math.max(...packing.times)),
  }
  report(figures, bytes, busy())
}

/** Results of bare COPY into a table like results, in the batches that the product uses: per second, and of one core. */
async function copyRate(): Promise<{ wall: number; cpu: number }> {
  await client.query('create table bare_results (like results including all)')
  const cpu = familyCpuMicros(stack.postgres.pid)
  const startedMs = performance.now()
  for (let batch = 0; batch < COPY_BATCHES; batch++)
    await copyRows(client, rows.INTO('bare_results'), rows.bareRows(batch, COPY_BATCH))
  const seconds = (performance.now() - startedMs) / 1000
  const cpuSeconds = (familyCpuMicros(stack.postgres.pid) - cpu) / 1e6
  await client.query('drop table bare_results')
  const copied = COPY_BATCHES * COPY_BATCH
  return { wall: copied / seconds, cpu: copied / cpuSeconds }
}

async function pack() {
  const recording = startRecording()
  const wal = await rows.walPosition(client)
  const cpu = familyCpuMicros(stack.postgres.pid)
  const startedMs = performance.now()
  let [results, idles, endedMs] = [0, 0, startedMs]
  // A batch that is being recorded may be in the way of publishing a day.
  for (let batch = 0; batch < MAX_BATCHES && idles < MAX_IDLES; batch++) {
    const progress = await packResults(engine, ROWS_PER_BATCH)
    results += progress.results
    idles = progress.idle ? idles + 1 : 0
    if (progress.idle) await sleep(BESIDE_EVERY_MS)
    else endedMs = performance.now()
  }
  const seconds = (endedMs - startedMs) / 1000
  const cpuSeconds = (familyCpuMicros(stack.postgres.pid) - cpu) / 1e6
  const times = await recording.stop()
  const walBytes = (await rows.walPosition(client)) - wal
  return { results, seconds, cpuSeconds, walBytes, times }
}

/** The service at 1,000 checks a second, as far as the database notices. Returns how long each batch took. */
function startRecording() {
  let isStopped = false
  const times: number[] = []
  const running = (async () => {
    for (let batch = 0; !isStopped; batch++) {
      const startedMs = performance.now()
      await copyRows(beside, rows.INTO('results'), rows.bareRows(batch, BESIDE_ROWS))
      times.push(performance.now() - startedMs)
      await sleep(BESIDE_EVERY_MS)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await running
      return times
    },
  }
}

type Figures = {
  bytesPerResult: number
  rowBytesPerResult: number
  resultsPerCpuSecond: number
  copyRowsPerCpuSecond: number
  isUnchanged: boolean
}

function report(
  figures: Figures,
  bytes: { row: number; packed: number },
  busy: ReturnType<ReturnType<typeof watchBusyness>>,
): void {
  const { bytesPerResult, rowBytesPerResult, resultsPerCpuSecond, copyRowsPerCpuSecond } = figures
  const goals: GoalRow[] = [
    {
      goal: 'P14',
      measure: 'packed result, bare: a row',
      unit: 'B',
      ours: bytesPerResult,
      bare: rowBytesPerResult,
      atMost: MAX_BYTES,
    },
    // By processor time, with what is recorded meanwhile: the time on the clock says more about other work on the machine.
    {
      goal: 'P14',
      measure: 'packing, of one core',
      unit: 'results/s',
      ours: resultsPerCpuSecond,
      bare: copyRowsPerCpuSecond,
      atLeast: MIN_RATE,
    },
  ]
  const retention = RETENTION_MONITORS.flatMap((count) =>
    RETENTION_DAYS.map((kept) => ({
      monitors: count,
      days: kept,
      gigabytes: round(retentionCost(count, kept, bytes) / 1e9),
    })),
  )
  const passed = figures.isUnchanged && goals.every((goal) => verdictOf(goal) !== 'MISSED')
  process.stderr.write(`${goalTable(goals)}\n`)
  printJson({ ...figures, retention, machine: describeMachine(), busy, passed })
  if (!passed) process.exitCode = 1
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
