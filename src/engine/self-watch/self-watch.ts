// Watches the service from beside it, in every process. Each process publishes the troubles it knows of in its row of
// `processes`, and shows those of all. One of them, which holds a lock, also looks at the whole and notifies the operator
// by ways of its own, so that it can speak while deliveries are stuck.
import { findingsOf, type SelfWatchLimits } from '../../domain/operating/self-watch.ts'
import {
  confirmedOf,
  keyOf,
  mergeReports,
  signalOf,
  type TrackedTrouble,
  type Trouble,
  type TroubleFinding,
  trackedFrom,
  trackTroubles,
  withoutConsequences,
} from '../../domain/operating/trouble.ts'
import type { SelfWatchMetrics } from '../../platform/metrics/self-watch-metrics.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import {
  announceProcess,
  deleteProcess,
  findProcesses,
  findReported,
  type ProcessRow,
} from '../../store/operating/processes.ts'
import { acquireWatch, releaseWatch } from '../../store/operating/self-watch.ts'
import { every, type Loop } from '../every.ts'
import { measureClockOffset } from './clock-watch.ts'
import { ServiceInspector } from './service-inspector.ts'
import type { TroubleReport } from './trouble-report.ts'

type SelfWatchDeps = {
  /** Of one connection, which nobody else uses; undefined: a probe, which has no database. */
  database: Database | undefined
  log: Log
  metrics: SelfWatchMetrics
  identity: Omit<ProcessRow, 'troubles'>
  everySeconds: number
  limits: SelfWatchLimits
  /** What the parts of this process find wrong. */
  ownFindings(): TroubleFinding[]
  report: TroubleReport
}

export type SelfWatch = Loop & {
  /** Of the whole service, as far as this process knows. */
  troubles(): readonly Trouble[]
  isWatch(): boolean
}

// Often enough that the connection, and with it the lock, is kept.
const MAX_CHECK_INTERVAL_MS = 5_000
const MAX_PATIENCE_MS = 20_000
const MAX_CLOCK_OFFSET_MS = 5_000

export async function startSelfWatch(deps: SelfWatchDeps): Promise<SelfWatch> {
  const watch = new Watch(deps)
  const round = () => watched('self-watch', () => watch.round())
  const onError = (err: unknown) => deps.log.error({ err }, 'self-watch failed')
  await round().catch(onError)
  const loop = every(watch.roundMs, round, onError)
  return {
    troubles: () => watch.troubles,
    isWatch: () => watch.isWatch,
    async stop() {
      await loop.stop()
      await watch.leave()
    },
  }
}

class Watch {
  readonly #deps: SelfWatchDeps
  readonly #inspector: ServiceInspector | undefined
  readonly #startedMs = performance.now()
  readonly roundMs: number
  readonly #patienceMs: number
  /** The last one that held the lock continues while the database is away. */
  isWatch = false
  troubles: readonly Trouble[] = []
  #own: TrackedTrouble[] = []
  /** Of the whole service, by the one that notifies. */
  #all: TrackedTrouble[] = []
  #processes: ProcessRow[] = []
  #reported: ReadonlySet<string> = new Set()
  #clockOffsetMs = 0

  constructor(deps: SelfWatchDeps) {
    this.#deps = deps
    const { database, everySeconds, limits, metrics } = deps
    this.#inspector = database && new ServiceInspector({ database, limits, metrics })
    this.roundMs = Math.min(MAX_CHECK_INTERVAL_MS, everySeconds * 1000)
    this.#patienceMs = Math.min(MAX_PATIENCE_MS, everySeconds * 1000)
  }

