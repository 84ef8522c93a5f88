// What a probe sends is read over the bus as it arrives: from older probes, newer ones, and hostile ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJobSender } from '../../../test/samples/job-sender.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { runCheck } from './run-check.ts'

const { bus, clock, sender } = openJobSender()

const PASSED = { outcome: 'OK', durationMs: 3, sent: false, stalled: false, controlReached: null }
const UNTRUSTED = { ...PASSED, outcome: 'FAILED', causeCode: 'CERT_UNTRUSTED', cause: 'Untrusted' }
const CERT = { certExpiresAt: '2027-01-15T00:00:00.000Z' }

let finding: object = PASSED
await bus.serveJobs({ region: 'eu', probe: 'probe-1' }, ({ jobs, reply }) => {
  reply(jobs.map(({ id }) => ({ id, acceptedToStartMs: 0, startedToEndMs: 3, attempt: finding })))
  return 'accepted'
})

function check(found: object) {
  finding = found
  const monitor = {
    ...sampleSettings({ type: 'SSL', url: 'shop.example' }),
    orgId: '019aa000-0000-7000-8000-0000000000aa',
    privateTargets: false,
    homeRegion: null,
  }
  const regions = () => ['eu']
  return runCheck({ sender, liveRegions: regions, presentRegions: regions }, monitor, () =>
    clock.now(),
  )
}

// biome-ignore format: a table is read by its columns
const rows: [why: string, found: object, issuer: string | null][] = [
  ['as it is',                 { ...PASSED, ...CERT, issuer: "Let's Encrypt" },       "Let's Encrypt"],
  ['of a refused certificate', { ...UNTRUSTED, ...CERT, issuer: 'Acme' },             'Acme'],
  ['from an older probe',      { ...PASSED, ...CERT },                                null],
  ['of 500 KB',            { ...PASSED, issuer: 'x'.repeat(500_000) },            `${'x'.repeat(119)}…`],
  ['with control characters',  { ...PASSED, issuer: 'a\u0000b\n\u202ec' },            'a b c'],
  ['that is an object',        { ...PASSED, issuer: { toString: 'x' } },              null],
  ['that is a list',           { ...PASSED, issuer: ['x'] },                          null],
  ['that is null',             { ...PASSED, issuer: null },                           null],
]
for (const [why, found, issuer] of rows)
  test(`the issuer that a probe sends: ${why}`, async () => {
    const { observation, evidence } = await check(found)
    assert.equal(observation.issuer, issuer)
    assert.ok(!('issuer' in evidence()), 'incidents do not show it')
  })

const FAILED = { ...PASSED, outcome: 'FAILED', causeCode: 'UNEXPECTED_STATUS', cause: 'HTTP 404' }
// biome-ignore format: a table is read by its columns
const INVALID: [what: string, found: unknown][] = [
  ['nothing',                        null],
  ['a text',                         'OK'],
  ['an empty object',                {}],
  ['no outcome',                     { ...PASSED, outcome: undefined }],
  ['an unknown outcome',             { ...PASSED, outcome: 'MAYBE' }],
  ['a failure without a cause',      { ...PASSED, outcome: 'FAILED' }],
  ['an unknown cause',               { ...FAILED, causeCode: 'EVIL' }],
  ['a cause of heartbeats',          { ...FAILED, causeCode: 'HEARTBEAT_MISSED' }],
  ['a cause with U+0000',            { ...FAILED, causeCode: 'TIMEOUT\0' }],
  ['a cause that is an object',      { ...FAILED, causeCode: {} }],
  ['a cause text that is a list',    { ...FAILED, cause: ['x'] }],
  ['a status of 1e12',               { ...FAILED, httpStatus: 1e12 }],
  ['a status with a fraction',       { ...FAILED, httpStatus: 404.5 }],
  ['a response time that is a text', { ...PASSED, responseMs: 'abc' }],
  ['a response time of 1e300',       { ...PASSED, responseMs: 1e300 }],
  ['a negative response time',       { ...PASSED, responseMs: -1 }],
  ['no duration',                    { ...PASSED, durationMs: undefined }],
  ['a phase that is a text',         { ...PASSED, timings: { dnsMs: 'x' } }],
  ['phases that are a number',       { ...PASSED, timings: 7 }],
  ['an address that is none',        { ...PASSED, resolvedIp: 'localhost' }],
  ['a date that is none',            { ...PASSED, certExpiresAt: 'soon' }],
  ['answers that are no texts',      { ...PASSED, dnsAnswers: [1] }],
  ['no word about stalls',           { ...PASSED, stalled: 'no' }],
  ['nothing conclusive, no reason',  { ...PASSED, outcome: 'INCONCLUSIVE' }],
]
for (const [what, found] of INVALID)
  test(`a probe that reports ${what} decides nothing`, async () => {
    const { outcome, observation } = await check(found as object)
    assert.deepEqual(outcome, { result: 'INCONCLUSIVE', reason: 'PROBE_FAULT' })
    assert.equal(observation.causeCode, null)
  })

test('a reason that only a newer probe knows becomes no new label of a metric', async () => {
  const { outcome } = await check({ ...PASSED, outcome: 'INCONCLUSIVE', reason: 'NEW', detail: '' })
  assert.deepEqual(outcome, { result: 'INCONCLUSIVE', reason: 'PROBE_ERROR' })
})

test('texts of targets that no database can store are made storable, and the verdict counts', async () => {
  const texts = { cause: 'a\0b\ud800', bodyExcerpt: `\0${'x'.repeat(9_000)}`, dnsAnswers: ['\0a'] }
  const { outcome, observation, evidence } = await check({ ...FAILED, ...texts })
  assert.equal(outcome.result, 'FAILED')
  assert.equal(observation.cause, 'ab\ufffd')
  assert.deepEqual(observation.dnsAnswers, ['a'])
  assert.equal(evidence().bodyExcerpt?.length, 3_999)
})

test('a date that a target chose and nothing can store is left out', async () => {
  const { outcome, observation } = await check({
    ...PASSED,
    certExpiresAt: '+012345-01-01T00:00:00Z',
  })
  assert.deepEqual([outcome.result, observation.certExpiresAt], ['OK', null])
})
