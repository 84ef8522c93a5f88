import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SUITES } from './tests/suites.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

const suites = /^SUITES=\((.*)\)$/m.exec(read('.ci/run'))?.[1]?.split(' ') ?? []

test('the workflow runs every suite of .ci/run, and no other', () => {
  const matrix = [...read('.github/workflows/ci.yml').matchAll(/- suites: (.+)$/gm)]
  const run = new Set(matrix.flatMap(([, names = '']) => names.split(' ')))
  assert.ok(suites.length > 5)
  assert.deepEqual([...run].toSorted(), ['verify', ...suites].toSorted())
})

test('the parts of a suite in the workflow add up to the whole', () => {
  const jobs = [
    ...read('.github/workflows/ci.yml').matchAll(/- suites: (.+)\n +shard: (\d)\/(\d)/g),
  ]
  assert.ok(jobs.length > 5)
  const parts = Map.groupBy(jobs, ([, names = '']) => names)
  for (const [names, rows] of parts) {
    const of = Number(rows[0]?.[3])
    const seen = rows.map(([, , nth, total]) => `${nth}/${total}`)
    const whole = Array.from({ length: of }, (_, n) => `${n + 1}/${of}`)
    assert.deepEqual(seen, whole, names)
  }
})

test('every suite of .ci/run is a suite of the runner and an npm script, and the reverse', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of suites)
    assert.equal(scripts[`test:${name}`], `node tools/run-tests.ts ${name}`)
  // Unit tests belong to verify.
  assert.deepEqual(Object.keys(SUITES).toSorted(), [...suites, 'unit'].toSorted())
})

test('npm run long runs files that exist', () => {
  const paths = [
    ...read('tools/long.ts').matchAll(/'((?:tools|test|benchmarks|bench)\/[^']+\.ts)'/g),
  ]
  assert.ok(paths.length > 5)
  for (const [, path = ''] of paths)
    assert.ok(existsSync(join(import.meta.dirname, '..', path)), path)
})

test('every checkout of a workflow has the history, which tests run earlier versions from', () => {
  for (const file of ['ci', 'nightly', 'release']) {
    const steps = read(`.github/workflows/${file}.yml`).split('- uses: actions/checkout').slice(1)
    assert.ok(steps.length > 0, file)
    for (const step of steps)
      assert.match(step, /^@[^\n]+\n +with:\n +#.*\n +fetch-depth: 0\n/, file)
  }
})

test('every night runs the long suites that no other run has, under names that npm run long knows', () => {
  const [, names = ''] = /^ +long: \[(.*)\]$/m.exec(read('.github/workflows/nightly.yml')) ?? []
  const nightly = names.split(', ')
  for (const name of [
    'fault',
    'hostile',
    'hostile-guards',
    'people-guards',
    'egress',
    'watch',
    'deploy',
  ])
    assert.ok(nightly.includes(name), name)
  const known = [...read('tools/long.ts').matchAll(/^ {2}'?([a-z-]+)'?: \{/gm)].map(
    ([, name]) => name,
  )
  for (const name of nightly) assert.ok(known.includes(name), name)
})

test('every action is pinned: a tag can be moved', () => {
  for (const file of ['ci', 'nightly', 'release']) {
    const uses = [...read(`.github/workflows/${file}.yml`).matchAll(/uses: (.+)$/gm)]
    assert.ok(uses.length > 0, file)
    for (const [, action = ''] of uses)
      assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  }
})

test('the workflow of a release signs what it builds, verifies it as others will, and only then uploads it', () => {
  const text = read('.github/workflows/release.yml')
  const steps = ['.ci/run verify', '--sign-key', 'verify-release', 'gh release create']
  const places = steps.map((step) => text.indexOf(step))
  assert.ok(places.every((place) => place > 0))
  assert.deepEqual(
    places.toSorted((a, b) => a - b),
    places,
  )
  assert.ok(!text.includes('--dry-run'))
})
