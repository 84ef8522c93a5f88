// Runs the files of one task with node --test, and measures them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPILE_CACHE } from '../compile-cache.ts'
import { watchStalls } from './stalls.ts'
import type { Cost } from './times.ts'

export type FileResult = {
  file: string
  passed: number
  failed: number
  skipped: number
  ms: number
}
export type TaskResult = Cost & {
  isGood: boolean
  output: string
  files: FileResult[]
  /** How long the machine stood still at most while it ran. */
  stalledMs: number
}

const REPORTER = join(import.meta.dirname, 'file-times-reporter.ts')
// Only a shell knows how much CPU time a process and everything it waited for have used.
const MEASURED = 'TIMEFORMAT="%R %U %S"; { time "$@" 2>&3; } 3>&2 2>"$TASK_TIMES"'

const running = new Set<number>()
const longestStallSince = watchStalls()

type TaskOptions = {
  timeoutSeconds: number
  env: Record<string, string>
}

export async function runTask(
  files: readonly string[],
  { timeoutSeconds, env }: TaskOptions,
): Promise<TaskResult> {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-tests-'))
  const [times, counts] = [join(directory, 'times'), join(directory, 'counts')]
  const args = argumentsOf(files, timeoutSeconds, counts)
  const startedMs = performance.now()
  const child = spawn('bash', ['-c', MEASURED, 'bash', process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...COMPILE_CACHE, ...env, TASK_TIMES: times },
    // Its own process group, so that all of it can be stopped.
    detached: true,
  })
  const { pid = 0 } = child
  running.add(pid)
  // A test process that never exits must not block the ones after it. A long one that continues to print is left alone.
  const watchdog = setTimeout(() => stopGroup(pid), 3 * timeoutSeconds * 1000)
  let output = ''
  const keep = (chunk: Buffer) => {
    watchdog.refresh()
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(watchdog)
  running.delete(pid)
  const results = readCounts(counts)
  const result = {
    // A process that ends in the middle of a test can end without an error.
    isGood: code === 0 && results.length > 0,
    output,
    files: results,
    stalledMs: longestStallSince(startedMs),
    ...readCost(times),
  }
  rmSync(directory, { recursive: true })
  return result
}

function argumentsOf(files: readonly string[], timeoutSeconds: number, counts: string): string[] {
  return [
    '--test',
    // Without a process for each file beside the runner's: starting Node costs as much as a small file.
    '--test-isolation=none',
    '--test-concurrency=1',
    `--test-timeout=${timeoutSeconds * 1000}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${REPORTER}`,
    `--test-reporter-destination=${counts}`,
    ...files,
  ]
}

export function stopAll(): void {
  for (const pid of running) stopGroup(pid)
}

function stopGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has exited.
  }
}

/** Empty if the process was killed. */
function readCounts(path: string): FileResult[] {
  return readText(path)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FileResult)
}

function readCost(path: string): Cost {
  // What bash itself reports, such as a killed process, comes before the line of times.
  const [wall = 0, user = 0, system = 0] = (readText(path).trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number)
  return { wallSeconds: wall, cpuSeconds: Number((user + system).toFixed(1)) }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
