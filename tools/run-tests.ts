// Runs suites with node --test: `node tools/run-tests.ts e2e` or, with part of a path, `… e2e webhooks/kill`. Several suites
// share the machine: `… db+contract+e2e`. Fails if a suite ran no test: an empty suite proves nothing.
import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { useFastDirectory } from './tests/fast-directory.ts'
import { watchMachine } from './tests/machine-load.ts'
import { repeatFew } from './tests/repeat-few.ts'
import { printSuites, sumUp } from './tests/report.ts'
import { runAll } from './tests/run-all.ts'
import { stopAll } from './tests/run-task.ts'
import { tasksOf } from './tests/tasks.ts'
import { readRecorded, writeTimes } from './tests/times.ts'

const [names = '', ...only] = process.argv.slice(2)
const suites = names.split('+')
const { TEST_SHARD: part, TEST_TIMEOUT_SECONDS, CI_TIMES_FILE, TEST_COUNTS_FILE, CI } = process.env
const recorded = readRecorded()

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    stopping.abort()
    stopAll()
  })
process.once('exit', stopAll)

const options = {
  stopping: stopping.signal,
  // The large sizes of npm run long take longer than any suite may take in CI.
  timeoutSeconds: TEST_TIMEOUT_SECONDS === undefined ? undefined : Number(TEST_TIMEOUT_SECONDS),
  diskDirectory: tmpdir(),
}
if (suites.some((name) => name !== 'unit')) useFastDirectory()
const tasks = suites.flatMap((name) => tasksOf(name, { only, part, recorded }))
const describeMachine = watchMachine()
const done = await runAll(tasks, options)
const flaky = CI ? await repeatFew(done, options) : []

const times = sumUp(done)
printSuites(times, recorded)
// The line of a run's only stage says the same.
if (new Set(tasks.map(({ place }) => place)).size > 1) console.log(`\nAll: ${describeMachine()}`)
if (CI_TIMES_FILE) writeTimes(CI_TIMES_FILE, times)
if (TEST_COUNTS_FILE)
  for (const [name, { passed, failed, skipped }] of Object.entries(times.suites))
    appendFileSync(TEST_COUNTS_FILE, `${name} ${passed} ${failed} ${skipped}\n`)
if (flaky.length > 0) console.log(`\nFLAKY, passed only when repeated:\n  ${flaky.join('\n  ')}`)
const empty = suites.filter((name) => (times.suites[name]?.passed ?? 0) === 0)
for (const name of empty) console.error(`Suite "${name}" ran no test that passed.`)
process.exitCode = done.every(({ result }) => result.isGood) && empty.length === 0 ? 0 : 1
