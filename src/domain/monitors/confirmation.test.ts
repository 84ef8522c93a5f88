import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Attempt,
  type CheckFailure,
  type CheckPlan,
  type ConfirmationStep,
  maxCheckMs,
  nextStep,
  PROBE_FAULT,
  sendsOnce,
} from './confirmation.ts'

const PLAN: CheckPlan = {
  timeoutSeconds: 30,
  method: 'GET',
  base: 'eu',
  proven: ['eu', 'us', 'ap'],
  liveRegions: ['eu', 'us'],
  isDown: false,
  isPrivate: false,
  doubt: 'NONE',
  wasReachedAt: (address) => address === '10.0.0.7',
}
const T0 = new Date('2026-11-14T22:39:00.000Z')

type Look = Partial<CheckFailure> & {
  region?: string
  stalled?: boolean
  fault?: string
  responseMs?: number
  tookMs?: number
}

// Attempts one after the other, a second apart. Without a `cause`, the attempt passed.
function attemptsOf(looks: readonly Look[]): Attempt[] {
  let startMs = T0.getTime()
  return looks.map(({ region = 'eu', stalled = false, fault, responseMs = 120, ...look }) => {
    const { tookMs = 100, ...failure } = look
    const startedAt = new Date(startMs)
    const endedAt = new Date(startMs + tookMs)
    startMs = endedAt.getTime() + 1000
    const common = { region, startedAt, endedAt, stalled }
    if (fault !== undefined) return { ...common, outcome: 'FAULT', reason: fault }
    if (failure.cause === undefined) return { ...common, outcome: 'OK', responseMs }
    const found = { cause: failure.cause, bytesSent: false, controlReached: null, ...failure }
    return { ...common, outcome: 'FAILED', failure: found }
  })
}

function told(step: ConfirmationStep): string {
  if (step.do === 'ATTEMPT') return `${step.region} +${step.delayMs} ${step.budgetMs}`
  const { check } = step
  if (check.result === 'OK') return check.sampled ? 'OK sampled' : 'OK'
  return check.result === 'FAILED' ? `FAILED ${check.failure.cause}` : `? ${check.reason}`
}

const refused = { cause: 'CONNECTION_REFUSED' }
const timeout = { cause: 'TIMEOUT', tookMs: 30_000 }
const http503 = { cause: 'UNEXPECTED_STATUS', httpStatus: 503, bytesSent: true }
const http404 = { cause: 'UNEXPECTED_STATUS', httpStatus: 404, bytesSent: true }
const fromUs = { region: 'us' }
const spoiled = { ...timeout, stalled: true }
const nonsense = { fault: PROBE_FAULT }
const CONFIRM = 'us +1000 10000'

