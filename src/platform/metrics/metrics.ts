// Metrics for operators. Names follow Prometheus conventions: base units, and `_total` on counters.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { processMetrics } from './process-metrics.ts'

type PoolStats = { open: number; idle: number; waiting: number; max: number }

const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(version: string) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'upvane_' })
  new Gauge({
    name: 'upvane_build_info',
    help: 'Always 1; the labels say which version runs on which Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1)
  const requestSeconds = new Histogram({
    name: 'upvane_api_request_seconds',
    help: 'Time from request to answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: LATENCY_BUCKETS_SECONDS,
    registers: [registry],
  })
  const forwardedForIgnored = new Counter({
    name: 'upvane_forwarded_for_ignored_total',
    help: 'Requests whose X-Forwarded-For came from an address that is not in TRUSTED_PROXIES.',
    registers: [registry],
  })
  const connectionsRefused = new Counter({
    name: 'upvane_connections_refused_total',
    help: 'Connections that were closed at once, by limit: PROCESS or NETWORK.',
    labelNames: ['limit'],
    registers: [registry],
  })
  return {
    registry,
    requestSeconds,
    forwardedForIgnored,
    connectionsRefused,
    ...processMetrics(registry),
    ...poolMetrics(registry),
    ...writeMetrics(registry),
  }
}

function writeMetrics(registry: Registry) {
  const refused = new Counter({
    name: 'upvane_database_writes_refused_total',
    help: 'Writes that PostgreSQL could not do, by its code: 53100 disk full, 58030 disk broken, 25006 read-only.',
    labelNames: ['code'],
    registers: [registry],
  })
  let last: { code: string; atMs: number } | undefined
  return {
    writeRefused(code: string): void {
      refused.inc({ code })
      last = { code, atMs: performance.now() }
    },
    /** The last refusal within this many milliseconds. */
    recentRefusal: (withinMs: number): string | undefined =>
      last !== undefined && performance.now() - last.atMs < withinMs ? last.code : undefined,
  }
}

function poolMetrics(registry: Registry) {
  const pools: (() => PoolStats)[] = []
  const show = (name: string, help: string, stats: () => Record<string, number>) => {
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers: [registry],
      collect() {
        for (const [state, count] of Object.entries(stats())) this.set({ state }, count)
      },
    })
  }
  return {
    /** Exposes a pool's connections; read on each scrape, not on a timer. */
    watchPool(name: string, stats: () => PoolStats): void {
      pools.push(stats)
      const help = `Connections of the ${name} pool, how many it may have, and requests waiting for one.`
      show(`upvane_database_${name}_connections`, help, stats)
    },
    /** Exposes what waits for its share of a pool. */
    watchQueue(name: string, stats: () => Record<string, number>): void {
      const help = `Statements and transactions for the ${name} pool that run or wait, and of how many keys.`
      show(`upvane_database_${name}_queue`, help, stats)
    },
    /** The most connections that all pools of this process may open together. */
    maxPoolConnections: () => pools.reduce((sum, stats) => sum + stats().max, 0),
  }
}
