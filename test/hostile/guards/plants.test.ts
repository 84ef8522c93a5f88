import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { BY_DAY, KINDS } from '../../../tools/storage-table.ts'
import { PLANTS } from './plants.ts'

/** Some tests are named by the tables of storage. */
const namesIn = (file: string): string =>
  [readFileSync(join(ROOT, file), 'utf8'), ...STORED].join('\n').replaceAll(/^test\(['"`]/gm, '')

const STORED = [...Object.values(KINDS), ...Object.values(BY_DAY)].map(({ what }) => what)
const ROOT = join(import.meta.dirname, '../../..')

test('every guard between organizations is where the list says, and so is its attack', () => {
  for (const { guard, edits, tests, only = '' } of PLANTS) {
    for (const { file, from } of edits)
      assert.equal(readFileSync(join(ROOT, file), 'utf8').split(from).length, 2, guard)
    for (const file of tests) {
      assert.ok(existsSync(join(ROOT, file)), file)
      assert.match(namesIn(file), new RegExp(only, 'm'), guard)
    }
  }
  assert.equal(new Set(PLANTS.map(({ guard }) => guard)).size, PLANTS.length)
})
