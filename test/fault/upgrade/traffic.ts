// Customer traffic during an upgrade: twenty requests a second, each with one correct status.
import { setTimeout as sleep } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import type { World } from '../engine/world.ts'

const REQUESTS_PER_SECOND = 20
// Callers and load balancers time out: a request that takes this long has failed.
const SLOW_MS = 5000
const TIMEOUT_MS = 20_000

export type Report = { count: number; slowestMs: number; failures: string[] }
type Request = { method: string; path: string; body?: unknown; expected: number }

export class Traffic {
  readonly #world: World
  readonly #monitorIds: string[]
  readonly #report: Report = { count: 0, slowestMs: 0, failures: [] }
  readonly #inFlight = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #loop: Promise<void>
  #created = 0

  /** `ended` stops it too, so that a failed test leaves no caller behind. */
  constructor(world: World, monitorIds: readonly string[], ended: AbortSignal) {
    this.#world = world
    this.#monitorIds = [...monitorIds]
    ended.addEventListener('abort', () => this.#stopping.abort())
    this.#loop = this.#send()
  }

  /** Waits for the responses to all requests that are in flight now. */
  async drained(): Promise<void> {
    await Promise.all(this.#inFlight)
  }

  async stop(): Promise<Report> {
    this.#stopping.abort()
    await this.#loop
    await this.drained()
    return this.#report
  }

  async #send(): Promise<void> {
    const startMs = performance.now()
    for (let n = 0; !this.#stopping.signal.aborted; n++) {
      const one = this.#sendOne(n)
      this.#inFlight.add(one)
      void one.then(() => this.#inFlight.delete(one))
      const nextMs = startMs + ((n + 1) * 1000) / REQUESTS_PER_SECOND
      await sleep(Math.max(0, nextMs - performance.now()))
    }
  }

  async #sendOne(n: number): Promise<void> {
    const { method, path, body, expected } = this.#requestOf(n)
    const startMs = performance.now()
    const outcome = await this.#statusOf(method, path, body).catch((error: Error) => error.message)
    const tookMs = performance.now() - startMs
    this.#report.count += 1
    this.#report.slowestMs = Math.max(this.#report.slowestMs, tookMs)
    const what = `${method} ${path.replace(/mon_\w+/, '{id}')}`
    if (outcome !== expected) this.#report.failures.push(`${what}: ${outcome}`)
    else if (tookMs > SLOW_MS) this.#report.failures.push(`${what}: ${Math.round(tookMs)} ms`)
  }

  #requestOf(n: number): Request {
    const id = this.#monitorIds[n % this.#monitorIds.length]
    switch (n % 10) {
      case 0:
        return { method: 'POST', path: '/monitors', body: this.#newMonitor(), expected: 201 }
      case 1:
      case 5:
        return { method: 'GET', path: '/monitors?limit=50', expected: 200 }
      case 2:
        return { method: 'PATCH', path: `/monitors/${id}`, body: { name: `N ${n}` }, expected: 200 }
      case 3:
        return { method: 'GET', path: '/incidents', expected: 200 }
      case 4:
        return { method: 'GET', path: '/webhook-endpoints', expected: 200 }
      case 6:
        return { method: 'GET', path: '/status-pages', expected: 200 }
      default:
        return { method: 'GET', path: `/monitors/${id}`, expected: 200 }
    }
  }

  #newMonitor() {
    const key = `new${this.#created++}`
    const url = this.#world.targets.urlOf(key)
    return { name: key, type: 'HTTP', url, intervalSeconds: 30, timeoutSeconds: 5 }
  }

  async #statusOf(method: string, path: string, body: unknown): Promise<number> {
    const response = await fetch(`${this.#world.baseUrl}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': this.#world.stack.keys.full, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { id?: string; name?: string }
    if (response.status === 201 && answer.id !== undefined) {
      const monitorUuid = toUuid(answer.id)
      this.#world.uuidOf.set(answer.name ?? '', monitorUuid)
      this.#world.calls.push({ operation: 'createMonitor', monitorUuid })
    }
    return response.status
  }
}
