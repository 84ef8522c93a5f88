// The same requests to the API of a small and of the large database in turn, for as long as the run takes. Times are
// kept by phase, so that a phase of the large database is compared with the same minutes of the small one.
import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../../tools/stack.ts'
import { percentile } from '../harness.ts'
import { type Load, requestText } from '../load.ts'

const OPERATIONS = ['list', 'list, offset 50', 'get', 'patch'] as const
const CONCURRENCY = 4
const REQUESTS = 20
const PAUSE_MS = 2000
const MONITORS = 90
// A percentile of fewer says nothing.
const FEWEST_TIMES = 60

type ApiPhase = 'warm-up' | 'steady' | 'recovery' | 'bulk pause' | 'deletion'
type Operation = (typeof OPERATIONS)[number]
type Side = { name: string; port: number; key: string; monitors: string[] }
type ApiFigure = {
  phase: ApiPhase
  operation: Operation
  on: string
  p50: number
  p95: number
  smallP95: number
  count: number
}

export class ApiTurns {
  readonly #load: Load
  readonly #small: Side
  readonly #large: readonly Side[]
  readonly #times = new Map<string, number[]>()
  readonly failures: string[] = []
  phase: ApiPhase = 'warm-up'
  #isStopping = false

  constructor(load: Load, small: Side, large: readonly Side[]) {
    this.#load = load
    this.#small = small
    this.#large = large
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      for (const operation of OPERATIONS)
        for (const side of [this.#small, ...this.#large]) await this.#measure(side, operation)
      await delay(PAUSE_MS)
    }
  }

  stop(): void {
    this.#isStopping = true
  }

  figures(): ApiFigure[] {
    const phases: ApiPhase[] = ['steady', 'recovery', 'bulk pause', 'deletion']
    return phases.flatMap((phase) =>
      OPERATIONS.flatMap((operation) =>
        this.#large.flatMap(({ name }) => this.#figure(phase, operation, name)),
      ),
    )
  }

  #figure(phase: ApiPhase, operation: Operation, on: string): ApiFigure[] {
    const times = this.#times.get(keyOf(phase, operation, on)) ?? []
    const small = this.#times.get(keyOf(phase, operation, this.#small.name)) ?? []
    if (times.length < FEWEST_TIMES || small.length < FEWEST_TIMES) return []
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
    const smallP95 = percentile(small, 0.95)
    return [{ phase, operation, on, p50, p95, smallP95, count: times.length }]
  }

  async #measure(side: Side, operation: Operation): Promise<void> {
    // A turn that begins in one phase and ends in the next belongs to the first.
    const key = keyOf(this.phase, operation, side.name)
    const job = { port: side.port, requests: requestsOf(side, operation), concurrency: CONCURRENCY }
    try {
      const times = await this.#load.run({ ...job, count: REQUESTS, expectedStatus: 200 })
      this.#times.set(key, [...(this.#times.get(key) ?? []), ...times])
    } catch (error) {
      this.failures.push(`${key}: ${String(error)}`)
    }
  }
}

const keyOf = (phase: ApiPhase, operation: Operation, side: string) =>
  `${phase}|${operation}|${side}`

/** The organization's first monitors. */
export async function openSide(name: string, api: Service, key: string): Promise<Side> {
  const headers = { 'X-API-Key': key }
  const response = await fetch(`${api.baseUrl}/api/v1/monitors?limit=${MONITORS}`, { headers })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return { name, port: Number(new URL(api.baseUrl).port), key, monitors: data.map(({ id }) => id) }
}

/** Monitors of an organization that has none, through the API. */
export async function createMonitors(
  load: Load,
  api: Service,
  key: string,
  url: string,
): Promise<void> {
  const body = { name: 'Made for the API', type: 'HTTP', url, intervalSeconds: 86_400 }
  const request = requestText('POST', '/api/v1/monitors', { key, body })
  const port = Number(new URL(api.baseUrl).port)
  const job = { port, requests: [request], concurrency: CONCURRENCY }
  await load.run({ ...job, count: MONITORS, expectedStatus: 201 })
}

function requestsOf({ key, monitors }: Side, operation: Operation): string[] {
  const path = '/api/v1/monitors'
  switch (operation) {
    case 'list':
      return [requestText('GET', `${path}?limit=25`, { key })]
    case 'list, offset 50':
      return [requestText('GET', `${path}?limit=25&offset=50`, { key })]
    case 'get':
      return monitors.map((id) => requestText('GET', `${path}/${id}`, { key }))
    case 'patch':
      // Neither the schedule nor what is checked changes.
      return monitors.map((id, i) =>
        requestText('PATCH', `${path}/${id}`, { key, body: { degradedSamples: 3 + (i % 5) } }),
      )
  }
}
