// A long steady run: hundreds of checks a second of every kind, and no memory is retained. What the processes hold is
// read in the lull of each interval, when nothing is in flight and garbage has been collected. A line is fitted through
// these readings over the recorded checks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../tools/services/ports.ts'
import { startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { Crew } from './crew.ts'
import { type Held, type Inspector, inspect, inspectable } from './inspector.ts'
import { Callers } from './soak-callers.ts'
import { INTERVAL_MS, JOIN_INTERVALS, LOAD_MS, seedMonitors } from './soak-monitors.ts'
import { type Kind, openSoakTargets, type SoakTargets } from './soak-targets.ts'

const SOAK_SECONDS = Number(process.env['SOAK_SECONDS'] ?? 60)
const CHECKS_PER_SECOND = Number(process.env['SOAK_RATE'] ?? 300)
const MONITORS = (CHECKS_PER_SECOND * INTERVAL_MS) / 1000
const CALLERS = 60
const PLENTY = 1_000_000
const INTERVALS = Math.round((SOAK_SECONDS * 1000) / INTERVAL_MS)
// At least until everything has been checked once and its outages are open; at most 5 minutes.
const WARM_UP_INTERVALS = Math.max(JOIN_INTERVALS, Math.min(10, Math.floor(INTERVALS / 6)))
const MOST_BYTES_EACH = 16
// Collections do not leave the same bytes each time: compiled code is dropped and recreated, tables grow by doubling.
// Over few checks that is more than 16 B each, so this total is the bound instead.
const NOISE_BYTES = 512 * 1024
const MOST_HANDLES = 10
const LEAST_DONE = 0.9
const LEAST_DECIDED = 0.95
const LEAST_READ = 0.6
const INCONCLUSIVE = 3
const QUIET_FROM_MS = LOAD_MS + 1100
// Slots are read a second ahead: then the next interval has begun.
const QUIET_UNTIL_MS = INTERVAL_MS - 1000
const START_MS = 12_000
const POLL_MS = 50
// An inconclusive check is repeated some seconds later, lull or not.
const FEW = 5
const ROLES = ['scheduler', 'probe', 'api'] as const

type Role = (typeof ROLES)[number]
type Reading = { checks: number; held: Record<Role, Held> }

test(`soak for ${SOAK_SECONDS} s at ${CHECKS_PER_SECOND} checks a second: nothing is kept`, async (t) => {
  const soak = await openSoak()
  try {
    const { firstMs, endMs, readings } = await soak.run()
    const tallies = await soak.tally(firstMs, endMs)
    const done = tallies.reduce((sum, { count }) => sum + count, 0)
    const due = (MONITORS * (endMs - firstMs)) / INTERVAL_MS
    const fits = readings.length === 0 ? [] : ROLES.map((role) => fit(role, readings))
    const lines = fits.map(({ role, bytesEach, first, last }) => {
      const handles = `fd ${first.descriptors}-${last.descriptors}, timers ${first.timers}-${last.timers}`
      return `${role} ${bytesEach.toFixed(1)} B/check at ${mib(last.bytes)} MiB, ${handles}`
    })
    const rest = `${done} of ${due} checks, ${soak.callers.calls} pings, ${readings.length} readings`
    // Before the assertions: the figures of a failed run are useful too.
    t.diagnostic(`soak ${SOAK_SECONDS} s: ${rest}; ${lines.join('; ')}`)

    const isEnough = readings.length >= Math.max(LEAST_READ * INTERVALS, 2)
    assert.ok(isEnough, `too few quiet moments: ${soak.busy.join('; ')}`)
    assert.ok(done >= LEAST_DONE * due, `${done} of ${due} checks were done`)
    assertVerdicts(soak.targets.kinds, tallies)
    assert.ok(soak.callers.calls > 0 && soak.callers.failures === 0, 'pings were lost')
    for (const each of fits) assertFlat(each, readings)
  } finally {
    await soak.close()
  }
})

type Tally = { name: string; verdict: number; count: number }

class Soak {
  readonly targets: SoakTargets
  readonly callers: Callers
  /** Intervals whose lull was not quiet. */
  readonly busy: string[] = []
  readonly #db: Database
  readonly #crew: Crew
  readonly #inspectors: Record<Role, Inspector>
  readonly #stop: () => Promise<void>

  constructor(parts: Parts) {
    this.targets = parts.targets
    this.callers = parts.callers
    this.#db = parts.db
    this.#crew = parts.crew
    this.#inspectors = parts.inspectors
    this.#stop = parts.stop
  }

  /** The first reading is at the end of the warm-up; an interval without one was too busy for it. */
  async run(): Promise<{ firstMs: number; endMs: number; readings: Reading[] }> {
    const startMs = Math.ceil((Date.now() + START_MS) / INTERVAL_MS) * INTERVAL_MS
    const org = await this.#db.one<{ id: string }>(
      `select id from organizations where name = 'Demo'`,
    )
    const { kinds } = this.targets
    const seed = { orgId: org.id, kinds, count: MONITORS, fromMs: startMs }
    await seedMonitors(this.#db, seed)
    const readings: Reading[] = []
    const firstMs = startMs + WARM_UP_INTERVALS * INTERVAL_MS
    const endMs = firstMs + INTERVALS * INTERVAL_MS
    for (let beginMs = startMs; beginMs < endMs; beginMs += INTERVAL_MS) {
      await sleep(Math.max(0, beginMs - Date.now()))
      await this.callers.call(beginMs)
      const reading = await this.#read(beginMs)
      if (reading !== undefined && beginMs >= firstMs - INTERVAL_MS) readings.push(reading)
    }
    return { firstMs, endMs, readings }
  }

  /** Only scheduled checks: pings are counted by their sender. */
  tally(fromMs: number, toMs: number): Promise<Tally[]> {
    return this.#db.run<Tally>(
      `select m.name, r.verdict, count(*)::int as count from results r join monitors m on m.no = r.monitor_no
        where r.kind = 0 and r.slot >= to_timestamp($1 / 1000.0) and r.slot < to_timestamp($2 / 1000.0)
        group by 1, 2 order by 1, 2`,
      [fromMs, toMs],
    )
  }

  close(): Promise<void> {
    return this.#stop()
  }

  async #read(beginMs: number): Promise<Reading | undefined> {
    await sleep(Math.max(0, beginMs + QUIET_FROM_MS - Date.now()))
    const isQuiet = () => Date.now() < beginMs + QUIET_UNTIL_MS
    while (isQuiet()) {
      const { inFlight, waiting, recorded } = await this.#metrics()
      if (inFlight <= FEW && waiting === 0) {
        const held = await this.#held()
        if (isQuiet()) return { checks: recorded, held }
      }
      await sleep(POLL_MS)
    }
    const { inFlight, waiting } = await this.#metrics()
    this.busy.push(`${inFlight} under way, ${waiting} to be recorded`)
    return undefined
  }

  async #held(): Promise<Record<Role, Held>> {
    const { scheduler, probe, api } = this.#inspectors
    const held = await Promise.all([scheduler.held(), probe.held(), api.held()])
    return { scheduler: held[0], probe: held[1], api: held[2] }
  }

  async #metrics() {
    const text = await this.#crew.metricsOf('scheduler')
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    return {
      inFlight: read('upvane_attempts_in_flight'),
      waiting: read('upvane_results_waiting'),
      recorded: read('upvane_results_recorded_total'),
    }
  }
}

