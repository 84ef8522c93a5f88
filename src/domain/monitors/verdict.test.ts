import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  expiryNotice,
  judge,
  type Verdict,
  type VerdictInput,
  type VerdictRule,
} from './verdict.ts'

const NOW = new Date('2026-11-14T22:39:00.000Z')
const RULE: VerdictRule = {
  type: 'HTTP',
  sslExpiryThresholdDays: 2,
  degradedThresholdMs: 500,
  degradedThresholdMode: 'LAST',
  degradedSamples: 2,
}
const DAY_MS = 86_400_000
const inMs = (ms: number) => new Date(NOW.getTime() + ms)
const ok = (responseMs: number | null, sampled = true): VerdictInput => ({
  result: 'OK',
  responseMs,
  sampled,
  expiresAt: null,
})
const failed: VerdictInput = { result: 'FAILED' }
const unknown: VerdictInput = { result: 'INCONCLUSIVE' }

type Row = [why: string, finding: VerdictInput, before: number[], verdict: Verdict, after: number[]]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['fast',                              ok(100),        [],    'PASSED',       [100]],
  ['slow, but the first sample',        ok(900),        [],    'PASSED',       [900]],
  ['slow twice',                        ok(900),        [900], 'SLOW',         [900, 900]],
  ['fast after slow',                   ok(100),        [900, 900], 'PASSED',  [900, 100]],
  ['its time is no sample',             ok(900, false), [900], 'PASSED',       [900]],
  ['no sample keeps what was known',    ok(100, false), [900, 900], 'SLOW',    [900, 900]],
  ['a type without response time',      ok(null),       [],    'PASSED',       []],
  ['failure empties the samples',       failed,         [900], 'FAILED',       []],
  ['inconclusive changes nothing',      unknown,        [900], 'INCONCLUSIVE', [900]],
]
for (const [why, finding, before, verdict, samplesMs] of rows) {
  test(`${why}: ${verdict}`, () => {
    assert.deepEqual(judge(RULE, finding, before, NOW), { verdict, samplesMs })
  })
}

// biome-ignore format: a table is read by its columns
const expiries: [type: string, leftMs: number | null, verdict: Verdict, cause?: string][] = [
  ['SSL',     3 * DAY_MS,     'PASSED'],
  ['SSL',     2 * DAY_MS + 1, 'PASSED'],
  ['SSL',     2 * DAY_MS,     'SLOW'], // the threshold itself is inside
  ['SSL',     1,              'SLOW'],
  ['SSL',     0,              'FAILED', 'CERT_EXPIRED'],
  ['DOMAIN',  3 * DAY_MS,     'PASSED'],
  ['DOMAIN',  DAY_MS,         'SLOW'], // the same field as for certificates
  ['DOMAIN',  -1,             'FAILED', 'DOMAIN_EXPIRED'],
  ['DOMAIN',  null,           'PASSED'],
  ['HTTP',    DAY_MS,         'PASSED'], // reported by an event, not by the state
  ['KEYWORD', DAY_MS,         'PASSED'],
]
for (const [type, leftMs, verdict, cause] of expiries) {
  test(`${type} with ${leftMs} ms left: ${verdict}`, () => {
    const expiresAt = leftMs === null ? null : inMs(leftMs)
    const finding: VerdictInput = { result: 'OK', responseMs: null, sampled: false, expiresAt }
    const judgement = judge({ ...RULE, type }, finding, [], NOW)
    assert.equal(judgement.verdict, verdict)
    assert.equal(judgement.cause, cause)
  })
}

test('SSL is judged by its certificate alone, however slow the handshake', () => {
  const finding: VerdictInput = {
    result: 'OK',
    responseMs: 9000,
    sampled: true,
    expiresAt: inMs(99 * DAY_MS),
  }
  assert.equal(judge({ ...RULE, type: 'SSL' }, finding, [9000, 9000], NOW).verdict, 'PASSED')
})

// biome-ignore format: a table is read by its columns
const notices: [why: string, leftMs: number | null, toldForMs: number | null, daysLeft: number | undefined][] = [
  ['far away',                           3 * DAY_MS,      null,         undefined],
  ['threshold crossed',                  2 * DAY_MS,      null,         2],
  ['less than two days',                 2 * DAY_MS - 1,  null,         1],
  ['told already',                       DAY_MS,          DAY_MS,       undefined],
  ['renewed, and expiring again',        DAY_MS,          0,            1],
  ['first seen when it had expired',     -DAY_MS,         null,         0],
  ['no certificate seen',                null,            null,         undefined],
]
for (const [why, leftMs, toldForMs, daysLeft] of notices) {
  test(`an expiry is told once per date: ${why}`, () => {
    const expiresAt = leftMs === null ? null : inMs(leftMs)
    const toldFor = toldForMs === null ? null : inMs(toldForMs)
    const notice = expiryNotice(RULE, expiresAt, toldFor, NOW)
    assert.deepEqual(notice, daysLeft === undefined ? undefined : { expiresAt, daysLeft })
  })
}
