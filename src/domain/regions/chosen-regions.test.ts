import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChosenPlace, placeOfChoice, regionProblems } from './chosen-regions.ts'
import type { RegionProof } from './reach.ts'

const NOW = new Date('2026-11-14T12:00:00.000Z')
const HOUR = 3_600_000
const ago = (ms: number) => new Date(NOW.getTime() - ms)

function proof(region: string, changes: Partial<RegionProof> = {}): RegionProof {
  const times = { passedAt: ago(HOUR), decidedAt: ago(HOUR), triedAt: null, lostAt: null }
  return { region, ...times, address: '192.0.2.7', port: 443, isPrivate: false, ...changes }
}
const PRIVATE = { address: '192.168.1.10', isPrivate: true }
const tried = (region: string) => proof(region, { passedAt: null, decidedAt: null, triedAt: NOW })

type Row = [
  why: string,
  proofs: RegionProof[],
  place: [base: string | undefined, others: string, proven: boolean],
  live?: string[],
  usual?: string,
]
// Chosen: eu, then us. Checked from ap before.
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['nothing passed anywhere: the first decides',      [],                           ['eu', '', true]],
  ['tries failed, nothing passed',                    [tried('eu'), tried('us')],   ['eu', '', true]],
  ['only the first passed',                           [proof('eu')],                ['eu', '', true]],
  ['both passed: the second confirms',                [proof('eu'), proof('us')],   ['eu', 'us', true]],
  ['others are never asked',                          [proof('eu'), proof('us'), proof('ap')], ['eu', 'us', true]],
  ['the first has no probe',                          [proof('eu'), proof('us')],   ['us', '', true],     ['us', 'ap']],
  ['none has a probe',                                [proof('eu'), proof('us')],   ['eu', '', true],     ['ap']],
  ['the first never passed: the old place decides',   [proof('ap')],                ['eu', 'ap', false]],
  ['the first never passed, the second did',          [proof('us'), proof('ap')],   ['eu', 'us', false]],
  ['the same, and the second has no probe',           [proof('us'), proof('ap')],   ['eu', 'ap', false],  ['eu', 'ap']],
  ['it fails where the second passes',                [proof('eu', { lostAt: NOW }), proof('us')], ['eu', 'us', false]],
  ['its proof is 31 days old',                        [proof('eu', { passedAt: ago(31 * 24 * HOUR) }), proof('ap')], ['eu', 'ap', false]],
  ['it was the place before, however long ago',       [proof('eu', { passedAt: ago(31 * 24 * HOUR) })], ['eu', '', true], ['eu'], 'eu'],
  ['a private target confirms in itself',             [proof('eu', PRIVATE), proof('us', { ...PRIVATE, decidedAt: null })], ['eu', '', true]],
  ['a private target, the first never passed',        [proof('ap', PRIVATE)],       ['eu', 'ap', false]],
]
for (const [why, proofs, place, live = ['eu', 'us', 'ap'], usual = 'ap'] of rows)
  test(`chosen regions: ${why}`, () => {
    const choice = { chosen: ['eu', 'us'], proofs, liveRegions: live, usual }
    const [base, others, isBaseProven] = place
    const expected: ChosenPlace = { base, others: others ? [others] : [], isBaseProven }
    assert.deepEqual(placeOfChoice(choice, NOW), expected)
  })

test('a list names known regions, each once', () => {
  const first = (...regions: string[]) => ({ regions, mode: 'FIRST' as const, downWhen: null })
  assert.deepEqual(regionProblems(first('eu', 'us'), ['eu', 'us', 'ap']), [])
  assert.deepEqual(regionProblems(first('eu', 'mars', 'eu'), ['eu', 'us']), [
    { path: 'regions.1', message: 'must be one of: eu, us' },
    { path: 'regions.2', message: 'must be in the list only once' },
  ])
  assert.deepEqual(regionProblems(first('eu'), []), [
    { path: 'regions.0', message: 'must be one of: none yet' },
  ])
})

// biome-ignore format: a table is read by its columns
const NUMBERS: [mode: 'FIRST' | 'EACH', downWhen: number | null, isRight: boolean][] = [
  ['FIRST', null, true], ['FIRST', 1, false],
  ['EACH',  null, true], ['EACH',  1, true], ['EACH', 2, true], ['EACH', 3, false],
]
for (const [mode, downWhen, isRight] of NUMBERS)
  test(`of two regions in mode ${mode}, ${downWhen} may have to fail: ${isRight}`, () => {
    const problems = regionProblems({ regions: ['eu', 'us'], mode, downWhen }, ['eu', 'us'])
    assert.deepEqual(
      problems.map(({ path }) => path),
      isRight ? [] : ['downWhen'],
    )
  })
