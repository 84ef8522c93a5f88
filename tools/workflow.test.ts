import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('the workflow runs every suite of .ci/run, and no other', () => {
  const suites = /SUITES=\(\n([\s\S]*?)\n\)/.exec(read('.ci/run'))?.[1] ?? ''
  const listed = suites.split('\n').map((line) => line.trim().replace(/:[^:]*$/, ''))
  const matrix = /suite:\n((?: {10}- \S+\n)+)/.exec(read('.github/workflows/ci.yml'))?.[1] ?? ''
  const run = [...matrix.matchAll(/- (\S+)/g)].map(([, name]) => name)
  assert.ok(listed.length > 5)
  assert.deepEqual(run, listed)
})

test('every suite of .ci/run is an npm script', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const names = [...read('.ci/run').matchAll(/^ {2}((?:verify|test):?[a-z]*):[a-z+-]+$/gm)]
  assert.ok(names.length > 5)
  for (const [, name = ''] of names) assert.ok(scripts[name], name)
})

test('npm run long runs files that exist', () => {
  const paths = [
    ...read('tools/long.ts').matchAll(/'((?:tools|test|benchmarks|bench)\/[^']+\.ts)'/g),
  ]
  assert.ok(paths.length > 5)
  for (const [, path = ''] of paths)
    assert.ok(existsSync(join(import.meta.dirname, '..', path)), path)
})

test('.ci/run prints the time of every suite', () => {
  const ci = read('.ci/run')
  const suites = /SUITES=\(\n([\s\S]*?)\n\)/.exec(ci)?.[1] ?? ''
  const budgets = new Set(suites.split('\n').map((line) => line.slice(line.lastIndexOf(':') + 1)))
  const printed = /for budget in ([^;]+);/.exec(ci)?.[1]?.split(' ')
  assert.ok(budgets.size > 5)
  assert.deepEqual(printed, ['install', ...budgets])
})
