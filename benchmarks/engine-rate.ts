// Can one core run this many HTTP checks a second on time, and what does a check cost in total, against bare node:http
// on new connections at the same slots? How large is a result in the database?
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { BareOutcome } from './engine-bare.ts'
import { StallReader, stallRows, startBeside } from './engine-disturbance.ts'
import {
  Bare,
  bareTargets,
  type CpuSlot,
  type Kit,
  measureCpu,
  openKit,
  pidOf,
  postgresVersion,
  readMetric,
  startPinned,
  startSettled,
  summarize,
  TESTED_CORE,
  walBytes,
} from './engine-kit.ts'
import { type GoalRow, reportGoals } from './engine-report.ts'
import { insertMonitors, slotAddress, type Tally, tallySlots } from './engine-rows.ts'
import type { Stalls } from './engine-stalls.ts'
import { pin, watchBusyness } from './machine.ts'
import { print } from './report.ts'

const { values } = parseArgs({
  options: {
    scheme: { type: 'string', default: 'http' },
    rate: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    // Prints the worst lateness of each half second, to explain the tail.
    series: { type: 'boolean', default: false },
    // Other work on the tested core: SHARE or SHARE:BURST_MS.
    beside: { type: 'string' },
    // Prints delays of the event loop and pauses of garbage collection.
    stalls: { type: 'boolean', default: false },
    // Scheduler and probe in processes of their own, over NATS, instead of one with every role.
    split: { type: 'boolean', default: false },
  },
})
const scheme = values.scheme === 'https' ? 'https' : 'http'
const rate = Number(values.rate ?? (scheme === 'http' ? 1000 : 200))
const rounds = Number(values.rounds)
const INTERVAL_SECONDS = 30
// Long enough that nearly all checks started in a slot are recorded in it.
const SLOT_MS = 5000
// One interval: every monitor is due exactly once in it.
const SLOTS = (INTERVAL_SECONDS * 1000) / SLOT_MS
const BARE_SLOTS = SLOTS / 2
const WARM_UP_MS = 12_000
const ARRIVAL_MS = 4000
const PROCESSES = values.split ? 'scheduler, probe and NATS' : 'one process'
const GOALS = { http: { cpu: 2, name: 'HTTP' }, https: { cpu: 1.25, name: 'HTTPS' } }[scheme]

type Ours = {
  cpu: CpuSlot[]
  latenessMs: number[]
  tally: Tally
  walBytes: number
  eventLoopP99Ms: number
  stalls?: Stalls
}
type BareRun = { cpu: CpuSlot[]; latenessMs: number[]; outcome: BareOutcome }

const kit = await openKit({ nats: values.split })
const beside = await startBeside(values.beside)
try {
  const monitors = rate * INTERVAL_SECONDS
  await insertMonitors(kit.client, {
    kind: 'rate',
    count: monitors,
    type: 'HTTP',
    intervalSeconds: INTERVAL_SECONDS,
    timeoutSeconds: 10,
    organizations: 100,
    address: slotAddress(scheme, kit.ports[scheme], INTERVAL_SECONDS),
  })
  const busy = watchBusyness()
  const ours: Ours[] = []
  const bare: BareRun[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 1) bare.push(await runBare(kit))
    ours.push(await runOurs(kit))
    if (round % 2 === 0) bare.push(await runBare(kit))
  }
  const setting = {
    postgres: `${await postgresVersion(kit.client)}, not durable`,
    load: `${monitors} ${GOALS.name} monitors every ${INTERVAL_SECONDS} s = ${rate}/s, 100 organizations, 20 addresses`,
    tls: scheme === 'https' ? 'TLS 1.3, ECDSA P-256, not verified, no resumption' : 'none',
    pinning: `product (${PROCESSES}) or bare loop on core 0; PostgreSQL and target on core 1`,
    beside: beside.text,
    rounds: `${rounds} x ${SLOTS} slots of ${SLOT_MS} ms ours, ${rounds} x ${BARE_SLOTS} bare, in turns A B B A`,
  }
  const rows = [
    ...rateRows(ours, bare),
    ...stallRows(ours.flatMap(({ stalls = [] }) => stalls)),
    ...cpuRows(ours, bare),
    ...(await weightRows(kit, ours)),
  ]
  reportGoals(`${rate} ${GOALS.name} checks a second on one core`, { setting, busy }, rows)
} finally {
  beside.stop()
  await kit.close()
}

