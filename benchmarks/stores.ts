// What would another store cost for the same results? PostgreSQL (rows and packs), ClickHouse, and a log (JetStream).
// mkdir /tmp/chdb && (cd /tmp/chdb && npm init -y && npm install chdb@3.4.0)
// CHDB=/tmp/chdb node benchmarks/stores.ts [--monitors 700]
import { parseArgs } from 'node:util'
import pg from 'pg'
import { Database } from '../src/store/core/db.ts'
import { packResults } from '../src/store/history/packing.ts'
import { startStack } from '../tools/stack.ts'
import { copyRows } from './engine-copy.ts'
import { insertMonitors } from './engine-rows.ts'
import { describeMachine, familyCpuMicros, watchBusyness } from './machine.ts'
import * as past from './packing-rows.ts'
import { print, printJson, printRun, table } from './report.ts'
import { ClickHouse } from './stores/clickhouse.ts'
import { startJetStream } from './stores/jetstream.ts'
import { Postgres, readLines } from './stores/postgres.ts'
import {
  BATCH_SIZE,
  DAY_MS,
  medianMs,
  type Reads,
  type ResultLine,
  type StoreFigures,
} from './stores/store.ts'

const READ_ROUNDS = 200
const SUMMARY_ROUNDS = 5
const WARM_UP = 20
const ROWS_PER_PACKING = 100_000
const { values } = parseArgs({ options: { monitors: { type: 'string', default: '700' } } })
const monitors = Number(values.monitors)
const folder = process.env['CHDB']
if (folder === undefined) throw new Error('CHDB must name a folder with node_modules/chdb')

const stack = await startStack({ nats: false })
const client = new pg.Client(stack.databaseUrl)
const engine = new Database(
  { url: stack.env['DATABASE_URL'] ?? '', role: 'upvane_engine', connections: 1 },
  () => {},
)
// The oldest day that is packed: the day before yesterday.
const fromMs = Math.floor(Date.now() / DAY_MS - 2) * DAY_MS
const clickHouse = new ClickHouse(folder, fromMs)
const jetStream = await startJetStream()
try {
  await client.connect()
  await compare()
} finally {
  clickHouse.close()
  await jetStream.stop()
  await engine.close()
  await client.end()
  await stack.stop()
}

async function compare(): Promise<void> {
  const busy = watchBusyness()
  await insertMonitors(client, {
    type: 'HTTP',
    intervalSeconds: 60,
    timeoutSeconds: 10,
    kind: 'stores',
    count: monitors,
    organizations: 10,
    address: `'http://127.0.0.1:1/' || phase`,
  })
  await past.fillDays(client, 1)
  const batches = await toBatches()
  const rows = await measureRows(batches)
  const packs = await measurePacks()
  const columns = await measureClickHouse(batches)
  const log = await measureLog(batches)
  report([rows, packs, columns, log], busy())
}

/** The day's results in batches as they would arrive: minute after minute, monitors in no order. */
async function toBatches(): Promise<ResultLine[][]> {
  const lines: { line: ResultLine; slot: number }[] = []
  for await (const ofMonitor of readLines(client, fromMs))
    for (const line of ofMonitor) lines.push({ line, slot: Number(line.split('\t', 2)[1]) })
  lines.sort((a, b) => a.slot - b.slot)
  const batches: ResultLine[][] = []
  for (let at = 0; at < lines.length; at += BATCH_SIZE)
    batches.push(lines.slice(at, at + BATCH_SIZE).map(({ line }) => line))
  return batches
}

async function measureRows(batches: readonly ResultLine[][]): Promise<StoreFigures> {
  const { bytes, results } = await past.measureRows(client, 1)
  await client.query('create table bare_results (like results including all)')
  const texts = batches.map((lines) => lines.map(toCopyLine).join(''))
  const written = await write(
    batches,
    () => familyCpuMicros(stack.postgres.pid),
    (batch) => copyRows(client, past.INTO('bare_results'), texts[batch] ?? ''),
  )
  await client.query('drop table bare_results')
  const reads = await read(new Postgres(client, false, fromMs))
  return { store: 'PostgreSQL, rows', bytesPerResult: bytes / results, ...written, ...reads }
}

