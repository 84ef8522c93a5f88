// Reports conditions to the operator: an email when one begins and one when it ends, and a heartbeat to another
// installation. Nothing blocks: slow or failed reports are retried in a later round.
import {
  type Condition,
  changesOf,
  type HealthSignal,
  keyOf,
} from '../../domain/operating/condition.ts'
import type { Log } from '../../platform/observability/log.ts'

export type ConditionChange = { condition: Condition; isOver: boolean }

type ConditionReportDeps = {
  log: Log
  everySeconds: number
  /** Undefined if no heartbeat address is configured. Rejects when the call is refused. */
  call: ((signal: HealthSignal, conditions: readonly Condition[]) => Promise<void>) | undefined
  /**
   * Undefined if there is no operator to notify. Returns whether the email was accepted; sending the same news twice is
   * safe.
   */
  notify: ((change: ConditionChange) => Promise<boolean>) | undefined
  save(reported: readonly Condition[]): Promise<void>
  /** Like `save`, but never ends any. */
  add(reported: readonly Condition[]): Promise<void>
}

const MAX_EMAILS_PER_ROUND = 5
// An email cannot report that emails fail; the heartbeat does.
const isByEmail = ({ code }: Condition) => code !== 'RELAY_REFUSES'

export class ConditionReport {
  readonly #deps: ConditionReportDeps
  /** Reported and not over yet. */
  #reported: readonly Condition[] = []
  #logged: readonly Condition[] = []
  #isSaved = true
  #isNotifying = false
  #isCalling = false
  #callAtMs = 0
  #callFails = false

  constructor(deps: ConditionReportDeps) {
    this.#deps = deps
  }

  get reported(): readonly Condition[] {
    return this.#reported
  }

  /** Takes over what another process reported. Returns the conditions not known here. */
  adopt(stored: readonly Condition[]): readonly Condition[] {
    // What is not saved yet is newer than what is stored.
    if (!this.#isSaved) return []
    const known = new Set(this.#reported.map(keyOf))
    const added = stored.filter((one) => !known.has(keyOf(one)))
    this.#reported = [...this.#reported, ...added]
    return added
  }

  /** Another process reports from now on, so what is not saved yet is stored for it. */
  async yield(): Promise<void> {
    if (!this.#isSaved && !this.#isNotifying) {
      await this.#deps.add(this.#reported)
      this.#isSaved = true
    }
    if (this.#isSaved) this.#reported = []
    this.#logged = []
  }

  /** `current`: those of `conditions` found right now; the others may be about to end. */
  send(state: {
    conditions: readonly Condition[]
    current: readonly Condition[]
    signal: HealthSignal | undefined
  }): void {
    const { conditions, current, signal } = state
    this.#log(conditions)
    if (!this.#isNotifying) void this.#notify(conditions, new Set(current.map(keyOf)))
    if (!this.#isCalling) void this.#call(signal, conditions)
  }

  #log(conditions: readonly Condition[]): void {
    const { log } = this.#deps
    const { began, ended } = changesOf(this.#logged, conditions)
    for (const { code, message, since } of began) log.error({ code, message, since }, 'condition')
    for (const { code, message } of ended) log.warn({ code, message }, 'condition is over')
    this.#logged = conditions
  }

  async #notify(conditions: readonly Condition[], current: ReadonlySet<string>): Promise<void> {
    this.#isNotifying = true
    try {
      const { began, ended } = changesOf(this.#reported, conditions.filter(isByEmail))
      const changes = [
        ...ended.map((condition) => ({ condition, isOver: true })),
        // A condition that ended before its email could be sent is not reported anymore.
        ...began
          .filter((condition) => current.has(keyOf(condition)))
          .map((condition) => ({ condition, isOver: false })),
      ]
      for (const one of changes.slice(0, MAX_EMAILS_PER_ROUND)) await this.#notifyOne(one)
      if (!this.#isSaved) await this.#deps.save(this.#reported)
      this.#isSaved = true
    } catch (err) {
      // Kept in memory and saved when the database accepts it.
      this.#deps.log.debug({ err }, 'reported conditions could not be saved')
    } finally {
      this.#isNotifying = false
    }
  }

  async #notifyOne(change: ConditionChange): Promise<void> {
    const { notify = async () => true } = this.#deps
    if (!(await notify(change))) return
    const others = this.#reported.filter((old) => keyOf(old) !== keyOf(change.condition))
    this.#reported = change.isOver ? others : [...others, change.condition]
    this.#isSaved = false
  }

  async #call(signal: HealthSignal | undefined, conditions: readonly Condition[]): Promise<void> {
    const { call, everySeconds, log } = this.#deps
    const nowMs = performance.now()
    if (call === undefined || signal === undefined || nowMs < this.#callAtMs) return
    this.#callAtMs = nowMs + everySeconds * 1000
    this.#isCalling = true
    try {
      await call(signal, conditions)
      this.#callFails = false
    } catch (err) {
      if (!this.#callFails) log.warn({ err }, 'heartbeat could not be sent')
      this.#callFails = true
    } finally {
      this.#isCalling = false
    }
  }
}
