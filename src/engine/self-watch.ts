// Watches the first step of the line, "due", and the last, "delivery", from beside it: whether slots are taken in time and
// whether people are told. It takes part in neither, and tells by ways of its own, so that it can speak when they
// are stuck: a heartbeat to another installation, and a mail handed straight to the relay.
import {
  CALM,
  type Look,
  type Signal,
  shardsOfRound,
  signalOf,
  troublesOf,
  type Watch,
  watchOn,
} from '../domain/self-watch.ts'
import { watched } from '../platform/event-loop-watch.ts'
import type { Log } from '../platform/log.ts'
import type { SelfWatchMetrics } from '../platform/self-watch-metrics.ts'
import type { Database } from '../store/db.ts'
import { findLateShards, lookAround } from '../store/self-watch.ts'
import { every, type Loop } from './every.ts'

/** `troubles` is empty when it is over. */
export type News = { troubles: readonly string[]; since: Date }

export type SelfWatchDeps = {
  /** Of one connection, which nobody else uses. */
  database: Database
  log: Log
  metrics: SelfWatchMetrics
  everySeconds: number
  lateSeconds: number
  /** What the process itself knows to be wrong. */
  ownTroubles(): string[]
  /** Undefined: there is nobody to call. Rejects when the call was not taken. */
  call: ((signal: Signal, troubles: readonly string[]) => Promise<void>) | undefined
  /** Undefined: there is nobody to tell. Returns whether it was taken; the same news twice are one. */
  tell: ((news: News) => Promise<boolean>) | undefined
}

// Often enough that the connection, and with it the watch, is kept.
const MOST_BETWEEN_LOOKS_MS = 5_000

export function startSelfWatch(deps: SelfWatchDeps): Loop {
  const watch = new SelfWatch(deps)
  const waitMs = Math.min(MOST_BETWEEN_LOOKS_MS, deps.everySeconds * 1000)
  return every(
    waitMs,
    () => watched('self-watch', () => watch.round()),
    (err) => deps.log.error({ err }, 'self-watch failed'),
  )
}

class SelfWatch {
  readonly #deps: SelfWatchDeps
  readonly #late = new Set<number>()
  #rounds = 0
  /** Of several processes one watches; the last that did goes on while the database is away. */
  #isWatch = true
  #watch: Watch = CALM
  /** What the operator was told last that has not ended. */
  #told: News | undefined
  #callAtMs = 0
  #callFails = false

  constructor(deps: SelfWatchDeps) {
    this.#deps = deps
  }

  async round(): Promise<void> {
    const { everySeconds, metrics } = this.#deps
    const look = await this.#look()
    if (!this.#isWatch) {
      this.#watch = CALM
      this.#told = undefined
      return
    }
    const before = this.#watch
    this.#watch = watchOn(before, troublesOf(look, this.#deps.ownTroubles()), {
      now: new Date(),
      patienceMs: everySeconds * 1000,
    })
    metrics.seen(this.#watch.isTroubled, this.#late.size)
    this.#log(before)
    await Promise.all([this.#call(), this.#tell()])
  }

  async #look(): Promise<Look | undefined> {
    const { database, lateSeconds } = this.#deps
    try {
      const { isWatch, monitors, ...sight } = await lookAround(database, lateSeconds)
      this.#isWatch = isWatch
      const shards = shardsOfRound(monitors, this.#rounds++)
      const late = await findLateShards(database, shards, lateSeconds)
      for (const shard of shards) this.#late.delete(shard)
      for (const shard of late) this.#late.add(shard)
      return { ...sight, lateShards: this.#late.size }
    } catch {
      // That it does not answer is what was to be found out.
      return undefined
    }
  }

  #log(before: Watch): void {
    const { isTroubled, troubles, since } = this.#watch
    const { log } = this.#deps
    if (isTroubled && !before.isTroubled)
      log.error({ troubles, since }, 'this installation does not do its work')
    if (!isTroubled && before.isTroubled) log.warn('this installation does its work again')
  }

  async #call(): Promise<void> {
    const { call, everySeconds, log } = this.#deps
    const signal = signalOf(this.#watch)
    const nowMs = performance.now()
    if (call === undefined || signal === undefined || nowMs < this.#callAtMs) return
    this.#callAtMs = nowMs + everySeconds * 1000
    try {
      await call(signal, this.#watch.troubles)
      this.#callFails = false
    } catch (err) {
      if (!this.#callFails) log.warn({ err }, 'heartbeat could not be sent')
      this.#callFails = true
    }
  }

  async #tell(): Promise<void> {
    const { tell } = this.#deps
    const { isTroubled, troubles, since } = this.#watch
    if (tell === undefined || isTroubled === (this.#told !== undefined)) return
    const news: News = isTroubled
      ? { troubles, since: since ?? new Date() }
      : { troubles: [], since: this.#told?.since ?? new Date() }
    // What is not taken is tried again with the next round, unless it is over by then.
    if (await tell(news)) this.#told = isTroubled ? news : undefined
  }
}
