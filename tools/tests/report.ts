// Prints what ran, why it failed, and what it cost.
import type { TaskResult } from './run-task.ts'
import type { Task } from './schedule.ts'
import { type Cost, findSlower, type SuiteCost, type Times } from './times.ts'

export type Done = { task: Task; result: TaskResult }

const SHOWN_FILES = 30

const FAILURES = '✖ failing tests:'

/** What the reporter lists at the end, or everything if the process ended before that. */
function failures(output: string): string {
  const start = output.lastIndexOf(FAILURES)
  return start === -1 ? output : output.slice(start)
}

// What the reporter itself counts is in our own table.
const FIGURE = /^ *ℹ (?!(?:tests|suites|pass|fail|cancel\w+|skipped|todo|duration_ms) \d)(.+)$/gm

/** A line for a task, the failures of one that failed, and, for people who run one by hand, the figures it printed. */
export function printTask({ suite, files }: Task, result: TaskResult): void {
  const { passed, skipped } = count(result)
  const name = files.length === 1 ? files[0] : `${files.length} files`
  const skips = skipped > 0 ? `, ${skipped} skipped` : ''
  const stalled = result.stalledMs > 0 ? `, ${describeStall(result)}` : ''
  const cost = `${passed} passed${skips}, ${text(result)}${stalled}`
  if (!result.isGood) console.log(`\n${failures(result.output)}`)
  console.log(`${result.isGood ? 'ok    ' : 'FAILED'} ${suite}: ${name} (${cost})`)
  if (process.env['CI'] === undefined)
    for (const figure of figuresOf(result.output)) console.log(`       ${figure}`)
}

export const describeStall = ({ stalledMs }: TaskResult): string =>
  `the machine stood still for ${(stalledMs / 1000).toFixed(1)} s`

const figuresOf = (output: string): Set<string> =>
  new Set([...output.matchAll(FIGURE)].map(([, figure = '']) => figure))

export function sumUp(done: readonly Done[]): Times {
  const suites: Times['suites'] = {}
  const files: Times['files'] = {}
  for (const { task, result } of done) {
    const before = suites[task.suite]
    suites[task.suite] = before === undefined ? toSuite(result) : add(before, toSuite(result))
    for (const [file, share] of sharesOf(task, result))
      files[file] = {
        wallSeconds: rounded(result.wallSeconds * share),
        cpuSeconds: rounded(result.cpuSeconds * share),
      }
  }
  return { suites, files }
}

/** Of files that share a process, only the duration of their tests is known; of tests that a helper defines, not even
 * the file: they count for all files that have no others. */
function sharesOf(
  { files }: Task,
  { files: results }: TaskResult,
): [file: string, share: number][] {
  const total = results.reduce((sum, { ms }) => sum + ms, 0)
  const msOf = (file: string) => results.find((each) => each.file === file)?.ms
  const unknown = files.filter((file) => msOf(file) === undefined)
  const known = files.reduce((sum, file) => sum + (msOf(file) ?? 0), 0)
  if (files.length === 1 || total === 0) return files.map((file) => [file, 1 / files.length])
  return files.map((file) => [file, (msOf(file) ?? (total - known) / unknown.length) / total])
}

function toSuite(result: TaskResult): SuiteCost {
  const { wallSeconds, cpuSeconds } = result
  // A process that ended without a word has failed as well.
  const { passed, failed, skipped } = count(result)
  return {
    wallSeconds: rounded(wallSeconds),
    cpuSeconds,
    passed,
    failed: result.isGood ? failed : Math.max(failed, 1),
    skipped,
  }
}

function add(a: SuiteCost, b: SuiteCost): SuiteCost {
  return {
    wallSeconds: rounded(a.wallSeconds + b.wallSeconds),
    cpuSeconds: rounded(a.cpuSeconds + b.cpuSeconds),
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }
}

export function printSuites({ suites, files }: Times, recorded: Times): void {
  console.log(
    '\nSuite      passed  failed skipped   wall s    CPU s  (wall: the sum over its files)',
  )
  for (const [name, suite] of Object.entries(suites)) {
    const { passed, failed, skipped, wallSeconds, cpuSeconds } = suite
    const numbers = [passed, failed, skipped, wallSeconds.toFixed(0), cpuSeconds.toFixed(0)]
    console.log(`${name.padEnd(10)}${numbers.map((each) => String(each).padStart(8)).join(' ')}`)
  }
  const slowest = Object.entries(files)
    .toSorted(([, a], [, b]) => b.wallSeconds - a.wallSeconds)
    .slice(0, SHOWN_FILES)
  console.log('\nSlowest files')
  for (const [file, cost] of slowest) console.log(`  ${file}: ${text(cost)}`)
  const slower = findSlower(suites, recorded.suites)
  if (slower.length > 0) console.log(`\nMore CPU time than recorded:\n  ${slower.join('\n  ')}`)
}

function count({ files }: TaskResult) {
  const sum = (of: 'passed' | 'failed' | 'skipped') =>
    files.reduce((total, file) => total + file[of], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

const text = ({ wallSeconds, cpuSeconds }: Cost) =>
  `${wallSeconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} CPU s`
const rounded = (seconds: number) => Math.round(seconds * 10) / 10
