// `npm run test:changed` runs the tests that uncommitted changes can reach, in about two minutes, and lists what it leaves
// to CI. `-- --base main` takes everything since a commit, `-- --list` only prints.
import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readSources } from './exports/modules.ts'
import {
  type Budget,
  estimateSeconds,
  filesUsedBy,
  fitIntoTime,
  selectTests,
  type TestFile,
  toCommand,
} from './tests/changed.ts'
import { FOLDER_TESTS } from './tests/folder-tests.ts'
import { filesOf, SUITES } from './tests/suites.ts'
import { costOf, readRecorded } from './tests/times.ts'

const RUN_TESTS = join(import.meta.dirname, 'run-tests.ts')
const SHOWN_CHANGES = 20

const { values } = parseArgs({
  options: { base: { type: 'string', default: 'HEAD' }, list: { type: 'boolean', default: false } },
})
process.chdir(join(import.meta.dirname, '..'))
const recorded = readRecorded()
const budget: Budget = {
  seconds: 120,
  processors: availableParallelism(),
  costOf: ({ suite, file }) => costOf(suite, file, recorded),
}
const tests = Object.keys(SUITES).flatMap((suite) =>
  filesOf(suite).map((file) => ({ suite, file })),
)

const changed = findChanged(values.base)
const uses = new Map([...readSources()].map(([file, text]) => [file, filesUsedBy(file, text)]))
const selection = selectTests(changed, tests, uses, FOLDER_TESTS)
const { run, left } = fitIntoTime(selection, budget)

printSome('Changed files:', changed)
printSome('No test reaches these:', selection.unreached)
if (changed.length === 0) console.log(`Nothing changed since ${values.base}.`)
else if (run.length === 0) console.log('\nNo test was selected.')
else printRun()
if (values.list || run.length === 0) printLeft()
else {
  const suites = [...new Set(run.map(({ suite }) => suite))].join('+')
  const files = new Set(run.map(({ file }) => file))
  const args = [RUN_TESTS, suites, ...files]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  printLeft()
  process.exitCode = status ?? 1
}

/** Renamed files by both names, and new ones that git does not know yet. */
function findChanged(base: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\0').filter(Boolean)
  const known = git('diff', '--name-only', '--no-renames', '-z', base, '--')
  const added = git('ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set([...known, ...added])].toSorted()
}

function printSome(title: string, files: readonly string[]): void {
  if (files.length === 0) return
  console.log(`\n${title}`)
  for (const file of files.slice(0, SHOWN_CHANGES)) console.log(`  ${file}`)
  if (files.length > SHOWN_CHANGES) console.log(`  and ${files.length - SHOWN_CHANGES} more`)
}

function printRun(): void {
  const seconds = Math.ceil(estimateSeconds(run, budget))
  const unknown = run.filter(({ suite, file }) => suite !== 'unit' && !recorded.files[file]).length
  const guess = unknown > 0 ? `; ${unknown} were never measured and count as long` : ''
  console.log(`\nTest files: ${run.length}, about ${seconds} s${guess}`)
  for (const [suite, some] of Map.groupBy(run, ({ suite: name }) => name))
    console.log(`  ${suite}:${values.list ? listed(some) : ` ${some.length}`}`)
}

function listed(some: readonly TestFile[]): string {
  return some.map(({ file }) => `\n    ${file}`).join('')
}

function printLeft(): void {
  if (left.length === 0) return
  console.log(`\nLeft to CI, because it takes longer. The change can also reach:`)
  for (const [suite, some] of Map.groupBy(left, ({ suite: name }) => name))
    console.log(`  ${toCommand(suite, some, tests)}  (${describe(suite, some)})`)
}

function describe(suite: string, some: readonly TestFile[]): string {
  const all = tests.filter((test) => test.suite === suite).length
  const minutes = Math.ceil(estimateSeconds(some, budget) / 60)
  return `${some.length} of ${all} files, about ${minutes} min`
}
