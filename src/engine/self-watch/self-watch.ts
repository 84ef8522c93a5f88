// Monitors the service itself, in every process. Each publishes its own conditions in its row of `processes` and shows
// those of all. The one that holds a lock also inspects the whole service and notifies the operator directly, so that
// this works while deliveries are stuck.

import {
  type Condition,
  type ConditionFinding,
  confirmedOf,
  keyOf,
  mergeReports,
  signalOf,
  type TrackedCondition,
  trackConditions,
  trackedFrom,
  withoutConsequences,
} from '../../domain/operating/condition.ts'
import { endsMatterForMs, findEnds } from '../../domain/operating/process-ends.ts'
import { findingsOf, type SelfWatchLimits } from '../../domain/operating/self-watch.ts'
import type { SelfWatchMetrics } from '../../platform/metrics/self-watch-metrics.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import {
  announceProcess,
  deleteProcess,
  findProcessEnds,
  findProcesses,
  findReported,
  forgetProcesses,
  type ProcessRow,
} from '../../store/operating/processes.ts'
import { acquireWatch, releaseWatch } from '../../store/operating/self-watch.ts'
import { every, type Loop } from '../every.ts'
import { measureClockOffset } from './clock-watch.ts'
import type { ConditionReport } from './condition-report.ts'
import { ServiceInspector } from './service-inspector.ts'

type SelfWatchDeps = {
  /** Has one connection, used by nothing else. Undefined in a probe, which has no database. */
  database: Database | undefined
  log: Log
  metrics: SelfWatchMetrics
  identity: Omit<ProcessRow, 'conditions'>
  everySeconds: number
  limits: SelfWatchLimits
  /** Problems found by the parts of this process. */
  ownFindings(): ConditionFinding[]
  report: ConditionReport
  /** Called with the other processes that run, whenever they were read. */
  onProcesses?(others: readonly ProcessRow[]): void
}

export type SelfWatch = Loop & {
  /** Of the whole service, as far as this process knows. */
  conditions(): readonly Condition[]
  isWatch(): boolean
  /** This process does its work from now on. */
  begin(): void
}

// Frequent enough to keep the connection alive, and with it the lock.
const MAX_CHECK_INTERVAL_MS = 5_000
// Longer than a round may take on a busy machine: then another process notifies.
const SILENT_MS = 15_000
const MAX_PATIENCE_MS = 20_000
const MAX_CLOCK_OFFSET_MS = 5_000
const LIFE_IN_ROUNDS = 2
const LEAST_LIFE_MS = 4_000