type Row = [why: string, looks: Look[], next: string, plan?: Partial<CheckPlan>]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['the first attempt has the whole budget',     [],                              'eu +0 30000'],
  ['home has no probe: another stands in',       [],                              'us +0 30000', { liveRegions: ['us'] }],
  ['no probe anywhere',                          [],                              '? NO_PROBE',  { liveRegions: [] }],
  ['passed',                                     [{}],                            'OK sampled'],
  ['passed at a stand-in: its time is no sample', [fromUs],                       'OK'],
  ['passed while stalled: no sample',            [{ stalled: true }],             'OK'],
  ['no region is base yet: a proven one checks',  [],                              'eu +0 30000', { base: undefined }],
  ['no region is base yet: its time is no sample', [{}],                          'OK',          { base: undefined }],

  // Transport failures and HTTP 5xx are confirmed by a second attempt.
  ['refused',                                    [refused],                       CONFIRM],
  ['reset',                                      [{ cause: 'CONNECTION_RESET' }], CONFIRM],
  ['unreachable',                                [{ cause: 'CONNECTION_FAILED' }], CONFIRM],
  ['timeout',                                    [timeout],                       CONFIRM],
  ['DNS',                                        [{ cause: 'DNS_ERROR' }],        CONFIRM],
  ['TLS',                                        [{ cause: 'TLS_ERROR' }],        CONFIRM],
  ['ping',                                       [{ cause: 'PING_NO_REPLY' }],    CONFIRM],
  ['HTTP 503',                                   [http503],                       CONFIRM],
  ['a short timeout confirms with its own',      [refused],                       'us +1000 5000', { timeoutSeconds: 5 }],
  ['one region only: it looks twice itself',     [refused],                       'eu +1000 10000', { liveRegions: ['eu'] }],
  ['every probe is gone by then',                [refused],                       '? NO_PROBE', { liveRegions: [] }],

  // Every other failure is final right away.
  ['HTTP 404',                                   [http404],                       'FAILED UNEXPECTED_STATUS'],
  ...['CERT_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_UNTRUSTED', 'CERT_NAME_MISMATCH', 'TOO_MANY_REDIRECTS',
    'KEYWORD_MISSING', 'KEYWORD_PRESENT', 'DNS_NO_RECORDS', 'DNS_MISMATCH', 'DOMAIN_EXPIRED',
    'DOMAIN_NOT_REGISTERED', 'TARGET_NOT_ALLOWED', 'INVALID_RESPONSE'].map((cause): Row => [cause, [{ cause }], `FAILED ${cause}`]),

  // The second attempt decides.
  ['refused, then passed elsewhere',             [refused, fromUs],               'OK'],
  ['refused, then passed at home',               [refused, {}],                   'OK sampled', { liveRegions: ['eu'] }],
  ['refused twice',                              [refused, { ...refused, ...fromUs }], 'FAILED CONNECTION_REFUSED'],
  ['timeout, then 503',                          [timeout, { ...http503, ...fromUs }], 'FAILED UNEXPECTED_STATUS'],

  // A request with side effects is not sent twice once its bytes have left.
  ['POST answered 503',                          [http503],                       'FAILED UNEXPECTED_STATUS', { method: 'POST' }],
  ['POST timed out after sending',               [{ ...timeout, bytesSent: true }], 'FAILED TIMEOUT', { method: 'POST' }],
  ['POST refused: nothing was sent',             [refused],                       CONFIRM, { method: 'POST' }],
  ['HEAD answered 503',                          [http503],                       CONFIRM, { method: 'HEAD' }],

  // Silence counts only if a second region saw it too, or if a control target responds.
  ['silence at home, control answers',           [timeout, { ...timeout, controlReached: true }],  'FAILED TIMEOUT', { liveRegions: ['eu'] }],
  ['silence at home, control silent too',        [timeout, { ...timeout, controlReached: false }], '? EGRESS', { liveRegions: ['eu'] }],
  ['control silent first, then back',            [{ ...timeout, controlReached: false }, { ...timeout, controlReached: true }], '? EGRESS', { liveRegions: ['eu'] }],
  ['silence, no control targets: rule off',      [timeout, { ...timeout, controlReached: null }],  'FAILED TIMEOUT', { liveRegions: ['eu'] }],
  ['silence in two regions',                     [timeout, { ...timeout, ...fromUs, controlReached: false }], 'FAILED TIMEOUT'],
  ['unreachable, control silent too',            [refused, { cause: 'CONNECTION_FAILED', ...fromUs, controlReached: false }], '? EGRESS'],
  ['no ping reply, control silent too',          [refused, { cause: 'PING_NO_REPLY', controlReached: false }], '? EGRESS'],
  ['a refusal proves the network',               [timeout, { ...refused, controlReached: false }], 'FAILED CONNECTION_REFUSED'],
  ['POST met silence, control silent too',       [{ ...timeout, bytesSent: true, controlReached: false }], '? EGRESS', { method: 'POST' }],

  ['silence while the monitor is DOWN already',  [timeout, { ...timeout, controlReached: false }], 'FAILED TIMEOUT', { liveRegions: ['eu'], isDown: true }],
  ['silence for so long that it counts',         [timeout, { ...timeout, controlReached: false }], 'FAILED TIMEOUT', { liveRegions: ['eu'], doubt: 'OVER' }],
  ['SERVFAIL is silence',                        [refused, { cause: 'DNS_ERROR', silent: true, controlReached: false }], '? EGRESS', { liveRegions: ['eu'] }],
  ['NXDOMAIN is none',                           [refused, { cause: 'DNS_ERROR', silent: false, controlReached: false }], 'FAILED DNS_ERROR', { liveRegions: ['eu'] }],
  ['a private target alone raises no doubt',     [timeout, timeout],              'FAILED TIMEOUT', { liveRegions: ['eu'], isPrivate: true }],
  ['a private target, control targets silent',   [timeout, { ...timeout, controlReached: false }], '? EGRESS', { liveRegions: ['eu'], isPrivate: true }],
  ['a private target is silent during doubt',    [timeout, timeout],              '? EGRESS', { liveRegions: ['eu'], isPrivate: true, doubt: 'DOUBT' }],
  ['a private target is silent after it',        [timeout, timeout],              'FAILED TIMEOUT', { liveRegions: ['eu'], isPrivate: true, doubt: 'OVER' }],

  // Only a region that has seen the target work may say that it does not.
  ['home is gone, others never saw it work',     [],                              '? NO_PROBE',  { liveRegions: ['us'], proven: ['eu'] }],
  ['home is gone, another saw it work',          [],                              'us +0 30000', { liveRegions: ['ap', 'us'], proven: ['us'] }],
  ['refused, and no other region saw it work',   [refused],                       'eu +1000 10000', { proven: [] }],
  ['refused, then home is gone',                 [refused],                       '? NO_PROBE',  { proven: [], liveRegions: ['us'] }],
  ['a target that never passed fails from home', [refused, refused],              'FAILED CONNECTION_REFUSED', { proven: [] }],
  ['no route from home: another is asked',       [{ fault: 'NO_ROUTE' }],         'us +0 30000'],
  ['no route from anywhere',                     [{ fault: 'NO_ROUTE' }],         '? NO_ROUTE',  { proven: [] }],
  ['refused at an address that was OK before',   [{ cause: 'TARGET_NOT_ALLOWED', address: '10.0.0.7' }], 'us +0 30000'],
  ['the same, and nobody else to ask',           [{ cause: 'TARGET_NOT_ALLOWED', address: '10.0.0.7' }], '? TARGET_NOT_ALLOWED', { proven: [] }],
  ['refused at another address',                 [{ cause: 'TARGET_NOT_ALLOWED', address: '10.0.0.8' }], 'FAILED TARGET_NOT_ALLOWED'],

  // A chosen region says nothing by failing until it has seen the target work.
  ['chosen and not proven: it passes',           [{}],                            'OK sampled',  { isBaseUnproven: true }],
  ['it fails: a proven one is asked',            [http404],                       CONFIRM,       { isBaseUnproven: true }],
  ['which passes',                               [http404, fromUs],               'OK',          { isBaseUnproven: true }],
  ['which fails as well',                        [http404, { ...http404, ...fromUs }], 'FAILED UNEXPECTED_STATUS', { isBaseUnproven: true }],
  ['which has no probe',                         [http404],                       '? NOT_PROVEN', { isBaseUnproven: true, liveRegions: ['eu'] }],
  ['refused, and nobody else to ask',            [refused],                       '? NOT_PROVEN', { isBaseUnproven: true, proven: [] }],
  ['a POST was sent: it is not sent again',      [http404],                       '? NOT_PROVEN', { isBaseUnproven: true, method: 'POST' }],
  ['a POST was refused: a proven one is asked',  [refused],                       CONFIRM,       { isBaseUnproven: true, method: 'POST' }],
  ['the proven one reports nonsense',            [http404, { ...nonsense, ...fromUs }], '? PROBE_FAULT', { isBaseUnproven: true }],
  ['it has no probe: a proven one checks',       [],                              'us +0 30000', { isBaseUnproven: true, liveRegions: ['us'] }],

  // A stall spoils a timeout and nothing else.
  ['spoiled: again at once',                     [spoiled],                       'us +0 10000'],
  ['spoiled, then passed',                       [spoiled, fromUs],               'OK'],
  ['spoiled, then refused: decided',             [spoiled, { ...refused, ...fromUs }], 'FAILED CONNECTION_REFUSED'],
  ['spoiled twice',                              [spoiled, spoiled],              '? STALLED'],
  ['refused quickly, then spoiled: time is left', [refused, { ...spoiled, tookMs: 10_000 }], 'eu +0 10000', { liveRegions: ['eu'] }],
  ['timeout, then spoiled: no time is left',     [timeout, { ...spoiled, tookMs: 10_000 }], '? STALLED'],
  ['spoiled POST whose bytes left',              [{ ...spoiled, bytesSent: true }], '? STALLED', { method: 'POST' }],
  ['stalled but refused: a refusal needs no clock', [{ ...refused, stalled: true }], CONFIRM],
  ['spoiled at home is no second region',        [spoiled, { ...timeout, ...fromUs, controlReached: false }], '? EGRESS'],

  // Our own faults never count as downtime.
  ['no probe answered',                          [{ fault: 'NO_ANSWER' }],        '? NO_ANSWER'],
  ['resolver unreachable at the second look',    [refused, { fault: 'RESOLVER' }], '? RESOLVER'],

  // A probe that reports nonsense decides nothing; another region is asked, and confirms as if it were the first.
  ['nonsense from home',                         [nonsense],                      'us +0 30000'],
  ['nonsense from the only region',              [nonsense],                      '? PROBE_FAULT', { liveRegions: ['eu'] }],
  ['nonsense everywhere',                        [nonsense, { ...nonsense, ...fromUs }], '? PROBE_FAULT'],
  ['nonsense for a POST',                        [nonsense],                      '? PROBE_FAULT', { method: 'POST' }],
  ['nonsense, then passed elsewhere',            [nonsense, fromUs],              'OK'],
  ['nonsense, then refused: confirmed there',    [nonsense, { ...refused, ...fromUs }], 'us +1000 10000'],
  ['nonsense, then refused: by a third region',  [nonsense, { ...refused, ...fromUs }], 'ap +1000 10000', { liveRegions: ['eu', 'us', 'ap'] }],
  ['nonsense, then refused twice',               [nonsense, { ...refused, ...fromUs }, { ...refused, ...fromUs }], 'FAILED CONNECTION_REFUSED'],
  ['refused, then nonsense from the other',      [refused, { ...nonsense, ...fromUs }], '? PROBE_FAULT'],
  ['refused, then nonsense, then a third region', [refused, { ...nonsense, ...fromUs }], 'ap +0 30000', { liveRegions: ['eu', 'us', 'ap'] }],
  ['nonsense after the whole time of a check',   [{ ...nonsense, tookMs: 41_000 }], '? PROBE_FAULT'],
]