type Parts = {
  targets: SoakTargets
  callers: Callers
  db: Database
  crew: Crew
  inspectors: Record<Role, Inspector>
  stop(): Promise<void>
}

async function openSoak(): Promise<Soak> {
  const closing: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closing.toReversed()) await close()
  }
  try {
    return new Soak({ ...(await openParts(closing)), stop })
  } catch (error) {
    await stop()
    throw error
  }
}

/** Everything opened is registered in `closing`, even if the next part fails to open. */
async function openParts(closing: (() => unknown)[]): Promise<Omit<Parts, 'stop'>> {
  const targets = await openSoakTargets(INTERVAL_MS)
  closing.push(targets.close)
  const env = { LOG_LEVEL: 'warn', REGION: 'eu', PROBE_DNS_SERVERS: targets.dnsAddress }
  const stack = await startStack({ rateLimit: PLENTY, env })
  const crew = new Crew(stack)
  closing.push(stack.stop, () => crew.stopAll())
  const db = openDatabase(stack.databaseUrl)
  closing.push(() => db.close())

  const ports = { scheduler: 0, probe: 0, api: 0 }
  const urls = { scheduler: '', probe: '', api: '' }
  await crew.hire('janitor', { command: 'janitor' })
  for (const role of ROLES) {
    ports[role] = await findFreePort()
    urls[role] = await crew.hire(role, { command: role, env: inspectable(ports[role]) })
  }
  const api = new Client({ baseUrl: urls.api, key: stack.keys.full, rateLimit: PLENTY })
  closing.push(() => api.close())
  const callers = await Callers.create(api, CALLERS)
  const attach = async (role: Role) => {
    const inspector = await inspect(crew.pidOf(role), ports[role])
    closing.push(() => inspector.close())
    return inspector
  }
  const inspectors = {
    scheduler: await attach('scheduler'),
    probe: await attach('probe'),
    api: await attach('api'),
  }
  return { targets, callers, db, crew, inspectors }
}

