import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monitorText } from '../../messages/monitor.ts'
import { checkedMessage, verdictOf } from './verdict-text.ts'

type Judged = Parameters<typeof verdictOf>[0]

const INCIDENT = {
  id: 'inc_1',
  cause: 'HTTP 503',
  causeCode: 'UNEXPECTED_STATUS' as const,
  startedAt: '2026-11-14T13:00:00.000Z',
  acknowledged: false,
}
const slow = (degradedThresholdMode: 'LAST' | 'P95', degradedSamples: number) => ({
  degradedThresholdMs: 500,
  degradedThresholdMode,
  degradedSamples,
})
const judged = (part: Partial<Judged>): Judged => ({
  type: 'HTTP',
  state: 'UP',
  inMaintenance: false,
  expiry: null,
  openIncident: null,
  downFrom: null,
  notices: [],
  at: '2026-11-14T13:31:00.000Z',
  monitor: { degradedThresholdMs: null, degradedThresholdMode: 'LAST', degradedSamples: 3 },
  ...part,
})
const expires = (at: string, daysLeft: number, soon = false): Judged['expiry'] => ({
  what: 'CERTIFICATE',
  at,
  daysLeft,
  warnDays: 14,
  issuer: null,
  soon,
  expired: new Date(at) < new Date('2026-11-14T13:31:00.000Z'),
})
const notice = (kind: Judged['notices'][number]['kind']) => ({
  kind,
  since: '2026-11-14T13:05:00.000Z',
  reason: kind === 'NOT_CHECKED' ? 'NO_PROBE' : null,
  region: 'site-b',
  otherRegion: kind === 'NOT_CHECKED' ? null : 'us-east',
})
const MAINTENANCE = "Checks continue, alerts are muted, and downtime isn't counted."

