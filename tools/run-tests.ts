// Runs suites with node --test: `node tools/run-tests.ts e2e` or, with part of a path, `… e2e webhooks/kill`. Several suites
// share the machine: `… db+contract+e2e`. Fails if a suite ran no test: an empty suite proves nothing.
import { appendFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { useFastDirectory } from './tests/fast-directory.ts'
import { type Done, printSuites, printTask, sumUp } from './tests/report.ts'
import { runTask, stopAll } from './tests/run-task.ts'
import { chooseNext, halve, shard, type Task } from './tests/schedule.ts'
import { SharedServices } from './tests/shared-services.ts'
import { filesOf, SUITES } from './tests/suites.ts'
import { type Cost, costOf, readRecorded, type SuiteCost, writeTimes } from './tests/times.ts'

// More at once than processors: most tests wait half of the time.
const LIMITS = { load: availableParallelism(), tasks: 2 * availableParallelism() }

const [names = '', ...only] = process.argv.slice(2)
const recorded = readRecorded()
const suites = names.split('+')
// The large sizes of npm run long take longer than any suite may take in CI.
const longest = process.env['TEST_TIMEOUT_SECONDS']
// More failures than this are not a coincidence.
const MAX_REPEATED = 5
const done: Done[] = []
const flaky: string[] = []
const services = new SharedServices()
const diskDirectory = tmpdir()

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stopAll()
    process.exit(1)
  })
process.once('exit', stopAll)
if (suites.some((name) => name !== 'unit')) useFastDirectory()

try {
  await runAll(suites.flatMap(tasksOf))
  if (process.env['CI']) await repeatFew()
} finally {
  await services.stop()
}
const times = sumUp(done)
printSuites(times, recorded)
if (process.env['CI_TIMES_FILE']) writeTimes(process.env['CI_TIMES_FILE'], times)
const counts = process.env['TEST_COUNTS_FILE']
if (counts)
  for (const [name, suite] of Object.entries(times.suites))
    appendFileSync(counts, toLine(name, suite))
if (flaky.length > 0) console.log(`\nFLAKY, passed only when repeated:\n  ${flaky.join('\n  ')}`)
const empty = suites.filter((name) => (times.suites[name]?.passed ?? 0) === 0)
for (const name of empty) console.error(`Suite "${name}" ran no test that passed.`)
const isGood = done.every(({ result }) => result.isGood) && empty.length === 0
process.exitCode = isGood ? 0 : 1

function toLine(name: string, { passed, failed, skipped }: SuiteCost): string {
  return `${name} ${passed} ${failed} ${skipped}\n`
}

function tasksOf(name: string): Task[] {
  const files = filesOf(name, only)
  const { together, apart = [], place = 'shared' } = SUITES[name] ?? {}
  const cost = (file: string) => costOf(name, file, recorded)
  const isJoint = (file: string) => together !== undefined && !apart.includes(file)
  const joint = files.filter(isJoint)
  const own = files.filter((file) => !isJoint(file))
  const parts = together === 'halves' ? halve(joint, (file) => cost(file).wallSeconds) : [joint]
  const groups = [...own.map((file) => [file]), ...parts.filter((part) => part.length > 0)]
  const tasks = groups.map((group): Task => {
    const sum = (of: keyof Cost) => group.reduce((total, file) => total + cost(file)[of], 0)
    const seconds = sum('wallSeconds')
    return { suite: name, files: group, seconds, load: sum('cpuSeconds') / seconds || 1, place }
  })
  const [nth, of] = (process.env['TEST_SHARD'] ?? '').split('/').map(Number)
  return nth && of ? shard(tasks, { nth, of }) : tasks
}

async function runAll(tasks: readonly Task[]): Promise<void> {
  const waiting = [...tasks]
  const running = new Map<Task, Promise<void>>()
  while (waiting.length > 0 || running.size > 0) {
    const next = chooseNext(waiting, [...running.keys()], LIMITS)
    if (next === undefined) {
      await Promise.race(running.values())
      continue
    }
    waiting.splice(waiting.indexOf(next), 1)
    running.set(
      next,
      runOne(next).then(() => void running.delete(next)),
    )
  }
}

/** The few that failed once more, each on its own: docs/decisions/0016. */
async function repeatFew(): Promise<void> {
  const failed = done.filter(({ task, result }) => !result.isGood && task.suite !== 'unit')
  if (failed.length > MAX_REPEATED) return
  for (const { task, result } of failed) {
    const failing = result.files.filter((each) => each.failed > 0).map(({ file }) => file)
    const some = task.files.filter((file) => failing.includes(file))
    const files = some.length > 0 ? some : task.files
    console.log(`\n== failed, and now repeated alone: ${files.join(', ')}`)
    await runOne({ ...task, files })
    const again = done.pop()?.result
    if (!again?.isGood) continue
    result.isGood = true
    for (const each of result.files) each.failed = 0
    flaky.push(...files)
  }
}

async function runOne(task: Task): Promise<void> {
  const suite = SUITES[task.suite]
  if (suite === undefined) throw new Error(`No suite ${task.suite}.`)
  const result = await runTask(task.files, {
    timeoutSeconds: Number(longest ?? suite.timeoutSeconds),
    niceness: task.place === 'background' ? 19 : 0,
    together: task.files.length > 1 || suite.together === 'all',
    env: {
      ...(await services.environmentFor(suite)),
      ...(suite.needsDisk && { TMPDIR: diskDirectory }),
    },
  })
  done.push({ task, result })
  printTask(task, result)
}
