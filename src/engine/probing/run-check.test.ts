// What a probe sends is read over the bus as it arrives: from older probes, newer ones, and hostile ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openJobSender } from '../../../test/samples/job-sender.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import type { ProbeAnnouncement } from '../../bus/bus.ts'
import { openLog } from '../../platform/observability/log.ts'
import { Database } from '../../store/core/db.ts'
import { EgressWatch } from './egress-watch.ts'
import { runCheck } from './run-check.ts'

const live: ProbeAnnouncement[] = []
const { bus, clock, sender } = openJobSender(live)
// Nothing here is in doubt, so nothing is read or written.
const url = 'postgres://127.0.0.1:1/none'
const egress = new EgressWatch({
  database: new Database({ url, role: 'upvane_engine', connections: 1 }),
  log: openLog('silent').log,
  now: () => clock.now(),
  limitMs: 180_000,
  regions: () => [],
})

const PASSED = { outcome: 'OK', durationMs: 3, sent: false, stalled: false, controlReached: null }
const UNTRUSTED = { ...PASSED, outcome: 'FAILED', causeCode: 'CERT_UNTRUSTED', cause: 'Untrusted' }
const CERT = { certExpiresAt: '2027-01-15T00:00:00.000Z' }

let probes = 0

/** By a probe of its own: one that sends nonsense several times gets no more jobs. */
async function check(found: object, version = '0.2.0') {
  const region = `region-${++probes}`
  const place = { region, probe: 'probe-1' }
  live.push({ ...place, capacity: 1, inFlight: 0, can: ['SSL'], version })
  await bus.serveJobs(place, ({ jobs, reply }) => {
    reply(jobs.map(({ id }) => ({ id, acceptedToStartMs: 0, startedToEndMs: 3, attempt: found })))
    return 'accepted'
  })
  const monitor = {
    ...sampleSettings({ type: 'SSL', url: 'shop.example' }),
    orgId: '019aa000-0000-7000-8000-0000000000aa',
    privateTargets: false,
    homeRegion: null,
    homeChosenAt: null,
    chosenRegions: [],
    eachRegion: null,
    proofs: [],
  }
  const regions = () => [region]
  const presence = { liveRegions: regions, presentRegions: regions, seenAt: () => null }
  return runCheck({ sender, ...presence, egress }, monitor, () => clock.now())
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
  ['a silence that is a text',       { ...FAILED, silent: 'yes' }],
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

// biome-ignore format: a table is read by its columns
const CAUSES: [version: string, causeCode: unknown, known: string | null][] = [
  ['0.3.0', 'ASSERTION_FAILED', 'INVALID_RESPONSE'],
  ['0.2.1', 'ASSERTION_FAILED', 'INVALID_RESPONSE'],
  ['0.3.0', 'UNEXPECTED_STATUS', 'UNEXPECTED_STATUS'],
  ['0.2.0', 'ASSERTION_FAILED', null],
  ['0.1.0', 'ASSERTION_FAILED', null],
  ['newest', 'ASSERTION_FAILED', null],
  ['0.3.0', 'HEARTBEAT_MISSED', null],
  ['0.3.0', 'EVIL\0', null],
  ['0.3.0', 'E'.repeat(65), null],
  ['0.3.0', {}, null],
]
for (const [version, causeCode, known] of CAUSES)
  test(`the cause ${JSON.stringify(causeCode)} from a probe of version ${version}`, async () => {
    const cause = `JSON $.depth is 9${'!'.repeat(9_000)}`
    const { outcome, observation } = await check({ ...FAILED, causeCode, cause }, version)
    assert.equal(observation.causeCode, known)
    if (known === null) assert.deepEqual(outcome, { result: 'INCONCLUSIVE', reason: 'PROBE_FAULT' })
    else assert.deepEqual([outcome.result, observation.cause], ['FAILED', cause.slice(0, 4_000)])
  })

test('an address that is not allowed is compared, and never shown', async () => {
  const refused = { ...FAILED, causeCode: 'TARGET_NOT_ALLOWED', resolvedIp: '10.0.0.5' }
  const { outcome, evidence } = await check(refused)
  assert.equal(outcome.result, 'FAILED')
  assert.equal(evidence().resolvedIp, null)
  assert.equal((await check({ ...FAILED, resolvedIp: '1.2.3.4' })).evidence().resolvedIp, '1.2.3.4')
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
