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
