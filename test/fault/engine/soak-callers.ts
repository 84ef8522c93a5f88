// Jobs that ping their heartbeat URLs, a few at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../kit/client.ts'
import { LOAD_MS } from './soak-monitors.ts'

const AT_ONCE = 4
const RETRY_EVERY_MS = 1000
const TIMEOUT_MS = 10_000
const FIELDS = { type: 'CRON', name: 'cron', intervalSeconds: 60, graceSeconds: 60 }

export class Callers {
  readonly #urls: readonly string[]
  readonly #retryMs: number
  calls = 0
  /** Pings that were repeated because nobody accepted them at first. */
  repeated = 0
  failures = 0

  constructor(urls: readonly string[], retryMs: number) {
    this.#urls = urls
    this.#retryMs = retryMs
  }

  static async create(api: Client, count: number, retryMs = 0): Promise<Callers> {
    const urls: string[] = []
    for (let i = 0; i < count; i++) {
      const { heartbeatUrl } = await api.createMonitor(FIELDS)
      urls.push(heartbeatUrl ?? '')
    }
    return new Callers(urls, retryMs)
  }

  /** Each pings twice, spread over the load of the interval that began at `beginMs`. */
  async call(beginMs: number): Promise<void> {
    const urls = [...this.#urls, ...this.#urls]
    const left = urls.map((url, i) => ({ url, atMs: (i * LOAD_MS) / urls.length }))
    const worker = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await sleep(Math.max(0, beginMs + next.atMs - Date.now()))
        await this.#callOne(next.url)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }

  async #callOne(url: string): Promise<void> {
    this.calls += 1
    const giveUpMs = Date.now() + this.#retryMs
    for (let tries = 1; !(await isAccepted(url)); tries++) {
      if (Date.now() >= giveUpMs) {
        this.failures += 1
        return
      }
      if (tries === 1) this.repeated += 1
      await sleep(RETRY_EVERY_MS)
    }
  }
}

function isAccepted(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return fetch(url, { method: 'POST', body: 'done', signal }).then(
    async (response) => {
      await response.text()
      return response.ok
    },
    () => false,
  )
}
