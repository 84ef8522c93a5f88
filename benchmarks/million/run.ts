// `npm run long million`: does an installation with 1,000,000 monitors of 10,000 organizations run every slot on time,
// while its scheduler is killed, an organization of 100,000 is paused, and another is deleted? What do scheduler and API
// hold, how fast does the API stay, and what do the tables look like afterwards? `--monitors 5000 --minutes 2`, or
// MILLION_MONITORS and MILLION_MINUTES, make it small.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { postgresVersion, readMetric } from '../engine-kit.ts'
import { reportGoals } from '../engine-report.ts'
import { Load } from '../load.ts'
import { watchBusyness } from '../machine.ts'
import { print } from '../report.ts'
import { ApiTurns, createMonitors, openSide } from './api-turns.ts'
import { MillionEngine } from './engine.ts'
import { type Memory, type RunFigures, toGoals } from './figures.ts'
import { type Filled, fillMonitors } from './fill.ts'
import { Jobs } from './jobs.ts'
import { createOrganizationKey, deleteOrganization, pauseAll, signInOwner } from './people.ts'
import { planRun } from './plan.ts'
import { countPings, countScheduled, type Period, readTables, tallyRun } from './tally.ts'
import { type MillionTargets, openTargets } from './targets.ts'
import { Watch } from './watch.ts'

const { values } = parseArgs({
  options: {
    monitors: { type: 'string' },
    minutes: { type: 'string' },
    interval: { type: 'string' },
    lead: { type: 'string' },
  },
})
const size = planRun({
  monitors: Number(values.monitors ?? process.env['MILLION_MONITORS'] ?? 1_000_000),
  minutes: Number(values.minutes ?? process.env['MILLION_MINUTES'] ?? 60),
  intervalSeconds: values.interval === undefined ? undefined : Number(values.interval),
})
const RUN_MS = size.minutes * 60_000
// The first slots are due after filling and after the scheduler has read every monitor. Generous, for busy machines.
const LEAD_MS =
  values.lead === undefined ? 40_000 + 0.5 * size.monitors : Number(values.lead) * 1000
// When it happens, as shares of the run.
const KILL_AT = 0.2
const PAUSE_AT = 0.35
const DELETE_AT = 0.6
// The last checks end and are recorded.
const MAX_ARRIVAL_MS = 60_000
const SETTLE_MS = 2000
const POLL_MS = 1000
const MIN_PERIOD_MS = 60_000
const CORES = '0,1'
const ENV = {
  LOG_LEVEL: 'warn',
  APP_REQUESTS_PER_SESSION: '0',
  APP_REQUESTS_PER_ORGANIZATION: '0',
  APP_REQUESTS_PER_NETWORK: '0',
}
const NO_LIMIT = 99_999_999

type Run = {
  small: Stack
  large: Stack
  client: pg.Client
  load: Load
  targets: MillionTargets
}

const targets = await openTargets()
const options = { nats: true, rateLimit: NO_LIMIT, env: { ...ENV, ...targets.env } }
const small = await startStack(options)
const large = await startStack(options)
const load = new Load(CORES)
const client = new pg.Client(large.databaseUrl)
try {
  await client.connect()
  await main({ small, large, client, load, targets })
} finally {
  load.stop()
  await client.end()
  await Promise.all([small.stop(), large.stop()])
  await targets.close()
}

async function main(run: Run): Promise<void> {
  const busy = watchBusyness()
  const startAt = new Date(Date.now() + LEAD_MS)
  const { filled, fillSeconds } = await fill(run, startAt)
  const emptyBytes = await emptyScheduler()
  const apis = await openApis(run, filled)
  const roles: Service[] = []
  for (const role of ['probe', 'dispatcher', 'janitor']) roles.push(await large.start(role))
  const engine = new MillionEngine(large)
  const start = await engine.startScheduler(Math.floor(0.999 * (await countScheduled(client))))
  print(`All monitors known after ${start.loadedSeconds.toFixed(1)} s.`)
  if (Date.now() > startAt.getTime()) print('The first slots were due before that: they are late.')
  await delay(Math.max(0, startAt.getTime() - Date.now()))

  const watch = new Watch(targets.target, engine, apis.large)
  const jobs = new Jobs(
    apis.large.baseUrl,
    filled.tokens,
    Math.max(MIN_PERIOD_MS, size.intervalSeconds * 1000),
  )
  const beside = [watch, jobs, apis.turns]
  const ending = Promise.all(beside.map((each) => each.run()))
  const [events] = await Promise.all([
    happen(engine, apis, filled),
    delay(RUN_MS, undefined, { ref: false }),
  ]).finally(() => {
    for (const each of beside) each.stop()
  })
  const period = { from: startAt, to: new Date() }
  await ending
  await untilTraced(run, filled, period)

  const buckets = await engine.lateness()
  const memory = { ...watch.highest, emptyBytes, ...(await readHeld(engine)) }
  for (const service of [engine.scheduler, apis.large, ...roles]) await service.stop()
  const recorded = await countPings(client, filled, startAt)
  await report(run, busy, {
    size,
    fillSeconds,
    start,
    ...events,
    tally: await tallyRun(client, filled, period),
    pings: { answered: jobs.answered, failed: jobs.failed, recorded },
    arrivals: watch.arrivals,
    buckets,
    memory,
    tables: await readTables(client),
    api: apis.turns,
  })
}

