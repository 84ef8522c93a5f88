import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type FailingContact,
  type LostAlert,
  ownerNotificationKind,
  toOwnerAlert,
} from './contact-failure.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
const CONTACT: FailingContact = {
  name: 'On call',
  channel: 'SLACK',
  isGivenUp: false,
  failingSince: ago(1),
  lastSuccessAt: null,
  told: null,
}
const failing = (hours: number) => ({ at: ago(hours), of: 'FAILING' as const })
const givenUp = (hours: number) => ({ at: ago(hours), of: 'GIVEN_UP' as const })

// biome-ignore format: a table is read by its columns
const rows: [what: string, fields: Partial<FailingContact>, hear: ReturnType<typeof ownerNotificationKind>][] = [
  ['the first alert that is lost',          {},                                                          'FAILING'],
  ['one more of the same stretch',          { told: failing(48) },                                       undefined],
  ['it worked since, but a moment ago',     { told: failing(23), lastSuccessAt: ago(2) },                undefined],
  ['it worked since, and days ago',         { told: failing(24), lastSuccessAt: ago(2) },                'FAILING'],
  ['it worked before they were told',       { told: failing(24), lastSuccessAt: ago(25) },               undefined],
  ['given up at once',                      { isGivenUp: true },                                         'GIVEN_UP'],
  ['given up after they heard it fails',    { isGivenUp: true, told: failing(1) },                       'GIVEN_UP'],
  ['given up, and they know',               { isGivenUp: true, told: givenUp(100) },                     undefined],
  ['given up again after it worked',        { isGivenUp: true, told: givenUp(2), lastSuccessAt: ago(1) }, 'GIVEN_UP'],
]
for (const [what, fields, hear] of rows)
  test(`${what}: owners hear ${hear ?? 'nothing'}`, () =>
    assert.equal(ownerNotificationKind({ ...CONTACT, ...fields }, NOW), hear))

const SETTING = {
  organization: 'Acme',
  baseUrl: 'https://up.example',
  timezone: 'UTC',
  at: NOW,
}
const lost = (fields: Partial<LostAlert> = {}): LostAlert => ({
  contact: CONTACT,
  kind: 'FAILING',
  title: 'Shop is down',
  error: 'HTTP 403: invalid_token',
  ...fields,
})

test('one contact: which, by what, which alert and why', () => {
  const alert = toOwnerAlert([lost()], 't', SETTING)
  assert.equal(alert.title, 'An alert to On call failed')
  assert.equal(alert.summary, 'By Slack since Sat, Nov 14, 11:00 UTC')
  assert.deepEqual(
    alert.facts.map(({ label }) => label),
    ['Alert', 'Why', 'Next step'],
  )
  const over = toOwnerAlert([lost({ kind: 'GIVEN_UP' })], 't', SETTING)
  assert.equal(over.title, 'On call no longer gets alerts')
})

test('many at once are one email', () => {
  const { title, facts } = toOwnerAlert([lost(), lost()], 't', SETTING)
  assert.equal(title, '2 alert contacts are failing')
  assert.deepEqual(facts[0], { label: 'On call', value: 'Slack: HTTP 403: invalid_token' })
})