export async function startSelfWatch(deps: SelfWatchDeps): Promise<SelfWatch> {
  const watch = new Watch(deps)
  await deps.database?.transaction(undefined, forgetProcesses).catch(() => {})
  const round = () => watched('self-watch', () => watch.round())
  const onError = (err: unknown) => deps.log.error({ err }, 'self-watch failed')
  await round().catch(onError)
  const loop = every(watch.roundMs, round, onError)
  return {
    conditions: () => watch.conditions,
    isWatch: () => watch.isWatch,
    begin: () => watch.begin(),
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
  /** How long its row counts after each round. */
  readonly #lifeMs: number
  /** The last process that held the lock continues while the database is unavailable. */
  isWatch = false
  conditions: readonly Condition[] = []
  #own: TrackedCondition[] = []
  /** Of the whole service; used only by the process that notifies. */
  #all: TrackedCondition[] = []
  #processes: ProcessRow[] = []
  #reported: ReadonlySet<string> = new Set()
  #clockOffsetMs = 0
  #begunMs: number | undefined

  constructor(deps: SelfWatchDeps) {
    this.#deps = deps
    const { database, everySeconds, limits, metrics } = deps
    this.#inspector = database && new ServiceInspector({ database, limits, metrics })
    this.roundMs = Math.min(MAX_CHECK_INTERVAL_MS, everySeconds * 1000)
    this.#lifeMs = LIFE_IN_ROUNDS * this.roundMs + LEAST_LIFE_MS
    this.#patienceMs = Math.min(MAX_PATIENCE_MS, everySeconds * 1000)
  }

  begin(): void {
    this.#begunMs = performance.now()
  }

  async round(): Promise<void> {
    const { metrics, report } = this.#deps
    const findings = withoutConsequences([
      ...(await this.#inspectDatabase()),
      ...this.#ownFindings(),
    ])
    const patience = { beginMs: this.#patienceMs, endMs: this.roundMs, known: this.#reported }
    this.#own = trackConditions(this.#own, findings, this.#clock(), patience)
    await this.#announce()
    this.conditions = mergeReports([
      this.#ownReport(),
      ...this.#processes
        .filter(({ id }) => id !== this.#deps.identity.id)
        .map(({ name, conditions }) => ({ process: name, conditions })),
    ])
    metrics.setConditions(this.conditions.map(({ code }) => code))
    if (!this.isWatch) {
      this.#all = []
      return report.yield().catch(() => {})
    }
    // Long enough for a restarted process to find its conditions again.
    const endMs = 2 * (this.#patienceMs + this.roundMs)
    this.#all = trackConditions(this.#all, this.conditions, this.#clock(), { beginMs: 0, endMs })
    const conditions = confirmedOf(this.#all)
    const signal = signalOf(conditions, this.#own)
    const isKnown = signal === 'FAIL' || this.#isProven()
    report.send({ conditions, current: this.conditions, signal: isKnown ? signal : undefined })
  }

  /** Until the row of a process that died has expired, nobody knows that it did. */
  #isProven(): boolean {
    const provenMs = Math.max(this.#patienceMs, this.#lifeMs)
    return this.#begunMs !== undefined && performance.now() - this.#begunMs >= provenMs
  }

  async leave(): Promise<void> {
    const { database, identity } = this.#deps
    // If the database is unavailable, the row expires shortly anyway.
    await database?.transaction(undefined, (tx) => deleteProcess(tx, identity.id)).catch(() => {})
  }

  /** The database's time, as far as it is known: reported start times must not depend on a wrong clock. */
  #clock() {
    return { now: new Date(Date.now() - this.#clockOffsetMs), nowMs: performance.now() }
  }

  #ownReport() {
    const { name } = this.#deps.identity
    return { process: name, conditions: this.#ownConditions() }
  }

  /** A process that reaches the database again says so at once: otherwise one that takes over reports it once more. */
  #ownConditions() {
    return confirmedOf(
      this.#own.filter(({ code, goneMs }) => code !== 'DATABASE_UNREACHABLE' || goneMs === null),
    )
  }

  #ownFindings(): ConditionFinding[] {
    const offsetSeconds = Math.round(this.#clockOffsetMs / 1000)
    const isOff = Math.abs(this.#clockOffsetMs) > MAX_CLOCK_OFFSET_MS
    return [
      ...this.#deps.ownFindings(),
      ...(isOff
        ? [toFinding('CLOCK_OFF', `The clock is ${offsetSeconds} s off the database's clock`)]
        : []),
    ]
  }

  /** Findings from the database. If it does not respond, that is the finding. */
  async #inspectDatabase(): Promise<ConditionFinding[]> {
    const { database, limits } = this.#deps
    if (database === undefined || this.#inspector === undefined) return []
    try {
      await this.#readClock(database)
      this.#processes = await database.transaction(undefined, findProcesses)
      this.#deps.onProcesses?.(this.#processes.filter(({ id }) => id !== this.#deps.identity.id))
      await this.#takeOrLeaveWatch(database)
      if (!this.isWatch) return []
      const ends = await this.#findEnds(database)
      const isSettled = performance.now() - this.#startedMs >= this.#patienceMs
      if (!isSettled) return ends
      return [...findingsOf(await this.#inspector.read(this.#processes), limits), ...ends]
    } catch (err) {
      this.#deps.log.debug({ err }, 'self-watch cannot read the database')
      return [toFinding('DATABASE_UNREACHABLE', isFull(err) ? NO_CONNECTION : NO_ANSWER)]
    }
  }

  /** While the database was away, all rows expired. A process that is listed again gave the others time for it. */
  async #findEnds(database: Database): Promise<ConditionFinding[]> {
    const { identity } = this.#deps
    if (!this.#processes.some(({ id }) => id === identity.id)) return []
    const seconds = endsMatterForMs(this.#patienceMs) / 1000
    const ends = await database.transaction(undefined, (tx) => findProcessEnds(tx, seconds))
    return findEnds(ends, this.#patienceMs)
  }

  async #readClock(database: Database): Promise<void> {
    const askedMs = performance.now()
    const offsetMs = 1000 * (await database.transaction(undefined, (tx) => measureClockOffset(tx)))
    // The clock was read at an unknown moment during the round trip.
    const halfMs = (performance.now() - askedMs) / 2
    this.#clockOffsetMs = Math.sign(offsetMs) * Math.max(0, Math.abs(offsetMs) - halfMs)
  }

  async #takeOrLeaveWatch(database: Database): Promise<void> {
    const { identity, report } = this.#deps
    const isBest = !this.#processes.some(({ reach }) => reach > identity.reach)
    const before = this.isWatch
    if (!isBest && before) await database.transaction(undefined, releaseWatch)
    // The lock ends with its connection: acquiring it again is harmless and proves that we still hold it.
    this.isWatch =
      isBest && (await database.transaction(undefined, (tx) => acquireWatch(tx, SILENT_MS)))
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
    const row = { ...identity, conditions: this.#ownConditions() }
    const seconds = this.#lifeMs / 1000
    try {
      await database.transaction(undefined, (tx) => announceProcess(tx, row, seconds))
    } catch (err) {
      // Failed writes are counted centrally and found there in the next round.
      this.#deps.log.debug({ err }, 'this process could not be announced')
    }
  }
}

const NO_ANSWER = 'The database does not answer'
const NO_CONNECTION = 'PostgreSQL has no connection left'

/** PostgreSQL runs, but all connections that it permits are in use. */
const isFull = (err: unknown): boolean =>
  err instanceof Error && 'code' in err && err.code === '53300'

const toFinding = (code: ConditionFinding['code'], message: string): ConditionFinding => ({
  code,
  subject: '',
  message,
})