for (const [why, looks, next, plan] of rows) {
  test(`${why}: ${next}`, () => {
    assert.equal(told(nextStep({ ...PLAN, ...plan }, attemptsOf(looks))), next)
  })
}

test('an outage does not begin with an attempt that said nothing', () => {
  const us = { ...refused, ...fromUs }
  const step = nextStep(PLAN, attemptsOf([nonsense, us, us]))
  assert.ok(step.do === 'FINISH' && step.check.result === 'FAILED')
  assert.ok(step.check.failedSince > T0)
})

test('an outage begins with the first attempt that failed', () => {
  const step = nextStep(PLAN, attemptsOf([refused, { ...timeout, region: 'us' }]))
  assert.ok(step.do === 'FINISH' && step.check.result === 'FAILED')
  assert.deepEqual(step.check.failedSince, T0)
})

test('a spoiled attempt is no evidence: the outage begins with the one after it', () => {
  const step = nextStep(PLAN, attemptsOf([{ ...spoiled, tookMs: 30_000 }, refused]))
  assert.ok(step.do === 'FINISH' && step.check.result === 'FAILED')
  assert.deepEqual(step.check.failedSince, new Date(T0.getTime() + 31_000))
})

test('a stalled pass keeps its verdict and loses its time', () => {
  const step = nextStep(PLAN, attemptsOf([{ stalled: true, responseMs: 900 }]))
  assert.deepEqual(step, {
    do: 'FINISH',
    check: { result: 'OK', responseMs: null, sampled: false },
  })
})