async function runOurs(kit: Kit): Promise<Ours> {
  const reader = values.stalls ? new StallReader() : undefined
  const probe = values.split ? await startPinned(kit, 'probe') : undefined
  if (kit.stack.nats !== undefined) pin(kit.stack.nats.pid, TESTED_CORE)
  const service = await startSettled(kit, values.split ? 'scheduler' : 'start', reader?.env)
  const pids = [service, probe].flatMap((each) => (each ? pidOf(each.process) : []))
  if (kit.stack.nats !== undefined) pids.push(kit.stack.nats.pid)
  await delay(WARM_UP_MS)
  reader?.restart(pidOf(service.process))
  await kit.target.request({ do: 'take' })
  const walBefore = await walBytes(kit.client)
  const from = new Date()
  const cpu = await measureCpu(kit, pids, { slots: SLOTS, slotMs: SLOT_MS })
  const to = new Date(from.getTime() + INTERVAL_SECONDS * 1000)
  const { latenessMs, atMs } = await kit.target.request({ do: 'take' })
  if (values.series) printSeries(latenessMs, atMs)
  const wal = (await walBytes(kit.client)) - walBefore
  const eventLoopP99Ms =
    1000 * (await readMetric(service, 'upvane_nodejs_eventloop_lag_p99_seconds'))
  await delay(ARRIVAL_MS)
  const tally = await tallySlots(kit.client, from, to)
  await service.stop()
  await probe?.stop()
  const found = { cpu, latenessMs, tally, walBytes: wal, eventLoopP99Ms }
  return reader === undefined ? found : { ...found, stalls: reader.read() }
}

async function runBare(kit: Kit): Promise<BareRun> {
  const loop = new Bare()
  const targets = await bareTargets(kit.client)
  const measuredMs = BARE_SLOTS * SLOT_MS
  const running = loop.request({
    scheme,
    port: kit.ports[scheme],
    intervalMs: INTERVAL_SECONDS * 1000,
    durationMs: 4000 + measuredMs + 1000,
    targets,
  })
  await delay(4000)
  await kit.target.request({ do: 'take' })
  const plan = { slots: BARE_SLOTS, slotMs: SLOT_MS }
  const cpu = await measureCpu(kit, [pidOf(loop.process)], plan)
  const { latenessMs } = await kit.target.request({ do: 'take' })
  const outcome = await running
  loop.stop()
  return { cpu, latenessMs, outcome }
}

