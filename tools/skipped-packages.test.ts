import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainSkippedPackages, findSkippedPackages } from './skipped-packages.ts'

const ROOT = join(import.meta.dirname, '..')
const LOCK = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
const LINUX = { platform: 'linux', arch: 'x64' }

test('a whole installation misses nothing', () => {
  assert.deepEqual(
    findSkippedPackages(LOCK, (path) => existsSync(join(ROOT, path))),
    [],
  )
})

test('the packages that an old Node made npm skip are found and explained', () => {
  const isThere = (path: string) => !path.includes('@rolldown/binding')
  const skipped = findSkippedPackages(LOCK, isThere, LINUX)
  assert.deepEqual(skipped, ['node_modules/@rolldown/binding-linux-x64-gnu'])
  const text = explainSkippedPackages(skipped, 'npm/9.2.0 node/v18.20.4 linux x64 workspaces/false')
  assert.match(text, /npm\/9\.2\.0 on node\/v18\.20\.4 left out 1 packages/)
  assert.match(text, /"npm run install:complete"/)
})

test('an installation without development packages says where the dashboard comes from', () => {
  const skipped = findSkippedPackages(LOCK, () => false, LINUX)
  assert.match(explainSkippedPackages(skipped), /without --omit=dev, or install a release archive/)
})
