import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type EndedAttempt,
  type EndpointFate,
  judgeReceiver,
  LOST,
  type ReceiverHealth,
  type SendResult,
  settleAttempt,
} from './delivery-outcome.ts'
import { DEFAULT_SCHEDULE_SECONDS, HEALTHY } from './retry-schedule.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const EARLIER = new Date('2026-11-14T11:00:00Z')
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)

const SENT: SendResult = {
  outcome: 'SUCCEEDED',
  durationMs: 12.4,
  url: 'https://example.com/',
  responseStatus: 200,
  responseBody: 'ok',
  retryAfter: undefined,
  errorCode: null,
  error: null,
  isReceiverFault: false,
  next: 'RETRY',
}
const REFUSED: SendResult = {
  ...SENT,
  outcome: 'FAILED',
  responseStatus: 500,
  errorCode: 'BAD_STATUS',
  error: 'HTTP 500',
  isReceiverFault: true,
}
const GONE: SendResult = { ...REFUSED, responseStatus: 410, error: 'HTTP 410', next: 'GONE' }
const UNKNOWN_RECIPIENT: SendResult = { ...REFUSED, isReceiverFault: false, next: 'OVER' }
const BUSY: SendResult = { ...REFUSED, responseStatus: 503, retryAfter: '120' }
const TIMED_OUT: SendResult = { ...REFUSED, responseStatus: null, errorCode: 'TIMEOUT' }

function ended(result: SendResult, changes: Partial<EndedAttempt> = {}): EndedAttempt {
  const who = { deliveryId: 'd', orgId: 'org', endpointId: 'e', channel: 'WEBHOOK' as const }
  return { ...who, number: 1, manual: false, startedAt: EARLIER, result, ...changes }
}

// biome-ignore format: a table is read by its columns
const deliveries: [string, SendResult, Partial<EndedAttempt>, status: string, nextSeconds: number | null][] = [
  ['success',                            SENT,              {},                            'SUCCEEDED', null],
  ['success of a manual attempt',        SENT,              { manual: true },              'SUCCEEDED', null],
  ['first failure',                      REFUSED,           {},                            'PENDING',   5],
  ['second failure',                     REFUSED,           { number: 2 },                 'PENDING',   30],
  ['ninth failure',                      REFUSED,           { number: 9 },                 'PENDING',   129_600],
  ['tenth failure',                      REFUSED,           { number: 10 },                'FAILED',    null],
  ['failure of a manual attempt',        REFUSED,           { manual: true },              'FAILED',    null],
  ['it would only fail again',           UNKNOWN_RECIPIENT, {},                            'FAILED',    null],
  ['the receiver wants nothing anymore', GONE,              {},                            'FAILED',    null],
  ['the receiver asks for two minutes',  BUSY,              {},                            'PENDING',   120],
  ['a late timeout waits for a minute',  TIMED_OUT,         { number: 3 },                 'PENDING',   120],
  ['the process died',                   LOST,              {},                            'PENDING',   5],
]
for (const [name, result, changes, status, nextSeconds] of deliveries)
  test(`${name}: ${status}${nextSeconds === null ? '' : `, again in ${nextSeconds} s`}`, () => {
    const timing = { scheduleSeconds: DEFAULT_SCHEDULE_SECONDS, random: 0.5, now: NOW }
    const { nextAttemptAt, completedAt, ...settled } = settleAttempt(ended(result, changes), timing)
    const waitMs = nextAttemptAt && nextAttemptAt.getTime() - NOW.getTime()
    assert.deepEqual(
      [settled.status, waitMs, completedAt],
      [status, nextSeconds && nextSeconds * 1000, nextSeconds === null ? NOW : null],
    )
  })

test('an attempt is settled with what came back, its duration in whole milliseconds', () => {
  const timing = { scheduleSeconds: DEFAULT_SCHEDULE_SECONDS, random: 0.5, now: NOW }
  assert.deepEqual(settleAttempt(ended(SENT, { number: 3 }), timing), {
    deliveryId: 'd',
    number: 3,
    startedAt: EARLIER,
    durationMs: 12,
    url: 'https://example.com/',
    outcome: 'SUCCEEDED',
    responseStatus: 200,
    responseBody: 'ok',
    errorCode: null,
    error: null,
    status: 'SUCCEEDED',
    nextAttemptAt: null,
    completedAt: NOW,
  })
})