/** Until every slot has left a trace, or had time for it. */
async function untilTraced({ client }: Run, filled: Filled, period: Period): Promise<void> {
  const endMs = performance.now() + MAX_ARRIVAL_MS
  while (performance.now() < endMs) {
    const { due, done, missed } = await tallyRun(client, filled, period)
    if (done + missed >= due) return
    await delay(POLL_MS)
  }
}

async function fill({ client, large, targets }: Run, startAt: Date) {
  const startMs = performance.now()
  const masterKeys = large.env['MASTER_KEYS'] ?? ''
  const filled = await fillMonitors(client, masterKeys, { size, ports: targets.ports, startAt })
  const fillSeconds = (performance.now() - startMs) / 1000
  print(`${size.monitors} monitors filled in ${fillSeconds.toFixed(1)} s.`)
  return { filled, fillSeconds }
}

async function readHeld(engine: MillionEngine): Promise<Pick<Memory, 'heldBytes' | 'scheduled'>> {
  const scheduled = await readMetric(engine.scheduler, 'upvane_monitors_scheduled')
  return { heldBytes: await engine.heldBytes(), scheduled }
}

/** What a scheduler holds that knows hardly any monitor. */
async function emptyScheduler(): Promise<number> {
  const engine = new MillionEngine(small)
  await engine.startScheduler(0)
  await delay(SETTLE_MS)
  const bytes = await engine.heldBytes()
  await engine.scheduler.stop()
  return bytes
}

type Apis = { large: Service; turns: ApiTurns }

async function openApis({ load, targets }: Run, filled: Filled): Promise<Apis> {
  const url = `http://127.0.0.1:${targets.ports.http}/idle`
  const [smallApi, largeApi] = [await small.start('api'), await large.start('api')]
  await createMonitors(load, smallApi, small.keys.full, url)
  await createMonitors(load, largeApi, large.keys.full, url)
  const bigKey = await createOrganizationKey(large, filled.organizations[0] ?? '')
  const turns = new ApiTurns(load, await openSide('small', smallApi, small.keys.full), [
    await openSide('large', largeApi, large.keys.full),
    await openSide(`organization of ${size.bigSize}`, largeApi, bigKey),
  ])
  return { large: largeApi, turns }
}

/** One after the other, each not before its time. */
async function happen(
  engine: MillionEngine,
  { large: api, turns }: Apis,
  { organizations }: Filled,
): Promise<Pick<RunFigures, 'recovery' | 'bulk' | 'deletion'>> {
  const [paused = '', deleted = ''] = organizations
  const beganMs = performance.now()
  const at = (share: number) => delay(Math.max(0, beganMs + share * RUN_MS - performance.now()))
  turns.phase = 'steady'
  await at(KILL_AT)
  turns.phase = 'recovery'
  const recovery = await engine.killScheduler()
  print(`On time ${recovery.onTimeSeconds.toFixed(1)} s after kill -9 of the scheduler.`)
  turns.phase = 'steady'
  const owner = await signInOwner(large, api, paused)
  await at(PAUSE_AT)
  turns.phase = 'bulk pause'
  const bulk = await pauseAll(owner, paused, size.bigSize)
  print(`${bulk.changed} monitors paused in ${bulk.seconds.toFixed(1)} s.`)
  turns.phase = 'steady'
  await at(DELETE_AT)
  turns.phase = 'deletion'
  const deletion = await deleteOrganization(large, deleted)
  print(`An organization of ${deletion.monitors} deleted in ${deletion.seconds.toFixed(1)} s.`)
  turns.phase = 'steady'
  return { recovery, bulk, deletion }
}

async function report(
  run: Run,
  busy: ReturnType<typeof watchBusyness>,
  figures: RunFigures,
): Promise<void> {
  const { monitors, organizations, bigSize, intervalSeconds, minutes } = size
  const setting = {
    postgres: `${await postgresVersion(run.client)}, default memory, not durable`,
    data: `${monitors} monitors of all types, ${organizations} organizations, two of them with ${bigSize}`,
    load: `every ${intervalSeconds} s for ${minutes} min: ${Math.round(monitors / intervalSeconds)}/s with heartbeats`,
    processes: 'one of each role over NATS, not pinned; the API of a small database beside them',
  }
  const [failure] = figures.api.failures
  if (failure !== undefined) print(`First failure of the API: ${failure}`)
  reportGoals(`${monitors} monitors`, { setting, busy }, toGoals(figures))
}
