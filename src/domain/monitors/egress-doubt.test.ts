import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  chooseSamples,
  doubtAfter,
  doubtAt,
  type EgressAttempt,
  type EgressSign,
  egressSignOf,
  egressTiming,
  failedSince,
  networkOf,
  type OpenDoubt,
  type ReachedAddress,
  repeatInDoubt,
} from './egress-doubt.ts'

const LIMIT_MS = 180_000
const at = (second: number) => new Date(Date.UTC(2026, 10, 14, 14, 0, second))
const silent = (second: number): EgressSign => ({
  kind: 'SILENT',
  failedAt: at(second - 11),
  askedAt: at(second),
})
const passed = (second: number): EgressSign => ({ kind: 'PASSED', startedAt: at(second) })

// The doubt of most rows is raised at second 20, and its first failed attempt began at second 9.
// biome-ignore format: a table is read by its columns
const LIVES: [why: string, signs: EgressSign[], second: number, doubt: string][] = [
  ['nothing happened',                          [],                                        0,    'NONE'],
  ['all samples silent',                        [silent(20)],                              20,   'DOUBT'],
  ['just before its end',                       [silent(20)],                              188,  'DOUBT'],
  ['its time is up, counted from the failure',  [silent(20)],                              189,  'OVER'],
  ['and it stays over',                         [silent(20)],                              9000, 'OVER'],
  ['more silence does not lengthen it',         [silent(20), silent(100), silent(180)],    189,  'OVER'],
  ['no new doubt while over',                   [silent(20), silent(300)],                 301,  'OVER'],
  ['a pass ends it',                            [silent(20), passed(21)],                  22,   'NONE'],
  ['a pass that began before it does not',      [silent(20), passed(19)],                  22,   'DOUBT'],
  ['a pass ends it when over',                  [silent(20), passed(300)],                 301,  'NONE'],
  ['a new doubt after a pass',                  [silent(20), passed(300), silent(400)],    401,  'DOUBT'],
  ['a pass without a doubt is nothing',         [passed(5)],                               6,    'NONE'],
]
for (const [why, signs, second, expected] of LIVES)
  test(`doubt of a region, ${why}: ${expected}`, () => {
    const start: OpenDoubt | null = null
    const open = signs.reduce<OpenDoubt | null>(
      (one, sign) => doubtAfter(one, sign, LIMIT_MS),
      start,
    )
    assert.equal(doubtAt(open, at(second)), expected)
  })

