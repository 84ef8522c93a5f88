// Loaded into a process of the product with --import: measures what stalls its event loop. SIGUSR2 starts the
// measurement again; at the end of the process the figures are written to BENCH_STALLS_FILE.
import { writeFileSync } from 'node:fs'
import {
  constants,
  monitorEventLoopDelay,
  type PerformanceNodeEntry,
  PerformanceObserver,
} from 'node:perf_hooks'
import { percentile } from './harness.ts'

/** In milliseconds. */
export type Stalls = {
  delay: { p50: number; p99: number; max: number }
  /** Pauses of garbage collection by kind. */
  collections: Record<string, { count: number; totalMs: number; p99Ms: number; maxMs: number }>
}

const RESOLUTION_MS = 1
const NANOS_PER_MS = 1e6
const KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak callbacks',
}

const file = process.env['BENCH_STALLS_FILE']
if (file !== undefined) watchStalls(file)

function watchStalls(path: string): void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let pauses: { kind: string; ms: number }[] = []
  delays.enable()
  const observer = new PerformanceObserver((list) => {
    // Safe because only these are observed.
    for (const { detail, duration: ms } of list.getEntries() as PerformanceNodeEntry[]) {
      const { kind } = detail as { kind: number }
      pauses.push({ kind: KINDS[kind] ?? String(kind), ms })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  process.on('SIGUSR2', () => {
    delays.reset()
    pauses = []
  })
  process.on('exit', () => {
    const ms = (nanos: number) => nanos / NANOS_PER_MS
    const stalls: Stalls = {
      delay: {
        p50: ms(delays.percentile(50)),
        p99: ms(delays.percentile(99)),
        max: ms(delays.max),
      },
      collections: Object.fromEntries(
        [...Map.groupBy(pauses, ({ kind }) => kind)].map(([kind, own]) => [kind, summaryOf(own)]),
      ),
    }
    writeFileSync(path, JSON.stringify(stalls))
  })
}

function summaryOf(pauses: readonly { ms: number }[]) {
  const all = pauses.map(({ ms }) => ms)
  return {
    count: all.length,
    totalMs: all.reduce((sum, ms) => sum + ms, 0),
    p99Ms: percentile(all, 0.99),
    maxMs: percentile(all, 1),
  }
}
