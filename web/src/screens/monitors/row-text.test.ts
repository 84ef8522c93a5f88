import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedLabel, targetLabel, uptimeLabel } from './row-text.ts'

const plain = (label: string): string => label.replaceAll(/\s/g, ' ')

type Target = Parameters<typeof targetLabel>[0]
const CERTIFICATE = {
  what: 'CERTIFICATE',
  at: '2027-01-15T00:00:00.000Z',
  daysLeft: 60,
  expired: false,
  warnDays: 14,
  soon: false,
  issuer: "Let's Encrypt",
} as const
const DOMAIN = { ...CERTIFICATE, what: 'DOMAIN', issuer: 'Gandi' } as const

// biome-ignore format: a table is read by its columns
const targets: [why: string, row: Partial<Target>, label: string][] = [
  ['its target',            { type: 'PORT', target: 'db:5432' },                                  'db:5432'],
  ['the pings of a job',    { type: 'CRON', target: null },                                       'expects a ping every 30 min'],
  ['the issuer',            { type: 'SSL', target: 'acme.com', expiry: CERTIFICATE },             "acme.com · issued by Let's Encrypt"],
  ['the registrar',         { type: 'DOMAIN', target: 'acme.com', expiry: DOMAIN },               'acme.com · registered at Gandi'],
  ['once what the name says', { type: 'DOMAIN', name: 'acme.com', target: 'acme.com', expiry: DOMAIN }, 'Registered at Gandi'],
  ['not an unknown issuer', { type: 'SSL', target: 'acme.com', expiry: { ...CERTIFICATE, issuer: null } }, 'acme.com'],
  ['nothing before a check', { type: 'SSL', target: 'acme.com' },                                 'acme.com'],
  ['no issuer of a page',   { type: 'HTTP', target: 'https://acme.com', expiry: CERTIFICATE },    'https://acme.com'],
]
for (const [why, part, label] of targets)
  test(`below the name of a monitor: ${why}`, () =>
    assert.equal(
      plain(
        targetLabel({
          type: 'HTTP',
          target: '',
          name: 'Shop',
          everySeconds: 1800,
          expiry: null,
          ...part,
        }),
      ),
      label,
    ))

const LAST = '2026-11-14T13:27:10.000Z'
const NEXT = '2026-11-14T13:28:10.000Z'
const PING = '2026-11-14T03:00:00.000Z'
const row = (part: Partial<Parameters<typeof checkedLabel>[0]>) => ({
  type: 'HTTP' as const,
  state: 'UP' as const,
  lastCheckedAt: LAST,
  lastHeartbeatAt: null,
  nextCheckAt: NEXT,
  ...part,
})

// biome-ignore format: a table is read by its columns
const rows: [why: string, row: ReturnType<typeof row>, at: string | null, title: string][] = [
  ['checked',        row({}),                                        LAST,
    'Checked Sat, Nov 14, 2026, 13:27:10 UTC. Next check Sat, Nov 14, 2026, 13:28:10 UTC.'],
  ['paused',         row({ state: 'PAUSED' }),                       LAST, 'Checked Sat, Nov 14, 2026, 13:27:10 UTC.'],
  ['no next check',  row({ nextCheckAt: null }),                     LAST, 'Checked Sat, Nov 14, 2026, 13:27:10 UTC.'],
  ['not checked',    row({ lastCheckedAt: null }),                   null, ''],
  ['a job',          row({ type: 'CRON', lastHeartbeatAt: PING }),   PING,
    'Last ping Sat, Nov 14, 2026, 03:00:00 UTC. Next ping due Sat, Nov 14, 2026, 13:28:10 UTC.'],
  ['a silent job',   row({ type: 'CRON' }),                          null, ''],
]
for (const [why, given, at, title] of rows)
  test(`when it was checked: ${why}`, () => {
    const label = checkedLabel(given, 'UTC')
    assert.deepEqual([label.at, label.title], [at, title])
  })

test('who was never checked and who never sent a ping are called differently', () => {
  assert.equal(checkedLabel(row({})).none, 'not yet')
  assert.equal(checkedLabel(row({ type: 'CRON' })).none, 'no ping yet')
})

const DAY = 86_400
// biome-ignore format: a table is read by its columns
const uptimes: [why: string, ratio: number | null, measured: number, figure: string, title: string][] = [
  ['all of it measured',   0.9998, 30 * DAY, '99.98%', 'Measured for 30 days of the last 30 days'],
  ['half of it measured',  1,      15 * DAY, '100%',   'Measured for 15 days of the last 30 days'],
  ['less than half',       1,      14 * DAY, '–',       'Measured for 14 days of the last 30 days'],
  ['nothing measured',     null,   0,        '–',       'No data yet'],
]
for (const [why, uptime30d, measured30dSeconds, figure, title] of uptimes)
  test(`uptime in the list: ${why}`, () => {
    const label = uptimeLabel({ uptime30d, measured30dSeconds })
    assert.deepEqual([plain(label.figure), label.title], [figure, title])
  })
