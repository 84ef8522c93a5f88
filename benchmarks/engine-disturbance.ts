// Switches of the engine's benchmarks: other work beside what is measured (--beside), and what stalls it (--stalls).
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pidOf, TESTED_CORE } from './engine-kit.ts'
import type { GoalRow } from './engine-report.ts'
import type { Stalls } from './engine-stalls.ts'
import { pin } from './machine.ts'

const DEFAULT_BURST_MS = '30'

type Beside = { text: string; stop(): void }

/** `written`: `SHARE` or `SHARE:BURST_MS`, such as `0.03` or `0.3:5`; undefined for nothing. */
export async function startBeside(written: string | undefined): Promise<Beside> {
  if (written === undefined) return { text: 'nothing', stop: () => {} }
  const [share = '', burstMs = DEFAULT_BURST_MS] = written.split(':')
  if (!(Number(share) > 0 && Number(share) < 1 && Number(burstMs) >= 1))
    throw new RangeError('--beside is SHARE or SHARE:BURST_MS, such as 0.03:30')
  const child = fork(join(import.meta.dirname, 'engine-beside.ts'), [share, burstMs])
  pin(pidOf(child), TESTED_CORE)
  const [{ isFirst }] = (await once(child, 'message')) as [{ isFirst: boolean }]
  const priority = isFirst ? 'before everything else' : 'with the usual priority'
  return {
    text: `${Number(share) * 100} % of its core, in bursts of ${burstMs} ms, ${priority}`,
    stop() {
      if (child.connected) child.disconnect()
    },
  }
}

/** What stalls one process of the product. */
export class StallReader {
  readonly #directory = mkdtempSync(join(tmpdir(), 'upvane-stalls-'))
  readonly #file = join(this.#directory, 'stalls.json')

  /** For the process, which then has to be stopped before the figures are read. */
  get env(): Record<string, string> {
    const preload = pathToFileURL(join(import.meta.dirname, 'engine-stalls.ts')).href
    const given = process.env['BENCH_NODE_OPTIONS'] ?? ''
    return { NODE_OPTIONS: `${given} --import=${preload}`.trim(), BENCH_STALLS_FILE: this.#file }
  }

  /** Forgets what was measured so far. */
  restart(pid: number): void {
    process.kill(pid, 'SIGUSR2')
  }

  read(): Stalls {
    const stalls = JSON.parse(readFileSync(this.#file, 'utf8')) as Stalls
    rmSync(this.#directory, { recursive: true })
    return stalls
  }
}

type Read = (stalls: Stalls) => number

/** Of several runs, the worst. */
export function stallRows(runs: readonly Stalls[]): GoalRow[] {
  if (runs.length === 0) return []
  const row = (measure: string, unit: string, read: Read): GoalRow => ({
    goal: '',
    measure,
    unit,
    ours: Math.max(...runs.map(read)),
  })
  const kinds = [...new Set(runs.flatMap(({ collections }) => Object.keys(collections)))]
  return [
    row('loop delay p50', 'ms', ({ delay }) => delay.p50),
    row('loop delay p99', 'ms', ({ delay }) => delay.p99),
    row('loop delay max', 'ms', ({ delay }) => delay.max),
    ...kinds.flatMap((kind) => [
      row(`GC ${kind}, count`, '', ({ collections }) => collections[kind]?.count ?? 0),
      row(`GC ${kind}, in all`, 'ms', ({ collections }) => collections[kind]?.totalMs ?? 0),
      row(`GC ${kind}, p99`, 'ms', ({ collections }) => collections[kind]?.p99Ms ?? 0),
      row(`GC ${kind}, max`, 'ms', ({ collections }) => collections[kind]?.maxMs ?? 0),
    ]),
  ]
}
