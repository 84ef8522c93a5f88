import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentPublished, type IncidentScreen, isSilent } from './screen.ts'

type Timeline = IncidentScreen['timeline']
// Only the field that is read.
const alerted = [{ type: 'ALERT' }] as Timeline
const opened = [{ type: 'OPENED' }] as Timeline

const cases: [string, Parameters<typeof isSilent>[0], boolean][] = [
  ['no contacts', { alerting: 'NO_CONTACTS', resolvedAt: null, timeline: opened }, true],
  ['contacts that are off', { alerting: 'CONTACTS_OFF', resolvedAt: null, timeline: opened }, true],
  ['a contact', { alerting: 'ON', resolvedAt: null, timeline: opened }, false],
  ['an alert before', { alerting: 'NO_CONTACTS', resolvedAt: null, timeline: alerted }, false],
  ['its end', { alerting: 'NO_CONTACTS', resolvedAt: '2026-11-18', timeline: opened }, false],
]
for (const [why, incident, silent] of cases)
  test(`an incident with ${why} ${silent ? 'alerted no one' : 'is not called silent'}`, () =>
    assert.equal(isSilent(incident), silent))

test('an update goes to the open published incident, even if a later one is resolved', () => {
  const open = { id: 'sin_1', title: 'Down', status: 'MONITORING' } as const
  const over = { id: 'sin_2', title: 'Again', status: 'RESOLVED' } as const
  assert.equal(currentPublished({ published: [open, over] })?.id, 'sin_1')
  assert.equal(currentPublished({ published: [over] })?.id, 'sin_2')
  assert.equal(currentPublished({ published: [] }), undefined)
})