test('only methods with an effect are sent once', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', null]
  assert.deepEqual(methods.filter(sendsOnce), ['POST', 'PUT', 'PATCH', 'DELETE'])
})

test('whatever the attempts bring, a check ends after at most three, inside its longest time', () => {
  const look = fc.record({
    cause: fc.constantFrom('TIMEOUT', 'CONNECTION_REFUSED', 'PING_NO_REPLY', 'KEYWORD_MISSING'),
    stalled: fc.boolean(),
    bytesSent: fc.boolean(),
    controlReached: fc.constantFrom(true, false, null),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const looks = fc.array(look, { minLength: 3, maxLength: 3 })
  const timeouts = fc.integer({ min: 1, max: 60 })
  fc.assert(
    fc.property(
      looks,
      timeouts,
      fc.constantFrom('GET', 'POST'),
      (found, timeoutSeconds, method) => {
        const plan = { ...PLAN, timeoutSeconds, method }
        const attempts: Attempt[] = []
        let nowMs = T0.getTime()
        for (let step = nextStep(plan, attempts); step.do === 'ATTEMPT'; ) {
          const { share, stalled, ...failure } =
            found[attempts.length] ?? assert.fail('a fourth attempt')
          const startedAt = new Date(nowMs + step.delayMs)
          nowMs = startedAt.getTime() + Math.floor(step.budgetMs * share)
          const endedAt = new Date(nowMs)
          attempts.push({
            region: step.region,
            startedAt,
            endedAt,
            stalled,
            outcome: 'FAILED',
            failure,
          })
          step = nextStep(plan, attempts)
        }
        assert.ok(nowMs - T0.getTime() <= maxCheckMs(timeoutSeconds))
      },
    ),
    { numRuns: 1000 },
  )
})
