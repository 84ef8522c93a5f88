// Reports troubles to the operator: an email when one begins and one when it ends, and a heartbeat to another
// installation. Nothing blocks: slow or failed reports are retried in a later round.
import {
  changesOf,
  type HealthSignal,
  keyOf,
  type Trouble,
} from '../../domain/operating/trouble.ts'
import type { Log } from '../../platform/observability/log.ts'

export type TroubleChange = { trouble: Trouble; isOver: boolean }

type TroubleReportDeps = {
  log: Log
  everySeconds: number
  /** Undefined if no heartbeat address is configured. Rejects when the call is refused. */
  call: ((signal: HealthSignal, troubles: readonly Trouble[]) => Promise<void>) | undefined
  /**
   * Undefined if there is no operator to notify. Returns whether the email was accepted; sending the same news twice is
   * safe.
   */
  notify: ((change: TroubleChange) => Promise<boolean>) | undefined
  save(reported: readonly Trouble[]): Promise<void>
  /** Like `save`, but never ends any. */
  add(reported: readonly Trouble[]): Promise<void>
}

const MAX_EMAILS_PER_ROUND = 5
// An email cannot report that emails fail; the heartbeat does.
const isByEmail = ({ code }: Trouble) => code !== 'RELAY_REFUSES'

export class TroubleReport {
  readonly #deps: TroubleReportDeps
  /** Reported and not over yet. */
  #reported: readonly Trouble[] = []
  #logged: readonly Trouble[] = []
  #isSaved = true
  #isNotifying = false
  #isCalling = false
  #callAtMs = 0
  #callFails = false

  constructor(deps: TroubleReportDeps) {
    this.#deps = deps
  }

  get reported(): readonly Trouble[] {
    return this.#reported
  }

  /** Takes over what another process reported. Returns the troubles not known here. */
  adopt(stored: readonly Trouble[]): readonly Trouble[] {
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

  /** `current`: those of `troubles` found right now; the others may be about to end. */
  send(state: {
    troubles: readonly Trouble[]
    current: readonly Trouble[]
    signal: HealthSignal | undefined
  }): void {
    const { troubles, current, signal } = state
    this.#log(troubles)
    if (!this.#isNotifying) void this.#notify(troubles, new Set(current.map(keyOf)))
    if (!this.#isCalling) void this.#call(signal, troubles)
  }

  #log(troubles: readonly Trouble[]): void {
    const { log } = this.#deps
    const { began, ended } = changesOf(this.#logged, troubles)
    for (const { code, message, since } of began) log.error({ code, message, since }, 'trouble')
    for (const { code, message } of ended) log.warn({ code, message }, 'trouble is over')
    this.#logged = troubles
  }

  async #notify(troubles: readonly Trouble[], current: ReadonlySet<string>): Promise<void> {
    this.#isNotifying = true
    try {
      const { began, ended } = changesOf(this.#reported, troubles.filter(isByEmail))
      const changes = [
        ...ended.map((trouble) => ({ trouble, isOver: true })),
        // A trouble that ended before its email could be sent is not reported anymore.
        ...began
          .filter((trouble) => current.has(keyOf(trouble)))
          .map((trouble) => ({ trouble, isOver: false })),
      ]
      for (const one of changes.slice(0, MAX_EMAILS_PER_ROUND)) await this.#notifyOne(one)
      if (!this.#isSaved) await this.#deps.save(this.#reported)
      this.#isSaved = true
    } catch (err) {
      // Kept in memory and saved when the database accepts it.
      this.#deps.log.debug({ err }, 'reported troubles could not be saved')
    } finally {
      this.#isNotifying = false
    }
  }

  async #notifyOne(change: TroubleChange): Promise<void> {
    const { notify = async () => true } = this.#deps
    if (!(await notify(change))) return
    const others = this.#reported.filter((old) => keyOf(old) !== keyOf(change.trouble))
    this.#reported = change.isOver ? others : [...others, change.trouble]
    this.#isSaved = false
  }

  async #call(signal: HealthSignal | undefined, troubles: readonly Trouble[]): Promise<void> {
    const { call, everySeconds, log } = this.#deps
    const nowMs = performance.now()
    if (call === undefined || signal === undefined || nowMs < this.#callAtMs) return
    this.#callAtMs = nowMs + everySeconds * 1000
    this.#isCalling = true
    try {
      await call(signal, troubles)
      this.#callFails = false
    } catch (err) {
      if (!this.#callFails) log.warn({ err }, 'heartbeat could not be sent')
      this.#callFails = true
    } finally {
      this.#isCalling = false
    }
  }
}
