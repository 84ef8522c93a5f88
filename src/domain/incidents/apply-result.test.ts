import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyResult, type CheckResult, type MonitorSnapshot } from './apply-result.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

const known: MonitorSnapshot = {
  type: 'SSL',
  state: 'UP',
  epoch: 3,
  nextDueAt: at(0),
  lastSlot: null,
  lastCheckedAt: null,
  lastStatusChangedAt: null,
  lastResponseMs: null,
  certExpiresAt: null,
  heartbeat: null,
  samplesMs: [],
  samplesRegion: null,
  dnsBaseline: null,
  expiryToldFor: null,
  domainExpiresAt: null,
  issuer: null,
  incident: null,
  maintenance: [],
  dnsAlertOnChange: true,
  sslExpiryThresholdDays: 2,
  degradedThresholdMs: null,
  degradedThresholdMode: 'LAST',
  degradedSamples: 3,
}

function seenValidUntil(expiresAt: Date): CheckResult {
  const nothing = { causeCode: null, cause: null, httpStatus: null, dnsAnswers: null }
  return {
    kind: 'SCHEDULED',
    slot: at(0),
    epoch: 3,
    beganAt: at(0),
    endedAt: at(1),
    outcome: { result: 'OK', responseMs: 5, sampled: true },
    seen: { ...nothing, responseMs: 5, certExpiresAt: expiresAt, domainExpiresAt: null },
  }
}

test('a certificate that ran out between the look and the verdict is a failure with its cause', () => {
  const landed = applyResult(known, seenValidUntil(at(0.5)))
  const cause = 'Certificate expired on 2027-01-15'
  assert.deepEqual([landed.verdict, landed.snapshot.state], ['FAILED', 'DOWN'])
  const opened = { do: 'OPEN', startedAt: at(0), causeCode: 'CERT_EXPIRED', cause }
  assert.deepEqual(landed.incident, opened)
  assert.equal(landed.result.outcome.result, 'FAILED', 'whoever writes it down calls it so too')
  assert.deepEqual(
    [landed.result.seen.causeCode, landed.result.seen.cause],
    ['CERT_EXPIRED', cause],
  )
})

test('a certificate that is still valid lands as it was seen', () => {
  const landing = seenValidUntil(at(86_400))
  const landed = applyResult(known, landing)
  assert.deepEqual([landed.verdict, landed.result], ['SLOW', landing])
})

const slow: MonitorSnapshot = {
  ...known,
  type: 'HTTP',
  degradedThresholdMs: 100,
  degradedSamples: 2,
  samplesMs: [300],
  samplesRegion: 1,
}
const EU = 1
const US = 2

function seenIn(regionNo: number, responseMs: number, sampled = true): CheckResult {
  const nothing = { causeCode: null, cause: null, httpStatus: null, dnsAnswers: null }
  return {
    kind: 'SCHEDULED',
    slot: at(0),
    epoch: 3,
    regionNo,
    beganAt: at(0),
    endedAt: at(1),
    outcome: { result: 'OK', responseMs, sampled },
    seen: { ...nothing, responseMs, certExpiresAt: null, domainExpiresAt: null },
  }
}

// biome-ignore format: a table is read by its columns
const windows: [why: string, before: MonitorSnapshot, landing: CheckResult, state: string, samples: number[], region: number | null][] = [
  ['the same region adds to its samples',          slow, seenIn(EU, 300),        'DEGRADED', [300, 300], EU],
  ['another region starts over',                   slow, seenIn(US, 300),        'UP',       [300],      US],
  ['a stand-in changes nothing',                   slow, seenIn(US, 900, false), 'UP',       [300],      EU],
  ['samples from before regions were written down', { ...slow, samplesRegion: null }, seenIn(EU, 300), 'DEGRADED', [300, 300], EU],
]
for (const [why, before, landing, state, samples, region] of windows)
  test(`samples of different regions are not mixed: ${why}`, () => {
    const { snapshot: after } = applyResult(before, landing)
    assert.deepEqual([after.state, after.samplesMs, after.samplesRegion], [state, samples, region])
  })

const issued = { ...known, issuer: "Let's Encrypt" }
const registered: MonitorSnapshot = { ...known, type: 'DOMAIN', issuer: 'Gandi' }

type Outcome = CheckResult['outcome']

function seenFrom(issuer: string | null | undefined, outcome?: Outcome): CheckResult {
  const result = seenValidUntil(at(86_400 * 90))
  const seen = issuer === undefined ? result.seen : { ...result.seen, issuer }
  return { ...result, seen, outcome: outcome ?? result.outcome }
}
const failedOutcome: Outcome = {
  result: 'FAILED',
  failure: { cause: 'CERT_UNTRUSTED', bytesSent: false, controlReached: null },
  failedSince: at(0),
}
const undecided: Outcome = { result: 'INCONCLUSIVE', reason: 'NO_PROBE' }

// biome-ignore format: a table is read by its columns
const issuers: [why: string, before: MonitorSnapshot, result: CheckResult, issuer: string | null][] = [
  ['the first one',                    known,      seenFrom('DigiCert Inc'),                'DigiCert Inc'],
  ['another one',                      issued,     seenFrom('DigiCert Inc'),                'DigiCert Inc'],
  ['none was seen',                    issued,     seenFrom(null),                          "Let's Encrypt"],
  ['from an older probe',              issued,     seenFrom(undefined),                     "Let's Encrypt"],
  ['still unknown',                    known,      seenFrom(undefined),                     null],
  ['a registrar',                      registered, seenFrom('OVH SAS'),                     'OVH SAS'],
  ['a registry that names nobody',     registered, seenFrom(null),                          'Gandi'],
  ['of a certificate that is refused', issued,     seenFrom('Acme', failedOutcome),         'Acme'],
  ['a check that decides nothing',     issued,     seenFrom('Acme', undecided),             "Let's Encrypt"],
  ['a check of the previous target',   issued,     { ...seenFrom('Acme'), epoch: 2 },       "Let's Encrypt"],
  ['a page has none',                  slow,       seenFrom('Acme'),                        null],
]
for (const [why, before, result, issuer] of issuers)
  test(`the issuer as last seen: ${why}`, () =>
    assert.equal(applyResult(before, result).snapshot.issuer, issuer))
