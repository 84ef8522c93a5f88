import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expiryLabel, expiryTitle, issuerLabel } from './expiry.ts'

type Row = Parameters<typeof expiryLabel>[0]

const EXPIRY = { what: 'CERTIFICATE', at: '2027-01-15T00:00:00.000Z', warnDays: 14 } as const

const EXPIRED = { ...EXPIRY, daysLeft: 0, expired: true, soon: true, issuer: null }

const row = (part: Partial<Row>, daysLeft: number | null, soon = false): Row => ({
  type: 'SSL',
  state: 'UP',
  inMaintenance: false,
  expiry: daysLeft === null ? null : { ...EXPIRY, daysLeft, expired: false, soon, issuer: null },
  ...part,
})

// biome-ignore format: a table is read by its columns
const rows: [why: string, row: Row, label: string | undefined][] = [
  ['a certificate',                   row({}, 60),                              'UP 60 days left'],
  ['a domain',                        row({ type: 'DOMAIN' }, 60),              'UP 60 days left'],
  ['from the warning on',             row({}, 8, true),                         'EXPIRING 8 days left'],
  ['degraded by the last check',      row({ state: 'DEGRADED' }, 15),           'EXPIRING 15 days left'],
  ['one day',                         row({}, 1, true),                         'EXPIRING 1 day left'],
  ['the last day',                    row({}, 0, true),                         'EXPIRING Less than a day left'],
  ['expired, not a failure',          row({ expiry: EXPIRED }, 0),              'EXPIRING Expired'],
  ['down',                            row({ state: 'DOWN' }, 0, true),          undefined],
  ['paused',                          row({ state: 'PAUSED' }, 60),             undefined],
  ['pending',                         row({ state: 'PENDING' }, 60),            undefined],
  ['in maintenance',                  row({ inMaintenance: true }, 60),         undefined],
  ['not known yet',                   row({}, null),                            undefined],
  ['a page with a certificate',       row({ type: 'HTTP' }, 8, true),           undefined],
]
for (const [why, given, label] of rows)
  test(`expiry in place of the state: ${why}`, () => {
    const shown = expiryLabel(given)
    assert.equal(shown && `${shown.state} ${shown.word}`, label)
  })

const from = (what: 'CERTIFICATE' | 'DOMAIN', issuer: string | null): Row['expiry'] => ({
  ...EXPIRY,
  what,
  daysLeft: 60,
  expired: false,
  soon: false,
  issuer,
})
const UNTIL = 'Until Fri, Jan 15, 2027, 00:00:00 UTC'

// biome-ignore format: a table is read by its columns
const titles: [why: string, type: Row['type'], expiry: Row['expiry'], title: string | undefined][] = [
  ['a certificate',            'SSL',    from('CERTIFICATE', "Let's Encrypt"), `${UNTIL} · issued by Let's Encrypt`],
  ['a domain',                 'DOMAIN', from('DOMAIN', 'Gandi SAS'),          `${UNTIL} · registered at Gandi SAS`],
  ['an unknown issuer',        'SSL',    from('CERTIFICATE', null),            UNTIL],
  ['expired',                  'SSL',    EXPIRED,                              'Expired Fri, Jan 15, 2027, 00:00:00 UTC'],
  ['not known yet',            'SSL',    null,                                 undefined],
  ['a page with a certificate', 'HTTP',  from('CERTIFICATE', null),            undefined],
]
for (const [why, type, expiry, title] of titles)
  test(`the tooltip of an expiry: ${why}`, () =>
    assert.equal(expiryTitle({ type, expiry }, 'UTC'), title))

test('who issued it is not said if it is not known', () => {
  assert.equal(issuerLabel({ what: 'DOMAIN', issuer: 'Gandi SAS' }), 'registered at Gandi SAS')
  assert.equal(issuerLabel({ what: 'CERTIFICATE', issuer: null }), null)
})
