import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closestTo } from './closest.ts'

const WORDS = ['status', 'monitors', 'type', 'timeoutSeconds', 'url']

// biome-ignore format: a table
const ROWS: [given: string, meant: string | undefined][] = [
  ['statsu', 'status'],
  ['tpye', 'type'],
  ['TYPE', 'type'],
  ['monitor', 'monitors'],
  ['timeoutSecond', 'timeoutSeconds'],
  ['uri', 'url'],
  ['sing', undefined],
  ['', undefined],
  ['x'.repeat(1000), undefined],
]
for (const [given, meant] of ROWS)
  test(`closestTo: ${given.slice(0, 20)}`, () => {
    assert.equal(closestTo(given, WORDS), meant)
  })
