import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CANDIDATES, PLANTS } from './plants.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every bug for the simulator still has its place in the product', () => {
  const plants = [...PLANTS, ...CANDIDATES]
  const all = plants.flatMap(({ changes, ...rest }) => changes.map((one) => ({ ...rest, ...one })))
  for (const { bug, file, from, to } of all) {
    assert.equal(readFileSync(join(ROOT, file), 'utf8').split(from).length, 2, bug)
    assert.notEqual(from, to, bug)
  }
  assert.equal(new Set(plants.map(({ bug }) => bug)).size, plants.length)
})