const FINE: ReceiverHealth = {
  ...HEALTHY,
  endpointId: 'e',
  orgId: 'org',
  channel: 'WEBHOOK',
  disabledReason: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  warnedAt: null,
}
const failing = (hours: number, failuresInARow: number): ReceiverHealth => ({
  ...FINE,
  failuresInARow,
  failingSince: hoursAgo(hours),
})
const WARNED = { ...failing(25, 12), warnedAt: EARLIER }
const DAYS = failing(121, 30)

// biome-ignore format: a table is read by its columns
const judged: [string, ReceiverHealth, SendResult[], Partial<ReceiverHealth>, EndpointFate | undefined][] = [
  ['nothing ended',                       FINE,                                   [],               { failuresInARow: 0 },                                         undefined],
  ['success',                             FINE,                                   [SENT],           { failuresInARow: 0, lastSuccessAt: NOW, lastFailureAt: null }, undefined],
  ['failure',                             FINE,                                   [REFUSED],        { failuresInARow: 1, failingSince: NOW, lastFailureAt: NOW },   undefined],
  ['failure of one recipient',            FINE,                                   [UNKNOWN_RECIPIENT], { failuresInARow: 0, lastFailureAt: null },                  undefined],
  ['our own process died',                FINE,                                   [LOST],           { failuresInARow: 0, lastFailureAt: null },                    undefined],
  ['failure, then success',               FINE,                                   [REFUSED, SENT],  { failuresInARow: 0, failingSince: null, lastFailureAt: NOW },  undefined],
  ['success, then failure',               FINE,                                   [SENT, REFUSED],  { failuresInARow: 1, failingSince: NOW, lastSuccessAt: NOW },   undefined],
  ['success after a warning',             WARNED,                                 [SENT],           { warnedAt: null, failingSince: null },                        undefined],
  ['failing for a day',                   failing(25, 12),                        [REFUSED],        { warnedAt: NOW, disabledReason: null },                       'WARNED'],
  ['warned before',                       WARNED,                                 [REFUSED],        { warnedAt: EARLIER, disabledReason: null },                   undefined],
  ['failing for five days',               DAYS,                                   [REFUSED],        { disabledReason: 'FAILING' },                                 'DISABLED'],
  ['five days, but few failures',         failing(121, 5),                        [REFUSED],        { disabledReason: null },                                      'WARNED'],
  ['five days, then a success',           DAYS,                                   [SENT],           { disabledReason: null },                                      undefined],
  ['gone',                                FINE,                                   [GONE],           { disabledReason: 'GONE' },                                    'GONE'],
  ['gone, though another one got in',     FINE,                                   [GONE, SENT],     { disabledReason: 'GONE', failuresInARow: 0 },                 'GONE'],
  ['disabled by hand, a test fails',      { ...DAYS, disabledReason: 'MANUAL' },  [GONE],           { disabledReason: 'MANUAL' },                                  undefined],
  ['an alert contact is given up too',    { ...DAYS, channel: 'ALERT' },          [REFUSED],        { disabledReason: 'FAILING' },                                 'DISABLED'],
  ['our own mail relay is never given up', { ...DAYS, channel: 'EMAIL' },         [REFUSED],        { disabledReason: null, warnedAt: null },                      undefined],
]
for (const [name, before, results, changes, what] of judged)
  test(`receiver: ${name} -> ${what ?? 'no notice'}`, () => {
    const attempts = results.map((result) => ended(result))
    const { receiver, notice } = judgeReceiver(before, attempts, DEFAULT_SCHEDULE_SECONDS, NOW)
    assert.deepEqual({ ...receiver, ...changes }, receiver)
    assert.equal(notice?.what, what)
  })

test('a notice says since when, and the last error of the receiver itself', () => {
  const attempts = [REFUSED, UNKNOWN_RECIPIENT].map((result) => ended(result))
  const { notice } = judgeReceiver(failing(25, 12), attempts, DEFAULT_SCHEDULE_SECONDS, NOW)
  const about = { endpointId: 'e', orgId: 'org', channel: 'WEBHOOK', what: 'WARNED' }
  assert.deepEqual(notice, { ...about, since: hoursAgo(25), error: 'HTTP 500' })
})
