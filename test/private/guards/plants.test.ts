import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PLANTS } from './plants.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every guard of the list is where the list says, and so are its tests', () => {
  for (const { guard, edits, tests } of PLANTS) {
    for (const { file, from } of edits)
      assert.equal(readFileSync(join(ROOT, file), 'utf8').split(from).length, 2, guard)
    for (const file of tests) assert.ok(existsSync(join(ROOT, file)), file)
  }
  assert.equal(new Set(PLANTS.map(({ guard }) => guard)).size, PLANTS.length)
})
