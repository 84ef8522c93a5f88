// The jobs behind CRON monitors: each pings once a period, spread evenly over it.
import { setTimeout as delay } from 'node:timers/promises'

const TICK_MS = 100
const MOST_AT_ONCE = 64

export class Jobs {
  readonly #baseUrl: string
  readonly #tokens: readonly string[]
  readonly #periodMs: number
  #isStopping = false
  #open = 0
  answered = 0
  failed = 0

  constructor(baseUrl: string, tokens: readonly string[], periodMs: number) {
    this.#baseUrl = baseUrl
    this.#tokens = tokens
    this.#periodMs = periodMs
  }

  /** Until stop() is called and every ping has its response. */
  async run(): Promise<void> {
    const startMs = performance.now()
    const perMs = this.#tokens.length / this.#periodMs
    for (let sent = 0; !this.#isStopping; await delay(TICK_MS)) {
      const due = Math.floor((performance.now() - startMs) * perMs)
      for (; sent < due && this.#open < MOST_AT_ONCE; sent++) void this.#ping(sent)
    }
    while (this.#open > 0) await delay(TICK_MS)
  }

  stop(): void {
    this.#isStopping = true
  }

  async #ping(sent: number): Promise<void> {
    this.#open += 1
    try {
      const token = this.#tokens[sent % this.#tokens.length] ?? ''
      const response = await fetch(`${this.#baseUrl}/hb/${token}`, { method: 'POST' })
      await response.text()
      if (response.ok) this.answered += 1
      else this.failed += 1
    } catch {
      this.failed += 1
    } finally {
      this.#open -= 1
    }
  }
}