// biome-ignore format: a table is read by its columns
const rows: [why: string, given: Partial<Judged>, state: string, text: string][] = [
  ['up',                    {},                                                   'UP',       '(state) (lasts)'],
  ['down',                  { state: 'DOWN', openIncident: INCIDENT },            'DOWN',     '(state) (lasts) HTTP 503'],
  ['paused',                { state: 'PAUSED' },                                  'PAUSED',
    "(state) (lasts) Checks and alerts are off. Paused time doesn't count."],
  ['pending',               { state: 'PENDING' },                                 'PENDING',  'Pending. Waiting for the first result.'],
  ['a job without a ping',  { state: 'PENDING', type: 'CRON' },                   'PENDING',  'Waiting for the first ping.'],
  ['in maintenance',        { inMaintenance: true },                              'MAINTENANCE', `In maintenance. ${MAINTENANCE}`],
  ['down in maintenance',   { state: 'DOWN', inMaintenance: true },               'MAINTENANCE', `In maintenance. ${MAINTENANCE}`],
  ['paused in maintenance', { state: 'PAUSED', inMaintenance: true },             'PAUSED',
    "(state) (lasts) Checks and alerts are off. Paused time doesn't count."],
  ['slow, one check',       { state: 'DEGRADED', monitor: slow('LAST', 1) },      'DEGRADED', '(state) (lasts) The last check was over 500 ms.'],
  ['slow, three checks',    { state: 'DEGRADED', monitor: slow('LAST', 3) },      'DEGRADED', '(state) (lasts) The last 3 checks were over 500 ms.'],
  ['slow by p95',           { state: 'DEGRADED', monitor: slow('P95', 20) },      'DEGRADED', '(state) (lasts) The p95 of the last 20 checks is over 500 ms.'],
  ['not checked',           { notices: [notice('NOT_CHECKED')] },                 'UP',       '(state) (lasts) Not checked since 13:05: no probe in site-b.'],
  ['never checked',         { state: 'PENDING', notices: [notice('NOT_CHECKED')] }, 'PENDING',
    'Pending. Waiting for the first result. Not checked since 13:05: no probe in site-b.'],
  ['fails from home',       { notices: [notice('FAILS_FROM_HOME')] },             'UP',
    '(state) (lasts) Fails from site-b, passes from us-east, since 13:05.'],
  ['a region left out',     { notices: [notice('REGION_LEFT_OUT')] },             'UP',
    '(state) (lasts) Not checked from all of its regions since 13:05: no result in site-b.'],
  ['down from one region',  { state: 'DEGRADED', downFrom: 'Down from 1 of 3 regions: us-east. Up from eu and ap' }, 'DEGRADED',
    '(state) (lasts) Down from 1 of 3 regions: us-east. Up from eu and ap.'],
  ['a certificate',         { type: 'SSL', expiry: expires('2027-01-15T12:00:00Z', 61) }, 'UP', 'Valid for 61 days, until Jan 15, 2027.'],
  ['a certificate, soon',   { type: 'SSL', expiry: expires('2026-11-22T12:00:00Z', 8, true) }, 'EXPIRING', 'Valid for 8 days, until Sun, Nov 22.'],
  ['a certificate, one day', { type: 'SSL', expiry: expires('2026-11-15T14:00:00Z', 1, true) }, 'EXPIRING', 'Valid for 1 day, until Sun, Nov 15.'],
  ['a certificate, < 1 day',  { type: 'SSL', expiry: expires('2026-11-14T20:00:00Z', 0, true) }, 'EXPIRING', 'Valid for less than a day, until 20:00.'],
  ['a domain',              { type: 'DOMAIN', expiry: expires('2027-01-15T12:00:00Z', 61) }, 'UP', 'Registered for 61 days, until Jan 15, 2027.'],
  ['expired',               { type: 'SSL', state: 'DOWN', openIncident: INCIDENT, expiry: expires('2026-11-13T12:00:00Z', 0, true) },
    'DOWN', '(state) (lasts) HTTP 503'],
  ['expired, not a failure', { type: 'SSL', expiry: expires('2026-11-13T12:00:00Z', 0, true) }, 'EXPIRING', 'Certificate expired on Fri, Nov 13.'],
  ['a registration, expired', { type: 'DOMAIN', expiry: expires('2026-11-13T12:00:00Z', 0, true) }, 'EXPIRING', 'Registration expired on Fri, Nov 13.'],
  ['a page, soon',          { expiry: expires('2026-11-22T12:00:00Z', 8, true) },  'UP',       '(state) (lasts)'],
]
for (const [why, given, state, sentence] of rows)
  test(`verdict: ${why}`, () => {
    const { lead, lasts, until, reason, ...shown } = verdictOf(judged(given), 'UTC')
    const strong = { lead: lead ?? '(state)', b: (inside: unknown) => String(inside) }
    const head = until
      ? monitorText.verdict[until.how]({ ...strong, moment: until.moment })
      : strong.lead
    const parts = [head, lasts && '(lasts)', reason]
    assert.deepEqual([shown.state, parts.filter(Boolean).join(' ')], [state, sentence])
  })

// biome-ignore format: a table is read by its columns
const checks: [before: Judged['state'], after: Judged['state'], hasCause: boolean, message: string][] = [
  ['UP',   'UP',   false, 'Checked: up'],
  ['UP',   'DOWN', false, 'Checked: down'],
  ['DOWN', 'DOWN', true,  'Still down: HTTP 503'],
  ['DOWN', 'DOWN', false, 'Checked: down'],
  ['DOWN', 'UP',   true,  'Checked: up'],
]
for (const [before, after, hasCause, message] of checks)
  test(`checked by hand: ${before}, then ${after}${hasCause ? ', with a cause' : ''}`, () => {
    const screen = { state: before, openIncident: hasCause ? INCIDENT : null }
    assert.equal(checkedMessage(screen, { state: after }, after === 'UP' ? 'Up' : 'Down'), message)
  })