  async round(): Promise<void> {
    const { metrics, report } = this.#deps
    const findings = withoutConsequences([
      ...(await this.#inspectDatabase()),
      ...this.#ownFindings(),
    ])
    const patience = { beginMs: this.#patienceMs, endMs: this.roundMs, known: this.#reported }
    this.#own = trackTroubles(this.#own, findings, this.#clock(), patience)
    await this.#announce()
    this.troubles = mergeReports([
      this.#ownReport(),
      ...this.#processes
        .filter(({ id }) => id !== this.#deps.identity.id)
        .map(({ name, troubles }) => ({ process: name, troubles })),
    ])
    metrics.setTroubles(this.troubles.map(({ code }) => code))
    if (!this.isWatch) {
      this.#all = []
      return report.yield().catch(() => {})
    }
    // Long enough for a process that restarts to find again what it had found.
    const endMs = 2 * (this.#patienceMs + this.roundMs)
    this.#all = trackTroubles(this.#all, this.troubles, this.#clock(), { beginMs: 0, endMs })
    const troubles = confirmedOf(this.#all)
    report.send({ troubles, current: this.troubles, signal: signalOf(troubles, this.#own) })
  }

  async leave(): Promise<void> {
    const { database, identity } = this.#deps
    // A database that is away forgets it by itself, a moment later.
    await database?.transaction(undefined, (tx) => deleteProcess(tx, identity.id)).catch(() => {})
  }

  /** The database's time, as far as it is known: since when is told must not depend on a clock that is off. */
  #clock() {
    return { now: new Date(Date.now() - this.#clockOffsetMs), nowMs: performance.now() }
  }

  #ownReport() {
    const { name } = this.#deps.identity
    return { process: name, troubles: confirmedOf(this.#own) }
  }

  #ownFindings(): TroubleFinding[] {
    const offsetSeconds = Math.round(this.#clockOffsetMs / 1000)
    const isOff = Math.abs(this.#clockOffsetMs) > MAX_CLOCK_OFFSET_MS
    return [
      ...this.#deps.ownFindings(),
      ...(isOff
        ? [toFinding('CLOCK_OFF', `The clock is ${offsetSeconds} s off the database's clock`)]
        : []),
    ]
  }

  /** What the database shows. That it does not answer is what was to be found out. */
  async #inspectDatabase(): Promise<TroubleFinding[]> {
    const { database, limits } = this.#deps
    if (database === undefined || this.#inspector === undefined) return []
    try {
      await this.#readClock(database)
      this.#processes = await database.transaction(undefined, findProcesses)
      await this.#takeOrLeaveWatch(database)
      const isSettled = performance.now() - this.#startedMs >= this.#patienceMs
      if (!this.isWatch || !isSettled) return []
      return findingsOf(await this.#inspector.read(this.#processes), limits)
    } catch (err) {
      this.#deps.log.debug({ err }, 'self-watch cannot read the database')
      return [toFinding('DATABASE_UNREACHABLE', 'The database does not answer')]
    }
  }

  async #readClock(database: Database): Promise<void> {
    const askedMs = performance.now()
    const offsetMs = 1000 * (await database.transaction(undefined, (tx) => measureClockOffset(tx)))
    // Nobody knows when within a slow answer the clock was read.
    const halfMs = (performance.now() - askedMs) / 2
    this.#clockOffsetMs = Math.sign(offsetMs) * Math.max(0, Math.abs(offsetMs) - halfMs)
  }

  async #takeOrLeaveWatch(database: Database): Promise<void> {
    const { identity, report } = this.#deps
    const isBest = !this.#processes.some(({ reach }) => reach > identity.reach)
    const before = this.isWatch
    if (!isBest && before) await database.transaction(undefined, releaseWatch)
    // The lock goes with its connection: taking it again is harmless, and shows that it is still ours.
    this.isWatch = isBest && (await database.transaction(undefined, acquireWatch))
    const stored = await database.transaction(undefined, findReported)
    this.#reported = new Set(stored.map(keyOf))
    if (!this.isWatch) return this.#inspector?.forget()
    const added = report.adopt(stored)
    const resumed = before ? [...this.#all, ...trackedFrom(added, performance.now())] : undefined
    this.#all = resumed ?? trackedFrom(report.reported, performance.now())
  }

  async #announce(): Promise<void> {
    const { database, identity } = this.#deps
    if (database === undefined) return
    const row = { ...identity, troubles: confirmedOf(this.#own) }
    const seconds = (this.roundMs * LIFE_IN_ROUNDS) / 1000 + LEAST_LIFE_SECONDS
    try {
      await database.transaction(undefined, (tx) => announceProcess(tx, row, seconds))
    } catch (err) {
      // A write that is refused is counted where all of them are, and found there in the next round.
      this.#deps.log.debug({ err }, 'this process could not be announced')
    }
  }
}

const LIFE_IN_ROUNDS = 2
const LEAST_LIFE_SECONDS = 4

const toFinding = (code: TroubleFinding['code'], message: string): TroubleFinding => ({
  code,
  subject: '',
  message,
})
