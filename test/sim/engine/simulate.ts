// One simulation: the product's own processes with simulated time, network, bus and database. The same seed gives the
// same trace, byte for byte.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { readRows } from '../../oracle/read-rows.ts'
import { type Hit, instant, type Outage } from '../../oracle/run.ts'
import { createRng, type Rng } from '../rng.ts'
import { Installation, type Plan } from './installation.ts'
import { judgeJobs, startJobs } from './jobs.ts'
import { judgeSimulation } from './judge.ts'
import { type People, settlePeople, startActing } from './people.ts'
import { SimHub } from './platform/hub.ts'
import { openImage } from './platform/image.ts'
import { installNetwork, type SimReply, uninstallNetwork, type View } from './platform/network.ts'
import { type PostgresHooks, SimPostgres } from './platform/postgres.ts'
import { installRandom, uninstallRandom } from './platform/random.ts'
import { type Owner, runAsWorld, VirtualTime } from './platform/virtual-time.ts'
import { Receiver } from './receiver.ts'
import { judgeWindow } from './windows.ts'
import {
  createWorld,
  type Fault,
  HOME,
  IMAGE_DAY_MS,
  RECEIVER,
  type Size,
  type Spell,
  spellAt,
  type Target,
  type World,
  withoutFaults,
} from './world.ts'

export type SimulationOptions = {
  seed: number
  size: Size
  processes: readonly Plan[]
  leftOut?: readonly Fault[]
  /** Runs what is remembered as well, and compares. */
  isChecked?: boolean
  /** Called with every line of the trace. */
  onTrace?(line: string): void
}

export type Report = {
  violations: string[]
  /** SHA-256 of the trace. */
  trace: string
  counts: Counts
}

type Counts = {
  simulatedHours: number
  checks: number
  statements: number
  /** Statements whose answer could not have changed. */
  remembered: number
  /** Statements of PGlite. */
  executed: number
  messages: number
  kills: number
  /** Connections to the database that broke during a statement. */
  cuts: number
  partitions: number
  freezes: number
  databaseStops: number
}

const SETUP_MS = 2000
const SETTLED_MS = 120_000
const MAX_DELAY_MS = 20
const MAX_RESTART_MS = 20_000
const FREEZE_MS = [2000, 45_000] as const
const ATTEMPT_MS = 60_000
// An attempt ends after 15 s, a claim after 25 s.
const LOST_MS = 60_000
/** About so many kinds of statements run again and again. */
const KINDS = 60
const MAX_RARITY = 25

const STATEMENT_FATES = ['BEFORE', 'AFTER', 'CUT_BEFORE', 'CUT_AFTER', 'FREEZE'] as const
const MESSAGE_FATES = ['SENDER', 'RECEIVER', 'FREEZE'] as const

const ELSEWHERE = 'owned elsewhere'
/** What this transaction has written to, of shards that others own. */
const recordedElsewhere = (name: string) => `
  select '${ELSEWHERE}' where exists (
    select from monitor_states s join shards h on h.no = s.shard left join schedulers k on k.id = h.scheduler_id
     where s.xmin = pg_current_xact_id()::xid and coalesce(k.name not like '${name} %', true))`

let image: Promise<Blob> | undefined

export async function simulate(options: SimulationOptions): Promise<Report> {
  const simulation = await Simulation.open(options)
  try {
    return await simulation.run()
  } finally {
    await simulation.close()
  }
}

class Simulation {
  readonly #options: SimulationOptions
  readonly #rng: Rng
  readonly #world: World
  readonly #time: VirtualTime
  readonly #receiver = new Receiver()
  readonly #hits: Hit[] = []
  readonly #digest = createHash('sha256')
  readonly #counts: Counts
  readonly #installation: Installation
  /** How often each statement ran. */
  readonly #ran = new Map<string, number>()
  #ranAtAll = 0
  readonly #killsMs: number[] = []
  /** When a process was frozen at a statement or message. */
  readonly #freezes: Spell[] = []
  readonly #unfenced: string[] = []
  #postgres: SimPostgres | undefined
  #people: People | undefined

