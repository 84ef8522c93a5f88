// The engine of a run: one process per role, what the scheduler knows, and its death by kill -9.
import { setTimeout as delay } from 'node:timers/promises'
import { type Inspector, inspect, inspectable } from '../../test/fault/engine/inspector.ts'
import { findFreePort } from '../../tools/services/ports.ts'
import type { Service, Stack } from '../../tools/stack.ts'
import { pidOf, readMetric, readSeries, rssBytes } from '../engine-kit.ts'
import { addBuckets, type Buckets, toBuckets } from './histogram.ts'

const SHARDS = 256
const POLL_MS = 100
const MAX_WAIT_MS = 10 * 60_000
const LATENESS = 'upvane_check_lateness_seconds_bucket'
// A slot stays due until its check is recorded, so this covers the longest check of a healthy target.
const ON_TIME_SECONDS = 5
// The age of the oldest slot is written once a second, and 0 until the first slots are known.
const STEADY_READINGS = 3
const READING_MS = 1000

/** Seconds after its start. */
export type SchedulerStart = { ownedSeconds: number; loadedSeconds: number }
export type Recovery = SchedulerStart & { onTimeSeconds: number; killedMs: number; endMs: number }

export class MillionEngine {
  readonly #stack: Stack
  #scheduler: Service | undefined
  #inspectorPort = 0
  #lateness: Buckets = new Map()

  constructor(stack: Stack) {
    this.#stack = stack
  }

  get scheduler(): Service {
    if (this.#scheduler === undefined) throw new Error('The scheduler has not been started')
    return this.#scheduler
  }

  /** Waits until it owns all shards and knows at least this many monitors. */
  async startScheduler(monitors: number): Promise<SchedulerStart> {
    const startMs = performance.now()
    const seconds = () => (performance.now() - startMs) / 1000
    this.#inspectorPort = await findFreePort()
    const env = inspectable(this.#inspectorPort)
    this.#scheduler = await this.#stack.start('scheduler', { env })
    await this.#until('upvane_shards_owned', SHARDS)
    const ownedSeconds = seconds()
    await this.#until('upvane_monitors_scheduled', monitors)
    return { ownedSeconds, loadedSeconds: seconds() }
  }

  /** kill -9 of the only scheduler. Another is started at once, and waits for the lease of the first to expire. */
  async killScheduler(): Promise<Recovery> {
    const known = await readMetric(this.scheduler, 'upvane_monitors_scheduled')
    await this.#keepLateness()
    const killedMs = Date.now()
    await this.scheduler.kill()
    // Monitors may have been created or paused in the meantime.
    const started = await this.startScheduler(Math.floor(known * 0.999))
    await this.#untilOnTime()
    const endMs = Date.now()
    return { ...started, onTimeSeconds: (endMs - killedMs) / 1000, killedMs, endMs }
  }

  /** How late checks were started, of all schedulers so far. */
  async lateness(): Promise<Buckets> {
    return addBuckets(this.#lateness, await this.#readLateness())
  }

  /** What the scheduler holds after garbage collection, which stops it for a while. */
  async heldBytes(): Promise<number> {
    const pid = pidOf(this.scheduler.process)
    const inspector: Inspector = await inspect(pid, this.#inspectorPort)
    const { bytes } = await inspector.held()
    inspector.close()
    return bytes
  }

  rssBytes(): number {
    return rssBytes(pidOf(this.scheduler.process))
  }

  async #keepLateness(): Promise<void> {
    this.#lateness = await this.lateness()
  }

  async #readLateness(): Promise<Buckets> {
    return toBuckets(await readSeries(this.scheduler, LATENESS))
  }

  async #until(metric: string, least: number): Promise<void> {
    const endMs = performance.now() + MAX_WAIT_MS
    while ((await readMetric(this.scheduler, metric)) < least) {
      if (performance.now() > endMs) throw new Error(`${metric} stayed below ${least}`)
      await delay(POLL_MS)
    }
  }

  async #untilOnTime(): Promise<void> {
    const endMs = performance.now() + MAX_WAIT_MS
    for (let steady = 0; steady < STEADY_READINGS; await delay(READING_MS)) {
      const seconds = await readMetric(this.scheduler, 'upvane_oldest_due_slot_seconds')
      steady = seconds < ON_TIME_SECONDS ? steady + 1 : 0
      if (performance.now() > endMs) throw new Error('Checks stayed late')
    }
  }
}
