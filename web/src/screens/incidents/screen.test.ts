import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentPublished, noAlertsSentence } from './screen.ts'

const cases: [string, Parameters<typeof noAlertsSentence>[0], RegExp][] = [
  ['a contact', { alerting: 'ON', resolvedAt: null }, /^None yet\. Contacts are alerted after/],
  ['no contacts', { alerting: 'NO_CONTACTS', resolvedAt: null }, /^None\.$/],
  ['a contact added later', { alerting: 'ADDED_LATER', resolvedAt: null }, /^None\.$/],
  ['an end in time', { alerting: 'ON', resolvedAt: '2026-11-18' }, /^None\.$/],
  [
    'escalation alone, acknowledged',
    { alerting: 'ACKNOWLEDGED', resolvedAt: null },
    /Acknowledged/,
  ],
  ['a deleted contact', { alerting: 'ALERTED', resolvedAt: null }, /^Alerts were sent/],
  [
    'a deleted contact and an end',
    { alerting: 'ALERTED', resolvedAt: '2026-11-18' },
    /^Alerts were sent/,
  ],
]
for (const [why, incident, sentence] of cases)
  test(`an incident with ${why} and no message listed says ${sentence}`, () =>
    assert.match(noAlertsSentence(incident), sentence))

test('an update goes to the open published incident, even if a later one is resolved', () => {
  const open = { id: 'sin_1', title: 'Down', status: 'MONITORING' } as const
  const over = { id: 'sin_2', title: 'Again', status: 'RESOLVED' } as const
  assert.equal(currentPublished({ published: [open, over] })?.id, 'sin_1')
  assert.equal(currentPublished({ published: [over] })?.id, 'sin_2')
  assert.equal(currentPublished({ published: [] }), undefined)
})