test('without a pass, a region is in doubt for no longer than the limit', () => {
  const times = fc.array(fc.integer({ min: 20, max: 4000 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(times, (seconds) => {
      const sorted = seconds.toSorted((a, b) => a - b)
      const open = sorted.reduce<OpenDoubt | null>(
        (one, second) => doubtAfter(one, silent(second), LIMIT_MS),
        null,
      )
      const beganMs = at((sorted[0] ?? 0) - 11).getTime()
      assert.equal(doubtAt(open, new Date(beganMs + LIMIT_MS - 1)), 'DOUBT')
      assert.equal(doubtAt(open, new Date(beganMs + LIMIT_MS)), 'OVER')
    }),
  )
})

type Asked = Parameters<typeof egressTiming>[0]
const ASKED: Asked = {
  isDown: false,
  doubt: 'NONE',
  sendsOnce: false,
  regions: [],
}
// biome-ignore format: a table is read by its columns
const TIMINGS: [why: string, check: Partial<Asked>, timing: string | undefined][] = [
  ['the first attempt: it does not decide',       {},                                        undefined],
  ['the second',                                  { regions: ['eu'] },                       'START'],
  ['a third, in doubt',                           { regions: ['eu', 'eu'], doubt: 'DOUBT' }, 'START'],
  ['the first of a request that is sent once',    { sendsOnce: true },                       'SILENCE'],
  ['its second, as nothing was sent before',      { sendsOnce: true, regions: ['eu'] },      'START'],
  ['another region met it too',                   { regions: ['us'] },                       undefined],
  ['a monitor that is down',                      { regions: ['eu'], isDown: true },         undefined],
  ['failures count again',                        { regions: ['eu'], doubt: 'OVER' },        undefined],
]
for (const [why, check, expected] of TIMINGS)
  test(`other addresses are asked, ${why}: ${expected ?? 'no'}`, () => {
    assert.equal(egressTiming({ ...ASKED, ...check }, 'eu'), expected)
  })

const ATTEMPT: EgressAttempt = {
  startedAt: at(20),
  outcome: 'FAILED',
  isPublicTcp: false,
  controlReached: null,
}
const CHECK = { isEgress: false, failedAt: at(9) }
const EGRESS = { ...CHECK, isEgress: true }
// biome-ignore format: a table is read by its columns
const SIGNS: [why: string, attempt: Partial<EgressAttempt>, check: typeof CHECK, sign: string | undefined][] = [
  ['silence, and all samples silent',            { controlReached: false },             EGRESS,                         'SILENT'],
  ['silence that was decided anyway',            { controlReached: false },             CHECK,                          undefined],
  ['silence of a private target in doubt',       {},                                    EGRESS,                         undefined],
  ['a refused connection: nothing was asked',    {},                                    CHECK,                          undefined],
  ['a sample that accepted or refused',          { controlReached: true },              CHECK,                          'PASSED'],
  ['a pass over TCP at a public address',        { outcome: 'OK', isPublicTcp: true },  CHECK,                          'PASSED'],
  ['a pass of a ping, or at a private address',  { outcome: 'OK', isPublicTcp: false }, CHECK,                          undefined],
  ['a fault of ours',                            { outcome: 'FAULT' },                  CHECK,                          undefined],
]
for (const [why, attempt, check, expected] of SIGNS)
  test(`${why}: ${expected ?? 'no sign'}`, () => {
    assert.equal(egressSignOf({ ...ATTEMPT, ...attempt }, check)?.kind, expected)
  })

const OPEN: OpenDoubt = { since: at(9), raisedAt: at(20), endsAt: at(189) }
// biome-ignore format: a table is read by its columns
const SINCE: [why: string, first: number | 'UNKNOWN' | undefined, lastChecked: number | null, expected: number][] = [
  ['its first failed attempt',                    15,        5,    15],
  ['this check, if it did not fail before',       undefined, 5,    200],
  ['unknown here: the beginning of the doubt',    'UNKNOWN', 5,    9],
  ['never before its last result',                'UNKNOWN', 100,  100],
  ['never checked: this check',                   'UNKNOWN', null, 200],
  ['a memory later than the check is none',       300,       5,    200],
]
for (const [why, first, lastChecked, expected] of SINCE)
  test(`an outage that began in doubt is since ${why}`, () => {
    const check = {
      failedSince: at(200),
      lastCheckedAt: lastChecked === null ? null : at(lastChecked),
    }
    const known = typeof first === 'number' ? at(first) : first
    assert.deepEqual(failedSince(known, OPEN, check), at(expected))
  })

// biome-ignore format: a table is read by its columns
const REPEATS: [why: string, open: OpenDoubt | null, ended: number, repeat: number | undefined, slot: number, expected: number | undefined][] = [
  ['no doubt',                              null, 100, 115,       300, 115],
  ['early in the doubt',                    OPEN, 100, 115,       300, 115],
  ['its end comes before the repeat',       OPEN, 150, 210,       300, 189],
  ['its end comes before the next slot',    OPEN, 150, undefined, 200, 189],
  ['the next slot comes first',             OPEN, 100, undefined, 130, undefined],
  ['it has ended',                          OPEN, 190, 205,       300, 205],
]
for (const [why, open, ended, repeat, slot, expected] of REPEATS)
  test(`an undecided check is repeated in time, ${why}`, () => {
    const date = (second: number | undefined) => (second === undefined ? undefined : at(second))
    assert.deepEqual(repeatInDoubt(open, at(ended), date(repeat), at(slot)), date(expected))
  })

const reached = (text: string): ReachedAddress[] =>
  text.split(' ').flatMap((one) => {
    const [orgId = '', address = ''] = one.split('@')
    return address === '' ? [] : { orgId, address, port: 443 }
  })
// biome-ignore format: a table is read by its columns
const SAMPLES: [why: string, candidates: string, chosen: string][] = [
  ['none',                                       '',                                                          ''],
  ['two networks are too few',                   'a@8.1.1.1 a@8.1.2.1 a@8.1.2.9',                             ''],
  ['three networks',                             'a@8.1.1.1 a@8.1.2.1 a@8.1.3.1',                             '8.1.1.1 8.1.2.1 8.1.3.1'],
  ['one address of a network',                   'a@8.1.1.1 a@8.1.1.2 a@8.1.2.1 a@8.1.3.1',                   '8.1.1.1 8.1.2.1 8.1.3.1'],
  ['five at most',                               'a@8.1.1.1 a@8.1.2.1 a@8.1.3.1 a@8.1.4.1 a@8.1.5.1 a@8.1.6.1', '8.1.1.1 8.1.2.1 8.1.3.1 8.1.4.1 8.1.5.1'],
  ['two of one organization beside another',     'a@8.1.1.1 a@8.1.2.1 a@8.1.3.1 b@9.1.1.1',                   '9.1.1.1 8.1.1.1 8.1.2.1'],
  ['which may leave too few',                    'a@8.1.1.1 a@8.1.2.1 a@8.1.3.1 b@8.1.3.2 b@8.1.3.3',         '8.1.3.2 8.1.1.1 8.1.2.1'],
  ['all in one network',                         'a@8.1.1.1 b@8.1.1.2 c@8.1.1.3 d@8.1.1.4',                   ''],
  ['who has least choice chooses first',         'a@8.1.1.1 a@8.1.2.1 a@8.1.3.1 b@8.1.1.9',                   '8.1.1.9 8.1.2.1 8.1.3.1'],
  ['IPv6 by /48',                                'a@2606:4700:1::1 a@2606:4700:1:2::1 a@2606:4700:2::1 a@2606:4700::1', '2606:4700:1::1 2606:4700:2::1 2606:4700::1'],
]
for (const [why, candidates, chosen] of SAMPLES)
  test(`samples: ${why}`, () => {
    assert.equal(
      chooseSamples(reached(candidates))
        .map(({ address }) => address)
        .join(' '),
      chosen,
    )
  })

// biome-ignore format: a table is read by its columns
const NETWORKS: [address: string, network: string][] = [
  ['8.8.4.4',                   '8.8.4'],
  ['2606:4700:10::6814:179a',   '2606:4700:10'],
  ['2606:4700:0010:1::1',       '2606:4700:10'],
  ['2606::1',                   '2606:0:0'],
  ['2606:4700:1:2:3:4:5:6',     '2606:4700:1'],
]
for (const [address, network] of NETWORKS)
  test(`${address} is in ${network}`, () => assert.equal(networkOf(address), network))
