import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PLANTS } from './plants.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every guard between organizations is where the list says, and so is its attack', () => {
  for (const { guard, edits, tests, only = '' } of PLANTS) {
    for (const { file, from } of edits)
      assert.equal(readFileSync(join(ROOT, file), 'utf8').split(from).length, 2, guard)
    for (const file of tests) {
      assert.ok(existsSync(join(ROOT, file)), file)
      assert.match(readFileSync(join(ROOT, file), 'utf8'), new RegExp(only), guard)
    }
  }
  assert.equal(new Set(PLANTS.map(({ guard }) => guard)).size, PLANTS.length)
})
