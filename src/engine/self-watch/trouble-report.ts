// Brings troubles to the operator: one email when one begins and one when it is over, and the heartbeat of another
// installation. Nothing here waits: what is slow or refused is tried again with a later round.
import {
  changesOf,
  type HealthSignal,
  keyOf,
  type Trouble,
} from '../../domain/operating/trouble.ts'
import type { Log } from '../../platform/observability/log.ts'

/** `isOver`: it ended. */
export type TroubleChange = { trouble: Trouble; isOver: boolean }

export type TroubleReportDeps = {
  log: Log
  everySeconds: number
  /** Undefined: there is no address to call. Rejects when the call was refused. */
  call: ((signal: HealthSignal, troubles: readonly Trouble[]) => Promise<void>) | undefined
  /** Undefined: there is nobody to notify. Returns whether it was accepted; the same news twice are one. */
  notify: ((change: TroubleChange) => Promise<boolean>) | undefined
  save(reported: readonly Trouble[]): Promise<void>
  /** As `save`, without ending any. */
  add(reported: readonly Trouble[]): Promise<void>
}

const MAX_EMAILS_PER_ROUND = 5
// No email can say that no email can be sent: the heartbeat does.
const isByEmail = ({ code }: Trouble) => code !== 'RELAY_REFUSES'

export class TroubleReport {
  readonly #deps: TroubleReportDeps
  /** What was reported and is not over. */
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

  /** What was reported and is not over. */
  get reported(): readonly Trouble[] {
    return this.#reported
  }

  /** Takes over what another process reported. Returns what was not known here. */
  adopt(stored: readonly Trouble[]): readonly Trouble[] {
    // What could not be saved is newer than what is stored.
    if (!this.#isSaved) return []
    const known = new Set(this.#reported.map(keyOf))
    const added = stored.filter((one) => !known.has(keyOf(one)))
    this.#reported = [...this.#reported, ...added]
    return added
  }

  /** Another process reports from now on. It is left what could not be saved before. */
  async yield(): Promise<void> {
    if (!this.#isSaved && !this.#isNotifying) {
      await this.#deps.add(this.#reported)
      this.#isSaved = true
    }
    if (this.#isSaved) this.#reported = []
    this.#logged = []
  }

  /** `current` are those of `troubles` that are found right now; the others may be about to end. */
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
        // One that ended while it could not be sent is not worth an email any more.
        ...began
          .filter((trouble) => current.has(keyOf(trouble)))
          .map((trouble) => ({ trouble, isOver: false })),
      ]
      for (const one of changes.slice(0, MAX_EMAILS_PER_ROUND)) await this.#notifyOne(one)
      if (!this.#isSaved) await this.#deps.save(this.#reported)
      this.#isSaved = true
    } catch (err) {
      // Kept in memory, and saved when the database takes it.
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
