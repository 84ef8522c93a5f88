// Hundreds of checks a second of every kind. What the processes hold is read in the lull of each interval, when nothing is
// in flight and garbage has been collected.
import { setTimeout as sleep } from 'node:timers/promises'
import { watchBusyness } from '../../../benchmarks/machine.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import type { Stack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { Crew } from './crew.ts'
import { type Held, type Inspector, inspect, inspectable } from './inspector.ts'
import { Callers } from './soak-callers.ts'
import { hasGrown, type Reading, type Tally } from './soak-flat.ts'
import { INTERVAL_MS, JOIN_INTERVALS, LOAD_MS, seedMonitors } from './soak-monitors.ts'
import { openSoakTargets, type SoakTargets } from './soak-targets.ts'

/** Single servers, or a cluster of them. */
type Servers = Pick<Stack, 'databaseUrl' | 'directory' | 'env' | 'keys' | 'stop'>

type SoakPlan = {
  seconds: number
  checksPerSecond: number
  start(env: Record<string, string>): Promise<Servers>
  /** Whose memory is read: scheduler, probe and API, and more. */
  roles: readonly string[]
  /** How long callers repeat a ping that was not accepted. */
  pingRetryMs?: number
}

type Course = { firstMs: number; endMs: number; readings: Reading[] }

export const PLENTY = 1_000_000
const CALLERS = 60
const QUIET_FROM_MS = LOAD_MS + 1100
// Slots are read a second ahead: then the next interval has begun.
const QUIET_UNTIL_MS = INTERVAL_MS - 1000
const START_MS = 12_000
const POLL_MS = 50
// An inconclusive check is repeated some seconds later, lull or not.
const FEW = 5
const LONGEST_WARM_UP = 10
// While the machine's host gives more than this to others, checks that wait for seconds are often inconclusive.
const DISTURBED_STEAL_PERCENT = 5
// Then some more intervals are run, if too few had a quiet moment. So they are if something has grown.
const MOST_EXTRA = 6
const LEAST_READ = 0.6

export class Soak {
  readonly targets: SoakTargets
  readonly callers: Callers
  readonly crew: Crew
  readonly db: Database
  readonly client: Client
  readonly intervals: number
  readonly monitors: number
  /** Intervals whose lull was not quiet. */
  readonly busy: string[] = []
  /** When the intervals began in which the machine had too little processor time. */
  readonly disturbedMs: number[] = []
  readonly #inspectors: ReadonlyMap<string, Inspector>
  readonly #stop: () => Promise<void>

  constructor(parts: Parts, { seconds, checksPerSecond }: SoakPlan, stop: () => Promise<void>) {
    this.targets = parts.targets
    this.callers = parts.callers
    this.crew = parts.crew
    this.db = parts.db
    this.client = parts.client
    this.intervals = Math.round((seconds * 1000) / INTERVAL_MS)
    this.monitors = (checksPerSecond * INTERVAL_MS) / 1000
    this.#inspectors = parts.inspectors
    this.#stop = stop
  }

  /** The first reading is at the end of the warm-up; an interval without one was too busy for it. */
  async run(): Promise<Course> {
    const startMs = Math.ceil((Date.now() + START_MS) / INTERVAL_MS) * INTERVAL_MS
    const org = await this.db.one<{ id: string }>(
      `select id from organizations where name = 'Demo'`,
    )
    const { kinds } = this.targets
    await seedMonitors(this.db, { orgId: org.id, kinds, count: this.monitors, fromMs: startMs })
    const readings: Reading[] = []
    // At least until everything has been checked once and its outages are open; at most 5 minutes.
    const warmUp = Math.max(
      JOIN_INTERVALS,
      Math.min(LONGEST_WARM_UP, Math.floor(this.intervals / 6)),
    )
    const firstMs = startMs + warmUp * INTERVAL_MS
    let endMs = firstMs + this.intervals * INTERVAL_MS
    const latestMs = endMs + MOST_EXTRA * INTERVAL_MS
    for (let beginMs = startMs; beginMs < endMs; beginMs += INTERVAL_MS) {
      await sleep(Math.max(0, beginMs - Date.now()))
      const busyness = watchBusyness()
      await this.callers.call(beginMs)
      const reading = await this.#read(beginMs)
      const isDisturbed = busyness().after.stealPercent > DISTURBED_STEAL_PERCENT
      if (isDisturbed) this.disturbedMs.push(beginMs)
      if (reading !== undefined && beginMs >= firstMs - INTERVAL_MS) readings.push(reading)
      const isLast = beginMs + INTERVAL_MS === endMs
      const isShort = readings.length < this.leastReadings && isDisturbed
      const isOpen = isShort || hasGrown(readings)
      if (isLast && isOpen && endMs < latestMs) endMs += INTERVAL_MS
    }
    return { firstMs, endMs, readings }
  }

