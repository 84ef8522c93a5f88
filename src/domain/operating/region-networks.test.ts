import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movedRegions } from './region-networks.ts'

const HOUR = 3_600_000
const NOW = new Date('2026-06-01T12:00:00Z')
const HALF_DAY = -12
const WEEK = -168

/** `known`: networks of the region, with the hour when each was first seen, before now. */
function isMoved(known: Record<string, number>, announced: readonly string[]): boolean {
  const rows = Object.entries(known).map(([network, hours]) => ({
    region: 'eu',
    network,
    firstSeenAt: new Date(NOW.getTime() + hours * HOUR),
  }))
  return movedRegions(rows, new Map([['eu', new Set(announced)]]), NOW).includes('eu')
}

// biome-ignore format: a table is read by its columns
const rows: [why: string, known: Record<string, number>, announced: string[], moved: boolean][] = [
  ['a new region',                             { a: HALF_DAY },             ['a'],      false],
  ['several networks at once',                 { a: HALF_DAY, b: HALF_DAY }, ['a', 'b'], false],
  ['where it always was',                      { a: WEEK },                 ['a'],      false],
  ['from another network',                     { a: WEEK, b: HALF_DAY },    ['b'],      true],
  ['from two others',                          { a: WEEK, b: HALF_DAY, c: HALF_DAY }, ['b', 'c'], true],
  ['one of its networks is still there',       { a: WEEK, b: HALF_DAY },    ['a', 'b'], false],
  ['at the other place for more than a day',   { a: WEEK, b: -25 },         ['b'],      false],
  ['back where it was',                        { a: WEEK, b: HALF_DAY },    ['a'],      false],
  ['a probe that announces none',              { a: WEEK },                 [],         false],
  ['not recorded yet',                         { a: WEEK },                 ['b'],      false],
]
for (const [why, known, announced, moved] of rows)
  test(`a region name stands for one place: ${why}`, () => {
    assert.equal(isMoved(known, announced), moved)
  })

test('networks of one region say nothing about another', () => {
  const firstSeenAt = new Date(NOW.getTime() + WEEK * HOUR)
  const known = [
    { region: 'us', network: 'a', firstSeenAt },
    { region: 'eu', network: 'b', firstSeenAt: NOW },
  ]
  assert.deepEqual(movedRegions(known, new Map([['eu', new Set(['b'])]]), NOW), [])
})
