// Decides which tests a change can reach, and which of them fit into the time that somebody waits for.
import { dirname, join, normalize } from 'node:path'
import { importsOf } from '../exports/imports.ts'
import type { Row } from './folder-tests.ts'
import type { Cost } from './times.ts'

/** The files that each file imports, reads or starts. */
type Uses = ReadonlyMap<string, readonly string[]>
type Table = Readonly<Record<string, Row>>
export type TestFile = { suite: string; file: string }
type Selection = {
  /** Run in any case: changed tests, and unit tests. */
  must: TestFile[]
  /** Run while there is time, the most telling first. */
  may: TestFile[]
  /** Reached as well, and left to CI. */
  ci: TestFile[]
  /** Changed files that select no test. */
  unreached: string[]
}

// A file that is named to be read or started, such as a guide or a worker, counts as imported.
const NAMED =
  /(import\.meta\.dirname|\bROOT), '([^']+\.[a-z]+)'|new URL\('([^']+)', import\.meta\.url\)/g
// Every black-box test starts it. The table says which of them matter, or each change would select all.
const PRODUCT = 'src/main.ts'
// Most tests wait half of the time, so several run on each processor.
const TASKS_ON_PROCESSOR = 3
const NEVER = Number.POSITIVE_INFINITY

/** Imports of types are left out: they do not exist when a test runs. */
export function filesUsedBy(file: string, text: string): string[] {
  const beside = (path: string) => normalize(join(dirname(file), path))
  const imported = importsOf(text)
    .filter(({ target, typesOnly }) => target.startsWith('.') && !typesOnly)
    .map(({ target }) => beside(target))
  const named = [...text.matchAll(NAMED)].map(([, from, path = '', url = path]) =>
    from === 'ROOT' ? normalize(path) : beside(url),
  )
  return [...imported, ...named.filter((path) => path !== PRODUCT)]
}

/** Every file that uses one of these, with the number of imports between them. */
function findUsers(uses: Uses, changed: readonly string[]): Map<string, number> {
  const users = new Map<string, string[]>()
  for (const [file, used] of uses)
    for (const each of used) {
      const known = users.get(each)
      if (known) known.push(file)
      else users.set(each, [file])
    }
  const found = new Map(changed.map((file) => [file, 0]))
  // Entries that are added to a Map while it is iterated are visited too: the nearest come first.
  for (const [file, distance] of found)
    for (const user of users.get(file) ?? []) if (!found.has(user)) found.set(user, distance + 1)
  return found
}

export function selectTests(
  changed: readonly string[],
  tests: readonly TestFile[],
  uses: Uses,
  table: Table,
): Selection {
  const rows = changed.map((file) => findRow(file, table, tests))
  const users = findUsers(uses, changed)
  const ranked = tests
    .map((test) => ({ test, rank: rankOf(test, users, rows) }))
    .toSorted((a, b) => a.rank - b.rank)
  const isMust = ({ test, rank }: (typeof ranked)[number]) => rank === 0 || test.suite === 'unit'
  const reached = ranked.filter(({ rank }) => rank < NEVER)
  const rest = ranked.filter(({ rank }) => rank === NEVER).map(({ test }) => test)
  return {
    must: reached.filter(isMust).map(({ test }) => test),
    may: reached.filter((each) => !isMust(each)).map(({ test }) => test),
    ci: rest.filter((test) => rows.some(({ ci = [] }) => ci.some((name) => isNamed(test, name)))),
    unreached: changed.filter((file, index) => {
      const own = findUsers(uses, [file])
      const { run = [], ci = [] } = rows[index] ?? {}
      return !tests.some(
        (test) => own.has(test.file) || [...run, ...ci].some((name) => isNamed(test, name)),
      )
    }),
  }
}

/** The longest start of its path. A file in no row can reach everything. */
function findRow(file: string, table: Table, tests: readonly TestFile[]): Row {
  const [longest] = Object.keys(table)
    .filter((start) => file.startsWith(start))
    .toSorted((a, b) => b.length - a.length)
  const row = longest === undefined ? undefined : table[longest]
  return row ?? { run: [...new Set(tests.map(({ suite }) => suite))] }
}

/** The lowest comes first: changed tests, those one import away, the first of the table, those two imports away… */
function rankOf(test: TestFile, users: ReadonlyMap<string, number>, rows: readonly Row[]): number {
  const places = rows
    .map(({ run }) => run.findIndex((name) => isNamed(test, name)))
    .filter((place) => place >= 0)
  return Math.min(users.get(test.file) ?? NEVER, ...places.map((place) => place + 1.5))
}

/** By its suite or by the start of its path. */
export function isNamed({ suite, file }: TestFile, name: string): boolean {
  return name === suite || (name.includes('/') && file.startsWith(name))
}

export type Budget = { seconds: number; processors: number; costOf: (test: TestFile) => Cost }

/** About how long they take beside each other. */
export function estimateSeconds(
  tests: readonly TestFile[],
  { processors, costOf }: Omit<Budget, 'seconds'>,
): number {
  const costs = tests.map(costOf)
  const sum = (of: keyof Cost) => costs.reduce((total, cost) => total + cost[of], 0)
  return Math.max(
    sum('cpuSeconds') / processors,
    sum('wallSeconds') / (processors * TASKS_ON_PROCESSOR),
    ...costs.map(({ wallSeconds }) => wallSeconds),
  )
}

/** One that does not fit is left, and a shorter one after it can still run. */
export function fitIntoTime(
  { must, may, ci }: Selection,
  budget: Budget,
): { run: TestFile[]; left: TestFile[] } {
  const run = [...must]
  const left: TestFile[] = []
  for (const test of may) {
    const fits = estimateSeconds([...run, test], budget) <= budget.seconds
    if (fits) run.push(test)
    else left.push(test)
  }
  return { run, left: [...left, ...ci] }
}

/** The shortest npm command that runs these files of a suite: whole folders by their name. */
export function toCommand(
  suite: string,
  some: readonly TestFile[],
  tests: readonly TestFile[],
): string {
  const files = some.map(({ file }) => file)
  const all = tests.filter((test) => test.suite === suite).map(({ file }) => file)
  // Then the others take less time than reading a list.
  if (files.length > all.length / 2) return `npm run test:${suite}`
  const wanted = new Set(files)
  const parts = files.map((file) => {
    const folders = file.split('/').slice(0, -1)
    const starts = folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/`)
    const isWhole = (start: string) =>
      all.every((each) => !each.startsWith(start) || wanted.has(each))
    return starts.find(isWhole) ?? file
  })
  return `npm run test:${suite} -- ${[...new Set(parts)].join(' ')}`
}