type Fit = { role: Role; bytesEach: number; checks: number; first: Held; last: Held }

/** Least squares of the bytes held over the checks recorded. */
function fit(role: Role, readings: readonly Reading[]): Fit {
  const [first, last] = [readings[0], readings.at(-1)]
  assert.ok(first !== undefined && last !== undefined)
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const checksMean = mean(readings.map(({ checks }) => checks))
  const bytesMean = mean(readings.map(({ held }) => held[role].bytes))
  let [together, alone] = [0, 0]
  for (const { checks, held } of readings) {
    together += (checks - checksMean) * (held[role].bytes - bytesMean)
    alone += (checks - checksMean) ** 2
  }
  const checks = last.checks - first.checks
  return {
    role,
    bytesEach: together / alone,
    checks,
    first: first.held[role],
    last: last.held[role],
  }
}

function assertFlat({ role, bytesEach, checks }: Fit, readings: readonly Reading[]): void {
  const grown = bytesEach * checks
  const most = Math.max(MOST_BYTES_EACH * checks, NOISE_BYTES)
  const course = readings.map(({ held }) => mib(held[role].bytes)).join(' ')
  assert.ok(grown < most, `${role} grew by ${bytesEach.toFixed(1)} B a check: ${course} MiB`)
  for (const what of ['descriptors', 'timers'] as const) {
    const counts = readings.map(({ held }) => held[role][what])
    const spread = Math.max(...counts) - Math.min(...counts)
    assert.ok(spread <= MOST_HANDLES, `${role} does not let go of ${what}: ${counts.join(' ')}`)
  }
}

/** A fault of ours may leave a check inconclusive; it never gives a target the wrong verdict. */
function assertVerdicts(kinds: readonly Kind[], tallies: readonly Tally[]): void {
  for (const { name, verdicts } of kinds) {
    const own = tallies.filter((tally) => tally.name === name)
    const sum = (some: readonly Tally[]) => some.reduce((all, { count }) => all + count, 0)
    for (const verdict of verdicts)
      assert.ok(
        own.some((tally) => tally.verdict === verdict),
        `no ${name} monitor was checked`,
      )
    const right = own.filter(({ verdict }) => verdicts.includes(verdict))
    const undecided = own.filter(({ verdict }) => verdict === INCONCLUSIVE)
    assert.equal(sum(right) + sum(undecided), sum(own), `${name}: ${JSON.stringify(own)}`)
    assert.ok(sum(right) >= LEAST_DECIDED * sum(own), `${name}: ${JSON.stringify(own)}`)
  }
}

const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(2)
