import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Known, type Landing, land } from './landing.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

const known: Known = {
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
  dnsBaseline: null,
  expiryToldFor: null,
  domainExpiresAt: null,
  incident: null,
  maintenance: [],
  dnsAlertOnChange: true,
  sslExpiryThresholdDays: 2,
  degradedThresholdMs: null,
  degradedThresholdMode: 'LAST',
  degradedSamples: 3,
}

function seenValidUntil(expiresAt: Date): Landing {
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
  const landed = land(known, seenValidUntil(at(0.5)))
  const cause = 'Certificate expired on 2027-01-15'
  assert.deepEqual([landed.verdict, landed.known.state], ['FAILED', 'DOWN'])
  const opened = { do: 'OPEN', startedAt: at(0), causeCode: 'CERT_EXPIRED', cause }
  assert.deepEqual(landed.incident, opened)
  assert.equal(landed.landing.outcome.result, 'FAILED', 'whoever writes it down calls it so too')
  assert.deepEqual(
    [landed.landing.seen.causeCode, landed.landing.seen.cause],
    ['CERT_EXPIRED', cause],
  )
})

test('a certificate that is still valid lands as it was seen', () => {
  const landing = seenValidUntil(at(86_400))
  const landed = land(known, landing)
  assert.deepEqual([landed.verdict, landed.landing], ['SLOW', landing])
})
