// Reads memory and arrivals while a run goes on.
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../tools/stack.ts'
import { pidOf, rssBytes, type Target } from '../engine-kit.ts'
import type { MillionEngine } from './engine.ts'
import type { Arrivals } from './figures.ts'

const WATCH_MS = 2000

export class Watch {
  readonly #target: Target
  readonly #engine: MillionEngine
  readonly #api: Service
  readonly arrivals: Arrivals = { atMs: [], latenessMs: [] }
  readonly highest = { schedulerRss: 0, apiRss: 0 }
  #isStopping = false

  constructor(target: Target, engine: MillionEngine, api: Service) {
    this.#target = target
    this.#engine = engine
    this.#api = api
  }

  /** Nothing else may ask the target in the meantime. */
  async run(): Promise<void> {
    await this.#target.request({ do: 'take' })
    while (!this.#isStopping) {
      await delay(WATCH_MS)
      const { atMs, latenessMs } = await this.#target.request({ do: 'take' })
      for (const ms of atMs) this.arrivals.atMs.push(ms)
      for (const ms of latenessMs) this.arrivals.latenessMs.push(ms)
      this.#readMemory()
    }
  }

  stop(): void {
    this.#isStopping = true
  }

  #readMemory(): void {
    const { highest } = this
    highest.apiRss = Math.max(highest.apiRss, rssBytes(pidOf(this.#api.process)))
    try {
      // Nothing of a process that is ending.
      const bytes = this.#engine.rssBytes() || 0
      highest.schedulerRss = Math.max(highest.schedulerRss, bytes)
    } catch {
      // It was just killed.
    }
  }
}
