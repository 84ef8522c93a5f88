// Jobs that ping their heartbeat URLs, a few at a time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../kit/client.ts'
import { LOAD_MS } from './soak-monitors.ts'

const AT_ONCE = 4
const FIELDS = { type: 'CRON', name: 'cron', intervalSeconds: 60, graceSeconds: 60 }

export class Callers {
  readonly #urls: readonly string[]
  calls = 0
  failures = 0

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  static async create(api: Client, count: number): Promise<Callers> {
    const urls: string[] = []
    for (let i = 0; i < count; i++) {
      const { heartbeatUrl } = await api.createMonitor(FIELDS)
      urls.push(heartbeatUrl ?? '')
    }
    return new Callers(urls)
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
    const response = await fetch(url, { method: 'POST', body: 'done' })
    await response.text()
    this.calls += 1
    if (!response.ok) this.failures += 1
  }
}