  /** A line needs two points, and a course most of its points. */
  get leastReadings(): number {
    return Math.max(LEAST_READ * this.intervals, 2)
  }

  /** Each monitor has one slot in each interval. */
  due({ firstMs, endMs }: Pick<Course, 'firstMs' | 'endMs'>): number {
    return (this.monitors * (endMs - firstMs)) / INTERVAL_MS
  }

  /** Only scheduled checks: pings are counted by their sender. */
  tally({ firstMs, endMs }: Pick<Course, 'firstMs' | 'endMs'>): Promise<Tally[]> {
    return this.db.run<Tally>(
      `select m.name, r.verdict, count(*)::int as count,
              (count(*) filter (where floor(extract(epoch from r.slot) * 1000 / $3) <> all ($4)))::int as undisturbed
         from results r join monitors m on m.no = r.monitor_no
        where r.kind = 0 and r.slot >= to_timestamp($1 / 1000.0) and r.slot < to_timestamp($2 / 1000.0)
        group by 1, 2 order by 1, 2`,
      [firstMs, endMs, INTERVAL_MS, this.disturbedMs.map((beginMs) => beginMs / INTERVAL_MS)],
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

  async #held(): Promise<Map<string, Held>> {
    const each = [...this.#inspectors].map(async ([role, inspector]) => {
      return [role, await inspector.held()] as const
    })
    return new Map(await Promise.all(each))
  }

  async #metrics() {
    const text = await this.crew.metricsOf('scheduler')
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
  client: Client
  inspectors: ReadonlyMap<string, Inspector>
}

export async function openSoak(plan: SoakPlan): Promise<Soak> {
  const closing: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closing.toReversed()) await close()
  }
  try {
    return new Soak(await openParts(plan, closing), plan, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

/** Everything opened is registered in `closing`, even if the next part fails to open. */
async function openParts(plan: SoakPlan, closing: (() => unknown)[]): Promise<Parts> {
  const targets = await openSoakTargets(INTERVAL_MS)
  closing.push(targets.close)
  const env = { LOG_LEVEL: 'warn', REGION: 'eu', PROBE_DNS_SERVERS: targets.dnsAddress }
  const stack = await plan.start(env)
  const crew = new Crew(stack)
  closing.push(stack.stop, () => crew.stopAll())
  const db = openDatabase(stack.databaseUrl)
  closing.push(() => db.close())

  const ports = new Map<string, number>()
  await crew.hire('janitor', { command: 'janitor' })
  let baseUrl = ''
  for (const role of plan.roles) {
    const port = await findFreePort()
    ports.set(role, port)
    const url = await crew.hire(role, { command: role, env: inspectable(port) })
    if (role === 'api') baseUrl = url
  }
  const client = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
  closing.push(() => client.close())
  const callers = await Callers.create(client, CALLERS, plan.pingRetryMs)
  const inspectors = new Map<string, Inspector>()
  for (const [role, port] of ports) {
    const inspector = await inspect(crew.pidOf(role), port)
    closing.push(() => inspector.close())
    inspectors.set(role, inspector)
  }
  return { targets, callers, db, crew, client, inspectors }
}
