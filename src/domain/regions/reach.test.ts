import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  baseRegion,
  isProven,
  proofsAfter,
  type RegionFinding,
  type RegionProof,
  regionsToTry,
  wasReachedAt,
} from './reach.ts'

const NOW = new Date('2026-11-14T12:00:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ago = (ms: number) => new Date(NOW.getTime() - ms)

function proof(region: string, changes: Partial<RegionProof> = {}): RegionProof {
  const times = { passedAt: ago(HOUR), decidedAt: ago(HOUR), triedAt: null, lostAt: null }
  return { region, ...times, address: '192.0.2.7', port: 443, isPrivate: false, ...changes }
}
const TRIED = { decidedAt: null }

// biome-ignore format: a table is read by its columns
const provenRows: [why: string, changes: Partial<RegionProof>, proven: boolean][] = [
  ['it passed an hour ago',                {},                         true],
  ['it passed 29 days ago',                { passedAt: ago(29 * DAY) }, true],
  ['it passed 30 days ago',                { passedAt: ago(30 * DAY) }, false],
  ['it tried and never passed',            { passedAt: null, triedAt: NOW }, false],
  ['it failed while another passed',       { lostAt: ago(MINUTE) },    false],
]
for (const [why, changes, proven] of provenRows)
  test(`a region is ${proven ? '' : 'not '}proven: ${why}`, () => {
    assert.equal(isProven(proof('eu', changes), NOW), proven)
  })

type BaseRow = {
  why: string
  home?: string
  chosen?: Date
  proofs: RegionProof[]
  gone?: Record<string, number>
  base: string | undefined
}
const PRIVATE = { address: '192.168.1.10', isPrivate: true }
// biome-ignore format: a table is read by its columns
const baseRows: BaseRow[] = [
  { why: 'nothing passed yet',                      proofs: [],                                                   base: 'eu' },
  { why: 'home passed',                             proofs: [proof('eu')],                                        base: 'eu' },
  { why: 'home passed, another one later',          proofs: [proof('eu'), proof('us', { decidedAt: NOW })],       base: 'eu' },
  { why: 'only another one passed',                 proofs: [proof('us')],                                        base: 'us' },
  { why: 'a new home tried, and passed',            proofs: [proof('eu', TRIED), proof('us')],                    base: 'eu' },
  { why: 'a new home tried, and failed',            proofs: [proof('eu', { ...TRIED, passedAt: null }), proof('us')], base: 'us' },
  { why: 'home fails while another passes',         proofs: [proof('eu', { lostAt: NOW }), proof('us', { decidedAt: NOW })], base: 'us' },
  { why: 'both were the last once: the newest',     proofs: [proof('us'), proof('ap', { decidedAt: NOW })],       base: 'ap' },
  { why: 'a try is no last OK',                     proofs: [proof('us'), proof('ap', { passedAt: NOW, ...TRIED })], base: 'us' },
  { why: 'an old proof ends, its region stays',     proofs: [proof('us', { passedAt: ago(31 * DAY), decidedAt: ago(31 * DAY) })], base: 'us' },
  { why: 'its region is away for 23 hours',         proofs: [proof('us')], gone: { us: 23 * HOUR },               base: 'us' },
  { why: 'its region is gone',                      proofs: [proof('us')], gone: { us: 24 * HOUR },               base: 'eu' },
  { why: 'a private target, its region is gone',    proofs: [proof('us', PRIVATE)], gone: { us: 24 * HOUR },      base: 'us' },
  { why: 'the same, chosen before it went',         proofs: [proof('us', PRIVATE)], gone: { us: 24 * HOUR }, chosen: ago(25 * HOUR), base: 'us' },
  { why: 'the same, and a region was chosen since', proofs: [proof('us', PRIVATE)], gone: { us: 24 * HOUR }, chosen: ago(HOUR), base: 'eu' },
  { why: 'no region has a probe',                   proofs: [], gone: {},                                         base: undefined },
]
for (const { why, proofs, gone, chosen = null, base } of baseRows)
  test(`base region, ${why}: ${base ?? 'none'}`, () => {
    const home = base === undefined ? undefined : 'eu'
    const seenAt = (region: string) => ago(gone?.[region] ?? 0)
    assert.equal(baseRegion({ home, homeChosenAt: chosen, proofs, seenAt }, NOW), base)
  })

const at = (region: string, passed = true, changes: Partial<RegionFinding> = {}): RegionFinding => {
  return { region, passed, address: '192.0.2.7', port: 443, isPrivate: false, ...changes }
}
const COUNTS = { counts: true, now: NOW }

type AfterRow = [
  why: string,
  before: RegionProof[],
  findings: RegionFinding[],
  changed: RegionProof[],
  counts?: boolean,
]
// biome-ignore format: a table is read by its columns
const afterRows: AfterRow[] = [
  ['the first OK',                       [],            [at('eu')],                   [proof('eu', { passedAt: NOW, decidedAt: NOW })]],
  ['the next one says nothing new',      [proof('eu')], [at('eu')],                   []],
  ['a failure alone takes no proof',     [proof('eu')], [at('eu', false), at('eu', false)], []],
  ['a day later it is written again',    [proof('eu', { passedAt: ago(DAY), decidedAt: ago(DAY) })], [at('eu')], [proof('eu', { passedAt: NOW, decidedAt: NOW })]],
  ['home fails, another passes',         [proof('eu'), proof('us', TRIED)], [at('eu', false), at('us')],
    [proof('us', { passedAt: ago(HOUR), decidedAt: NOW }), proof('eu', { lostAt: NOW })]],
  ['it fails on: since when stays',      [proof('eu', { lostAt: ago(MINUTE) }), proof('us')], [at('eu', false), at('us')], []],
  ['it passes again',                    [proof('eu', { lostAt: ago(MINUTE) }), proof('us')], [at('eu')], [proof('eu', { passedAt: NOW, decidedAt: NOW })]],
  ['it fails, then passes by itself',    [proof('eu')], [at('eu', false), at('eu')],  []],
  ['a stand-in becomes the last OK',     [proof('eu'), proof('us', { decidedAt: ago(2 * HOUR) })], [at('us')], [proof('us', { passedAt: ago(HOUR), decidedAt: NOW })]],
  ['the address changes every minute',   [proof('eu', { passedAt: ago(MINUTE), decidedAt: ago(MINUTE) })], [at('eu', true, { address: '192.0.2.8' })], []],
  ['the address changed after an hour',  [proof('eu')], [at('eu', true, { address: '192.0.2.8' })], [proof('eu', { address: '192.0.2.8', passedAt: NOW, decidedAt: NOW })]],
  ['the address became a private one',   [proof('eu', { passedAt: ago(MINUTE) })], [at('eu', true, PRIVATE)], [proof('eu', { ...PRIVATE, passedAt: NOW, decidedAt: NOW })]],
  ['a try proves and counts for nothing', [proof('eu')], [at('us')],                  [proof('us', { passedAt: NOW, decidedAt: null })], false],
  ['a try that fails takes no proof',    [proof('eu'), proof('us')], [at('us', false), at('eu')], [], false],
]
for (const [why, before, findings, changed, counts = true] of afterRows)
  test(`proofs after a check: ${why}`, () => {
    const after = proofsAfter(before, findings, { ...COUNTS, counts })
    assert.deepEqual(
      after.map((one) => ({ ...one, passedAt: null })),
      changed.map((one) => ({ ...one, passedAt: null })),
    )
    for (const one of after) assert.ok(isProven(one, NOW) === (one.lostAt === null))
  })

const RULES = {
  type: 'HTTP',
  method: 'GET',
  base: 'eu',
  home: 'eu',
  isPrivate: false,
  liveRegions: ['ap', 'eu', 'us'],
  passed: true,
}
const tried = (region: string, agoMs: number) =>
  proof(region, { passedAt: null, decidedAt: null, triedAt: ago(agoMs) })
type TryRow = [
  why: string,
  proofs: RegionProof[],
  changes: Partial<Omit<typeof RULES, 'method'>> & { method?: string | null },
  regions: string[],
]
// biome-ignore format: a table is read by its columns
const tryRows: TryRow[] = [
  ['after the first OK: everywhere',      [proof('eu')],                        {},                        ['ap', 'us']],
  ['not before the first OK',             [],                                   { passed: false },         []],
  ['not after a failure',                 [proof('eu')],                        { passed: false },         []],
  ['once',                                [proof('eu'), tried('us', HOUR)],     {},                        ['ap']],
  ['and once a week',                     [proof('eu'), tried('us', 7 * DAY)],  {},                        ['ap', 'us']],
  ['not where it passed anyway',          [proof('eu'), proof('us')],           {},                        ['ap']],
  ['an unproven home after five minutes', [proof('us'), tried('eu', 5 * MINUTE), tried('ap', 0)], { base: 'us' }, ['eu']],
  ['and not before',                      [proof('us'), tried('eu', 4 * MINUTE), tried('ap', 0)], { base: 'us' }, []],
  ['a home that lost its proof, too',     [proof('us'), proof('eu', { lostAt: NOW, triedAt: ago(5 * MINUTE) }), tried('ap', 0)], { base: 'us' }, ['eu']],
  ['an unproven home also after a failure', [proof('us')],                      { base: 'us', passed: false }, ['eu']],
  ['never a POST',                        [proof('eu')],                        { method: 'POST' },        []],
  ['never a private target',              [proof('eu')],                        { isPrivate: true },       []],
  ['never a domain',                      [proof('eu')],                        { type: 'DOMAIN', method: null }, []],
  ['ping',                                [proof('eu')],                        { type: 'PING', method: null },   ['ap', 'us']],
]
for (const [why, proofs, changes, regions] of tryRows)
  test(`tries, ${why}: ${regions.join(', ') || 'none'}`, () => {
    assert.deepEqual(regionsToTry(proofs, { ...RULES, ...changes }, NOW), regions)
  })

test('an address counts as reached where a region passed, and nowhere else', () => {
  const proofs = [proof('eu'), tried('us', 0)]
  assert.equal(wasReachedAt(proofs, '192.0.2.7'), true)
  assert.equal(wasReachedAt(proofs, '192.0.2.8'), false)
  assert.equal(wasReachedAt([tried('us', 0)], '192.0.2.7'), false)
  assert.equal(wasReachedAt([proof('eu', { address: null })], null), false)
})

test('regions that are asked together do not take turns at being the last to decide', () => {
  const passed = (region: string): RegionFinding => {
    return { region, passed: true, address: '192.0.2.7', port: 443, isPrivate: false }
  }
  let proofs = [proof('eu')]
  const written: number[] = []
  for (let check = 0; check < 20; check++) {
    const now = new Date(NOW.getTime() + check * MINUTE)
    const findings = [passed('eu'), passed('us'), passed('ap')]
    const changed = proofsAfter(proofs, findings, { counts: true, now, isTogether: true })
    written.push(changed.length)
    const names = changed.map(({ region }) => region)
    proofs = [...proofs.filter(({ region }) => !names.includes(region)), ...changed]
  }
  // The two that are new, and then nothing.
  assert.deepEqual(written, [2, ...Array.from({ length: 19 }, () => 0)])
})