function rateRows(ours: readonly Ours[], bare: readonly BareRun[]): GoalRow[] {
  const sum = (key: keyof Tally) => ours.reduce((all, { tally }) => all + tally[key], 0)
  const late = summarize(ours.flatMap(({ latenessMs }) => latenessMs))
  const bareLate = summarize(bare.flatMap(({ latenessMs }) => latenessMs))
  const failed = bare.reduce((all, { outcome }) => all + outcome.failed, 0)
  const rows: GoalRow[] = [
    { goal: 'P1', measure: 'slots due', unit: '', ours: sum('due') },
    { goal: 'P1', measure: 'done', unit: '', ours: sum('done') },
    { goal: 'P1', measure: 'passed', unit: '', ours: sum('passed') },
    { goal: 'P1', measure: 'written off', unit: '', ours: sum('missed'), bare: failed },
    {
      goal: 'P1',
      measure: 'done / due',
      unit: '',
      ours: sum('done') / sum('due'),
      atLeast: 0.9999,
    },
    { goal: 'P1', measure: 'late p50', unit: 'ms', ours: late.p50, bare: bareLate.p50 },
    {
      goal: 'P1',
      measure: 'late p99',
      unit: 'ms',
      ours: late.p99,
      bare: bareLate.p99,
      atMost: 2,
      by: 'ratio',
    },
    { goal: 'P1', measure: 'late p99', unit: 'ms', ours: late.p99, atMost: 100 },
    { goal: 'P1', measure: 'late p99.9', unit: 'ms', ours: late.p999, bare: bareLate.p999 },
    { goal: 'P1', measure: 'late max', unit: 'ms', ours: late.max, bare: bareLate.max },
  ]
  const lag = Math.max(...ours.map(({ eventLoopP99Ms }) => eventLoopP99Ms))
  rows.push({ goal: 'P1', measure: 'event loop delay p99', unit: 'ms', ours: lag })
  const onTime = { goal: 'P18', measure: 'late p99', unit: 'ms', ours: late.p99, atMost: 100 }
  if (scheme === 'http') return [...rows, onTime]
  // P1 is about HTTP.
  const plain = rows.map(({ measure, unit, ours: value }) => ({
    goal: '',
    measure,
    unit,
    ours: value,
  }))
  return [...plain, onTime]
}

function cpuRows(ours: readonly Ours[], bare: readonly BareRun[]): GoalRow[] {
  const slots = ours.flatMap(({ cpu }) => cpu)
  const least = (read: (slot: CpuSlot) => number, of = slots) => Math.min(...of.map(read))
  const bareUs = least(
    ({ nodeUs }) => nodeUs,
    bare.flatMap(({ cpu }) => cpu),
  )
  const all = least(({ nodeUs, postgresUs }) => nodeUs + postgresUs)
  const rows: GoalRow[] = [
    {
      goal: 'P2',
      measure: 'CPU, Node',
      unit: 'us',
      ours: least(({ nodeUs }) => nodeUs),
      bare: bareUs,
    },
    {
      goal: 'P2',
      measure: 'CPU, PostgreSQL',
      unit: 'us',
      ours: least(({ postgresUs }) => postgresUs),
    },
    {
      goal: 'P2',
      measure: 'CPU all in',
      unit: 'us',
      ours: all,
      bare: bareUs,
      atMost: GOALS.cpu,
      by: 'ratio',
    },
  ]
  const kuma: GoalRow = { goal: 'P3', measure: 'CPU all in', unit: 'us', ours: all, atMost: 514 }
  return scheme === 'http' ? [...rows, kuma] : rows
}

async function weightRows({ client }: Kit, ours: readonly Ours[]): Promise<GoalRow[]> {
  const { rows } = await client.query<{ bytes: string; count: string; hot: number }>(`
    select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
             where inhparent = 'results'::regclass and pg_relation_size(inhrelid) > 0) as bytes,
           (select count(*) from results) as count,
           (select n_tup_hot_upd::float / n_tup_upd from pg_stat_user_tables
             where relname = 'monitor_states') as hot`)
  const { bytes = 0, count = 1, hot = 0 } = rows[0] ?? {}
  const wal = ours.map(({ walBytes, tally }) => walBytes / tally.done)
  return [
    {
      goal: 'P8',
      measure: 'stored result with index',
      unit: 'B',
      ours: Number(bytes) / Number(count),
      atMost: 110,
    },
    { goal: 'P8', measure: 'WAL per check', unit: 'B', ours: Math.min(...wal), atMost: 300 },
    { goal: '', measure: 'HOT share of state updates', unit: '', ours: hot },
  ]
}

function printSeries(latenessMs: readonly number[], atMs: readonly number[]): void {
  const worst = new Map<number, number>()
  latenessMs.forEach((ms, i) => {
    const half = Math.floor((atMs[i] ?? 0) / 500)
    worst.set(half, Math.max(Math.round(ms), worst.get(half) ?? 0))
  })
  print(`worst lateness in ms by half second: ${[...worst.values()].join(' ')}`)
}