  private constructor(options: SimulationOptions) {
    const { seed, size, processes, leftOut = [] } = options
    this.#options = options
    this.#rng = createRng(seed)
    this.#world = withoutFaults(createWorld(this.#rng, size, processes), leftOut)
    this.#time = new VirtualTime(this.#world.bornMs)
    this.#counts = {
      simulatedHours: size.minutes / 60,
      checks: 0,
      statements: 0,
      remembered: 0,
      executed: 0,
      messages: 0,
      kills: 0,
      cuts: 0,
      partitions: [...this.#world.cutOff.values()].flat().length,
      freezes: [...this.#world.freezes.values()].flat().length,
      databaseStops: this.#world.databaseDown.length,
    }
    const hub = new SimHub({
      fateOf: () => this.#fateOfMessage(),
      isCutOff: ({ name }) => this.#spell(this.#world.cutOff.get(name)) !== undefined,
      crash: (owner) => this.#crash(owner),
      freeze: (owner) => this.#freezeNow(owner),
      delivered: (from, to, { subject, text }) => {
        this.#counts.messages += 1
        this.#note(`${from.name} > ${to.name} ${subject} ${text}`)
      },
    })
    this.#installation = new Installation({
      hub,
      isOld: (name) => this.#world.oldProbes.has(name),
      isLying: (name) => this.#spell(this.#world.lies.get(name)) !== undefined,
      skewMsOf: (name) => this.#world.skewMs.get(name) ?? 0,
      tickMsOf: (name) => this.#world.tickMs.get(name) ?? 1,
      log: ({ name }, line) => this.#note(`${name} log ${line.replace(/"stack":.*/, '')}`),
      failed: ({ name }, error) => this.#note(`${name} failed ${String(error)}`),
    })
  }

  static async open(options: SimulationOptions): Promise<Simulation> {
    image ??= openImage(IMAGE_DAY_MS)
    const made = await image
    const simulation = new Simulation(options)
    simulation.#install()
    await simulation.#openPostgres(made)
    return simulation
  }

  async run(): Promise<Report> {
    const { startMs, endMs } = this.#world
    await this.#settle()
    for (const plan of this.#options.processes) this.#installation.start(plan)
    this.#planStops()
    if (this.#options.size.hasFaults && this.#people !== undefined)
      startActing(this.#people, this.#world, this.#rng)
    const people = this.#people
    if (people !== undefined)
      startJobs(this.#world.jobs, people.tokenOf, (token) => this.#installation.ping(token))
    await this.#time.runUntil(Math.max(endMs, startMs + SETUP_MS))
    const violations = await this.#judge()
    this.#counts.remembered = this.#postgres?.remembered ?? 0
    this.#counts.executed = this.#postgres?.executed ?? 0
    return { violations, trace: this.#digest.digest('hex'), counts: this.#counts }
  }

  async close(): Promise<void> {
    for (const { owner } of this.#installation.running.values()) this.#installation.crash(owner)
    uninstallNetwork()
    uninstallRandom()
    this.#time.uninstall()
    await this.#postgres?.close()
  }

  #install(): void {
    this.#time.install()
    installRandom(this.#rng)
    installNetwork({
      resolve: (_, name) => this.#world.targets.find((target) => target.name === name)?.address,
      view: (owner, address) => this.#view(owner, address),
    })
  }

  async #openPostgres(made: Blob): Promise<void> {
    const hooks: PostgresHooks = {
      fateOf: (owner, what) => this.#fateOfStatement(owner, what),
      crash: (owner) => this.#crash(owner),
      freeze: (owner) => this.#freezeNow(owner),
      records: (owner) => this.#judgeLease(owner),
      ran: (owner, what, response) => {
        this.#counts.statements += 1
        this.#note(`${owner?.name ?? 'world'} sql ${what} ${response.length}`)
      },
    }
    const isChecked = this.#options.isChecked === true
    this.#postgres = await SimPostgres.open(made, { hooks, time: this.#time, isChecked })
    this.#postgres.install()
  }

  async #settle(): Promise<void> {
    let failure: unknown
    const permit = (orgId: string) =>
      void this.#postgres?.run(
        `set role postgres; update organizations set private_targets = true where id = '${orgId}'`,
      )
    settlePeople(this.#world, permit).then(
      (people) => {
        this.#people = people
      },
      (error) => {
        failure = error
      },
    )
    await this.#time.runUntil(this.#world.startMs + SETUP_MS)
    if (failure !== undefined) throw failure
  }

  #planStops(): void {
    runAsWorld(() => {
      for (const { fromMs, toMs } of this.#world.databaseDown) {
        setTimeout(() => this.#postgres?.stop(), fromMs - Date.now())
        setTimeout(() => this.#postgres?.startAgain(), toMs - Date.now())
      }
      for (const [name, spells] of this.#world.freezes)
        for (const { fromMs, toMs } of spells)
          setTimeout(() => this.#freeze(name, toMs), fromMs - Date.now())
    })
  }

  #freeze(name: string, untilMs: number): void {
    const owner = this.#installation.running.get(name)?.owner
    if (owner === undefined) return
    this.#note(`${name} is frozen until ${untilMs - this.#world.startMs}`)
    owner.frozenUntilMs = untilMs
  }

  #freezeNow(owner: Owner): void {
    if (owner.isDead || (owner.frozenUntilMs ?? 0) > this.#time.nowMs) return
    const fromMs = this.#time.nowMs
    const toMs = Math.min(fromMs + this.#rng.int(...FREEZE_MS), this.#world.quietMs)
    if (toMs <= fromMs) return
    this.#counts.freezes += 1
    this.#freezes.push({ fromMs, toMs })
    this.#freeze(owner.name, toMs)
  }

  /** A scheduler records only monitors of its own shards: others may be checked elsewhere by now. */
  #judgeLease({ name }: Owner): void {
    const plan = this.#options.processes.find((one) => one.name === name)
    if (plan?.roles.includes('scheduler') !== true) return
    const found = this.#postgres?.run(recordedElsewhere(name)).includes(ELSEWHERE) ?? false
    if (found)
      this.#unfenced.push(`FENCE ${name} records what another owns at ${instant(this.#time.nowMs)}`)
  }

  #fateOfStatement(owner: Owner | undefined, what: string) {
    if (!this.#isRough(owner)) return { delayMs: 0 }
    const delayMs = this.#rng.chance(0.05) ? this.#rng.int(1, MAX_DELAY_MS) : 0
    const isRun = what.startsWith('run ')
    if (!isRun || !this.#draw(this.#world.crashesPerMillion * this.#rarity(what)))
      return { delayMs }
    const crash = this.#rng.pick(STATEMENT_FATES)
    if (crash.startsWith('CUT')) {
      this.#counts.cuts += 1
      this.#killsMs.push(this.#time.nowMs)
    }
    return { delayMs, crash }
  }

  #fateOfMessage() {
    const delayMs = this.#rng.int(0, MAX_DELAY_MS)
    if (this.#time.nowMs >= this.#world.quietMs) return { delayMs, copies: 1 }
    const copies = this.#draw(this.#world.lostPerMillion) ? this.#rng.pick([0, 2]) : 1
    if (!this.#draw(this.#world.crashesPerMillion)) return { delayMs, copies }
    return { delayMs, copies, crash: this.#rng.pick(MESSAGE_FATES) }
  }

  // Most statements only ask whether there is work. A crash is as likely at any kind of statement.
  #rarity(what: string): number {
    const count = (this.#ran.get(what) ?? 0) + 1
    this.#ran.set(what, count)
    this.#ranAtAll += 1
    return Math.min(MAX_RARITY, this.#ranAtAll / (KINDS * count))
  }

  #isRough(owner: Owner | undefined): boolean {
    return (
      owner !== undefined && this.#options.size.hasFaults && this.#time.nowMs < this.#world.quietMs
    )
  }

  #draw(perMillion: number): boolean {
    return perMillion > 0 && this.#rng.next() * 1e6 < perMillion
  }

  /** Starts it again after a while, as a service manager does. */
  #crash(owner: Owner): void {
    const running = this.#installation.running.get(owner.name)
    if (owner.isDead || running?.owner !== owner) return
    this.#counts.kills += 1
    this.#killsMs.push(this.#time.nowMs)
    this.#note(`${owner.name} is killed`)
    this.#installation.crash(owner)
    this.#postgres?.left(owner)
    runAsWorld(() =>
      setTimeout(() => this.#installation.start(running.plan), this.#rng.int(500, MAX_RESTART_MS)),
    )
  }

  #view(owner: Owner | undefined, address: string): View {
    const target = this.#world.targets.find((one) => one.address === address)
    if (target === undefined) return this.#viewOfReceiver(address)
    const { connectMs, responseMs } = target
    const reach = this.#reachFrom(this.#regionOf(owner), target)
    const monitorUuid = this.#people?.uuidOf.get(target) ?? ''
    return {
      reach,
      connectMs,
      serve: (): SimReply => {
        const how = this.#spell(target.failures)?.how
        const status = how === undefined ? 200 : how === 'STATUS' ? 503 : 0
        this.#counts.checks += 1
        this.#hits.push({ monitorUuid, atMs: this.#time.nowMs, status, from: owner?.name ?? '' })
        return status === 0 ? 'CLOSE' : { status, body: 'ok', afterMs: responseMs }
      },
    }
  }

  #regionOf(owner: Owner | undefined): string {
    return this.#options.processes.find(({ name }) => name === owner?.name)?.region ?? HOME
  }

  #reachFrom(region: string, { elsewhere, failures }: Target): View['reach'] {
    if (this.#spell(this.#world.cuts.get(region)) !== undefined) return 'SILENT'
    if (region !== HOME && elsewhere !== undefined) return elsewhere
    const how = this.#spell(failures)?.how
    return how === 'REFUSED' || how === 'SILENT' ? how : 'OPEN'
  }

  #viewOfReceiver(address: string): View {
    const reach = address === RECEIVER.host ? 'OPEN' : 'SILENT'
    const serve: View['serve'] = (request) =>
      this.#receiver.take(request, {
        atMs: this.#time.nowMs,
        isDown: this.#spell(this.#world.receiverDown) !== undefined,
      })
    return { reach, connectMs: 2, serve }
  }

  #spell<S extends { fromMs: number; toMs: number }>(spells: readonly S[] | undefined) {
    return spellAt(spells, this.#time.nowMs)
  }

  #note(what: string): void {
    const line = `${this.#time.nowMs - this.#world.startMs} ${what}`
    this.#digest.update(line)
    this.#options.onTrace?.(line)
  }

  async #judge(): Promise<string[]> {
    const { endMs } = this.#world
    const people = this.#people
    if (people === undefined) throw new Error('Nobody is there')
    for (const { owner } of this.#installation.running.values()) {
      this.#installation.crash(owner)
      this.#postgres?.left(owner)
    }
    let rows: Awaited<ReturnType<typeof readRows>> | undefined
    const config = { stream: () => this.#postgres?.openSocket() } as unknown as pg.ClientConfig
    readRows(config).then((read) => {
      rows = read
    })
    await this.#time.runUntil(endMs + SETUP_MS)
    if (rows === undefined) throw new Error('The rows could not be read')
    const targets = new Map([...people.uuidOf].map(([target, uuid]) => [uuid, target]))
    const run = {
      ...rows,
      settledMs: endMs - SETTLED_MS,
      hits: this.#hits,
      outages: this.#outages(people),
      calls: people.calls,
    }
    const sends = this.#options.processes.some(({ roles }) => roles.includes('dispatcher'))
    const received = sends ? this.#receiver.received : undefined
    const [unseen, repeated] = [this.#unseen(), this.#repeated()]
    const faults = this.#faults()
    const { window } = this.#world
    return [
      ...this.#unfenced,
      ...judgeSimulation({ run, targets, received, unseen, repeated, faults }),
      ...judgeJobs(run, { uuidOf: people.jobUuidOf, faults, endMs }),
      ...(window ? judgeWindow(run, window) : []),
    ]
  }

  #repeated(): Spell[] {
    const { freezes, databaseDown } = this.#world
    const stops = [...freezes.values(), databaseDown, this.#freezes].flat()
    const kills = this.#killsMs.map((ms) => ({ fromMs: ms, toMs: ms }))
    return [...stops, ...kills].map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + LOST_MS }))
  }

  /** When our own faults may have kept us from seeing an outage. */
  #unseen(): Spell[] {
    const { cutOff, cuts, lies, freezes, databaseDown } = this.#world
    const spells = [
      ...cutOff.values(),
      ...cuts.values(),
      ...lies.values(),
      ...freezes.values(),
      databaseDown,
      this.#freezes,
    ]
    return spells.flat()
  }

  /** Everything of ours that may have delayed a check. */
  #faults(): Spell[] {
    return [...this.#unseen(), ...this.#repeated()]
  }

  #outages({ uuidOf }: People): Outage[] {
    const cuts = [...this.#world.cuts.values()].flat()
    return [...uuidOf].flatMap(([{ failures, timeoutSeconds }, monitorUuid]) =>
      [...failures, ...cuts].map(({ fromMs, toMs }) => ({
        monitorUuid,
        fromMs: fromMs - timeoutSeconds * 1000,
        toMs: toMs + Math.min(ATTEMPT_MS, timeoutSeconds * 1000),
      })),
    )
  }
}
