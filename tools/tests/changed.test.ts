import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  estimateSeconds,
  filesUsedBy,
  fitIntoTime,
  isNamed,
  selectTests,
  type TestFile,
  toCommand,
} from './changed.ts'
import { FOLDER_TESTS } from './folder-tests.ts'
import { filesOf, SUITES } from './suites.ts'
import { costOf } from './times.ts'

const ROOT = join(import.meta.dirname, '../..')

const TESTS: TestFile[] = [
  { suite: 'unit', file: 'src/domain/rule.test.ts' },
  { suite: 'unit', file: 'src/other.test.ts' },
  { suite: 'db', file: 'src/store/near.db.test.ts' },
  { suite: 'db', file: 'src/store/far.db.test.ts' },
  { suite: 'contract', file: 'test/contract/rule.test.ts' },
  { suite: 'contract', file: 'test/contract/other.test.ts' },
  { suite: 'e2e', file: 'test/e2e/checks/a.test.ts' },
]
const USES = new Map([
  ['src/domain/rule.test.ts', ['src/domain/rule.ts']],
  ['src/store/near.db.test.ts', ['src/domain/rule.ts']],
  ['src/store/a.ts', ['src/domain/rule.ts']],
  ['src/store/b.ts', ['src/store/a.ts']],
  ['src/store/far.db.test.ts', ['src/store/b.ts']],
  ['test/contract/rule.test.ts', ['test/kit/client.ts']],
])
const TABLE = {
  'src/': { run: ['test/contract/rule'], ci: ['contract', 'e2e'] },
  'src/notes/': { run: [] },
  'test/': { run: [] },
}

const select = (...changed: string[]) => {
  const { must, may, ci, unreached } = selectTests(changed, TESTS, USES, TABLE)
  const files = (some: TestFile[]) => some.map(({ file }) => file)
  return { must: files(must), may: files(may), ci: files(ci), unreached }
}

test('a module uses what it imports, reads and starts, but not types and not the product', () => {
  const text = `import type { A } from './a.ts'
import { b, type C } from '../b.ts'
import './d.css'
import pg from 'pg'
const { e } = await import('./e.ts')
const WORKER = join(import.meta.dirname, '../worker.ts')
const GUIDE = new URL('../../docs/cli.md', import.meta.url)
const SAMPLE = join(ROOT, 'deploy/example.env')
const MAIN = join(import.meta.dirname, '../main.ts')
`
  assert.deepEqual(filesUsedBy('src/x/y.ts', text), [
    'src/b.ts',
    'src/x/d.css',
    'src/x/e.ts',
    'src/worker.ts',
    'docs/cli.md',
    'deploy/example.env',
  ])
})

test('tests one import away come first, then those of the table, then those further away', () => {
  assert.deepEqual(select('src/domain/rule.ts'), {
    must: ['src/domain/rule.test.ts'],
    may: ['src/store/near.db.test.ts', 'test/contract/rule.test.ts', 'src/store/far.db.test.ts'],
    ci: ['test/contract/other.test.ts', 'test/e2e/checks/a.test.ts'],
    unreached: [],
  })
})

test('a changed test is always run, and a helper selects the tests that import it', () => {
  const { must, may } = select('test/e2e/checks/a.test.ts', 'test/kit/client.ts')
  assert.deepEqual(must, ['test/e2e/checks/a.test.ts'])
  assert.deepEqual(may, ['test/contract/rule.test.ts'])
})

test('a file in no row selects everything; one that no test reaches is named', () => {
  const { must, may } = select('package.json')
  assert.equal(must.length + may.length, TESTS.length)
  assert.deepEqual(select('src/notes/a.txt', 'src/domain/rule.ts').unreached, ['src/notes/a.txt'])
})

test('what does not fit into the time is left, never dropped', () => {
  const selection = selectTests(['src/domain/rule.ts'], TESTS, USES, TABLE)
  const { run, left } = fitIntoTime(selection, {
    seconds: 20,
    processors: 2,
    costOf: ({ suite }) =>
      suite === 'contract' ? { wallSeconds: 30, cpuSeconds: 5 } : { wallSeconds: 5, cpuSeconds: 5 },
  })
  assert.deepEqual(
    run.map(({ suite }) => suite),
    ['unit', 'db', 'db'],
  )
  assert.deepEqual(
    left.map(({ suite }) => suite),
    ['contract', 'contract', 'e2e'],
  )
  const { must, may, ci } = selection
  assert.equal(run.length + left.length, must.length + may.length + ci.length)
})

test('the estimate is bounded by processors and by the longest file', () => {
  const files = {
    long: { wallSeconds: 40, cpuSeconds: 2 },
    busy: { wallSeconds: 30, cpuSeconds: 60 },
  }
  const estimate = (...names: string[]) =>
    estimateSeconds(
      names.map((file) => ({ suite: 'e2e', file })),
      { processors: 2, costOf: ({ suite, file }) => costOf(suite, file, { suites: {}, files }) },
    )
  assert.equal(estimate('long'), 40)
  assert.equal(estimate('long', 'busy', 'busy'), 61)
  assert.equal(estimate('unknown'), 60)
  assert.equal(estimate(), 0)
})

test('a command names whole folders, and the suite if most of it is left', () => {
  const files = ['test/e2e/a/1.test.ts', 'test/e2e/a/2.test.ts', 'test/e2e/b/1.test.ts']
  const more = ['test/e2e/b/2.test.ts', 'test/e2e/c/1.test.ts', 'test/e2e/c/2.test.ts']
  const tests = [...files, ...more].map((file) => ({ suite: 'e2e', file }))
  assert.equal(
    toCommand('e2e', tests.slice(0, 3), tests),
    'npm run test:e2e -- test/e2e/a/ test/e2e/b/1.test.ts',
  )
  assert.equal(toCommand('e2e', tests.slice(0, 4), tests), 'npm run test:e2e')
})

test('every row of the table is a place that exists, and every name in it selects a test', () => {
  const tests = Object.keys(SUITES).flatMap((suite) =>
    filesOf(suite).map((file) => ({ suite, file })),
  )
  // A noun need not have a folder in each of the three rooms.
  const places = Object.keys(FOLDER_TESTS).map((start) =>
    start.replace(/^src\/(?:actions|domain|store)\//, 'src/{actions,domain,store}/'),
  )
  assert.deepEqual(
    places.filter((place) => globSync(`${place}*`, { cwd: ROOT }).length === 0),
    [],
  )
  const names = new Set(Object.values(FOLDER_TESTS).flatMap(({ run, ci = [] }) => [...run, ...ci]))
  assert.deepEqual(
    [...names].filter((name) => !tests.some((each) => isNamed(each, name))),
    [],
  )
})

test('a whole path selects only that file', () => {
  const file = 'tools/tests/changed.test.ts'
  assert.ok(existsSync(join(ROOT, file)))
  assert.deepEqual(filesOf('unit', [file]), [file])
})
