// Simulated people who constantly pause, resume and check monitors, and remember what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import { toId } from '../../kit/ids.ts'
import type { Call } from '../../oracle/run.ts'
import type { World } from './world.ts'

type MonitorPool = { pausable: readonly string[]; checkable: readonly string[] }

const PAUSE_MS = 150

export class People {
  readonly #world: World
  readonly #working: Promise<void>[]
  #stopped = false

  constructor(world: World, { pausable, checkable }: MonitorPool) {
    this.#world = world
    this.#working = [this.#pauseAndResume(pausable), this.#check(checkable)]
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#working)
  }

  async #pauseAndResume(keys: readonly string[]): Promise<void> {
    for (let i = 0; !this.#stopped; i++) {
      const key = keys[Math.floor(i / 2) % keys.length] ?? ''
      await this.#do(i % 2 === 0 ? 'pause' : 'resume', key)
      await sleep(PAUSE_MS)
    }
  }

  async #check(keys: readonly string[]): Promise<void> {
    for (let i = 0; !this.#stopped; i++) {
      await this.#do('check', keys[i % keys.length] ?? '')
      await sleep(PAUSE_MS)
    }
  }

  async #do(verb: 'pause' | 'resume' | 'check', key: string): Promise<void> {
    const monitorUuid = this.#world.uuidOf.get(key) ?? ''
    const path = `/monitors/${toId('mon', monitorUuid)}/${verb}`
    const reply = await this.#world.call('POST', path)
    if (reply?.status !== 200) return
    const call: Call = { operation: `${verb}Monitor`, monitorUuid }
    // Repeating the current state is acknowledged too, but leaves no record.
    if (verb === 'check' || (this.#last.get(key) ?? 'resume') !== verb) this.#world.calls.push(call)
    this.#last.set(key, verb)
  }

  readonly #last = new Map<string, string>()
}
