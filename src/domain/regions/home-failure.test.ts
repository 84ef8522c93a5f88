import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HomeFailure, isHomeFailing } from './home-failure.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
const FAILING: HomeFailure = { since: ago(310), triedAt: ago(5), isTried: true, checks: 3 }

// biome-ignore format: a table is read by its columns
const rows: [what: string, failure: Partial<HomeFailure>, certain: boolean][] = [
  ['five minutes, three checks, and a try that failed',  {},                                  true],
  ['many checks',                                        { checks: 900 },                     true],
  ['two checks',                                         { checks: 2 },                       false],
  ['less than five minutes',                             { since: ago(299), triedAt: ago(1) }, false],
  ['exactly five minutes',                               { since: ago(300), triedAt: NOW },   true],
  ['no try yet: home may work again, or have no probe',  { triedAt: null },                   false],
  ['a try from before it began',                         { triedAt: ago(400) },               false],
  ['a try too early to prove it',                        { triedAt: ago(200) },               false],
  ['a request that may not be tried',                    { triedAt: null, isTried: false },   true],
  ['the same, too early',                                { triedAt: null, isTried: false, since: ago(200) }, false],
]
for (const [what, fields, certain] of rows)
  test(`${what}: ${certain ? 'it fails from home' : 'not certain'}`, () =>
    assert.equal(isHomeFailing({ ...FAILING, ...fields }, NOW), certain))