function toCopyLine(line: ResultLine): string {
  const [no, slot, verdict, responseMs, status, region, detail] = line.split('\t')
  const at = new Date(Number(slot)).toISOString()
  return `${[no, at, 0, verdict, responseMs, status, region, detail].join('\t')}\n`
}

async function measurePacks(): Promise<StoreFigures> {
  const cpu = familyCpuMicros(stack.postgres.pid)
  let results = 0
  for (let progress = await packResults(engine, ROWS_PER_PACKING); !progress.idle; ) {
    results += progress.results
    progress = await packResults(engine, ROWS_PER_PACKING)
  }
  const writeMicros = (familyCpuMicros(stack.postgres.pid) - cpu) / results
  const size = await past.measurePacks(client)
  const reads = await read(new Postgres(client, true, fromMs))
  const bytesPerResult = size.bytes / size.results
  return { store: 'PostgreSQL, packed (in addition)', bytesPerResult, writeMicros, ...reads }
}

async function measureClickHouse(batches: readonly ResultLine[][]): Promise<StoreFigures> {
  const ownMicros = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  const written = await write(batches, ownMicros, (batch) =>
    clickHouse.insert(batches[batch] ?? []),
  )
  const cpu = ownMicros()
  await clickHouse.merge()
  const { bytes, results } = clickHouse.size()
  const merging = (ownMicros() - cpu) / results
  const reads = await read(clickHouse)
  return {
    store: `ClickHouse ${clickHouse.version()}`,
    bytesPerResult: bytes / results,
    ...written,
    writeMicros: written.writeMicros + merging,
    ...reads,
  }
}

async function measureLog(batches: readonly ResultLine[][]): Promise<StoreFigures> {
  const written = await write(batches, jetStream.cpuMicros, (batch) =>
    jetStream.append(batches[batch] ?? []),
  )
  const results = batches.reduce((sum, { length }) => sum + length, 0)
  const bytesPerResult = (await jetStream.bytes()) / results
  return { store: 'JetStream, a log', bytesPerResult, ...written }
}

/** CPU time of the store for each result, and the median duration of a batch. */
async function write(
  batches: readonly ResultLine[][],
  micros: () => number,
  one: (batch: number) => Promise<void>,
) {
  const before = micros()
  const batchMs = await medianMs(batches.length, one)
  const results = batches.reduce((sum, { length }) => sum + length, 0)
  return { writeMicros: (micros() - before) / results, batchMs }
}

async function read(reads: Reads) {
  const { rows } = await client.query<{ no: string }>('select no from monitors order by random()')
  const numbers = rows.map(({ no }) => Number(no))
  const monitorOf = (round: number) => numbers[round % numbers.length] ?? 0
  expect('newest', await reads.newest(monitorOf(0)), 50)
  expect('chart', await reads.chart(monitorOf(0)), 1440)
  expect('summary', await reads.summary(), numbers.length)
  for (let round = 0; round < WARM_UP; round++) await reads.newest(monitorOf(round))
  return {
    newestMs: await medianMs(READ_ROUNDS, (round) => reads.newest(monitorOf(round))),
    chartMs: await medianMs(READ_ROUNDS, (round) => reads.chart(monitorOf(round))),
    summaryMs: await medianMs(SUMMARY_ROUNDS, () => reads.summary()),
  }
}

function expect(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} rows, not ${expected}`)
}

function report(
  figures: readonly StoreFigures[],
  busy: ReturnType<ReturnType<typeof watchBusyness>>,
): void {
  const setting = {
    ...describeMachine(),
    data: `a day of ${monitors} monitors every 60 s, in batches of ${BATCH_SIZE}`,
    durability: 'none: no store waits for the disk',
  }
  const run = { question: 'What would another store cost?', setting, busy }
  printRun(run)
  const head = [
    'store',
    'B/result',
    'CPU us/result',
    'ms/batch',
    'newest 50 ms',
    'chart of a day ms',
    'all monitors ms',
  ]
  const cell = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))
  const lines = figures.map((each) => [
    each.store,
    cell(each.bytesPerResult),
    cell(each.writeMicros),
    cell(each.batchMs),
    cell(each.newestMs),
    cell(each.chartMs),
    cell(each.summaryMs),
  ])
  print(table([head, ...lines]))
  printJson({ ...run, figures })
}
