import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentText } from '../messages/silent.ts'
import { isSilent, warningOf } from './silent.ts'

const cases: [string, Parameters<typeof warningOf>[0], string | undefined][] = [
  ['up, with a contact', { alerting: 'ON', incidentAlerting: null }, undefined],
  [
    'up, without a contact',
    { alerting: 'NO_CONTACTS', incidentAlerting: null },
    'No one is alerted about outages: this monitor has no contacts.',
  ],
  [
    'down, its contact added later',
    { alerting: 'ON', incidentAlerting: 'ADDED_LATER' },
    "No one was alerted: this monitor's contacts were added after it began.",
  ],
  [
    'down, its contact removed after the alert',
    { alerting: 'NO_CONTACTS', incidentAlerting: 'ALERTED' },
    'No one is alerted about outages: this monitor has no contacts.',
  ],
  ['down, acknowledged in time', { alerting: 'ON', incidentAlerting: 'ACKNOWLEDGED' }, undefined],
  [
    'down, an unconfirmed address',
    { alerting: 'UNCONFIRMED', incidentAlerting: 'UNCONFIRMED' },
    "No one was alerted: the email addresses of this monitor's contacts are not confirmed.",
  ],
]
for (const [when, screen, sentence] of cases)
  test(`a monitor that is ${when}: ${sentence ?? 'no warning'}`, () => {
    const { alerting, isOutage } = warningOf(screen)
    const { because, was, is } = silentText
    const said = isSilent(alerting)
      ? (isOutage ? was : is)({ reason: because[alerting] })
      : undefined
    assert.equal(said, sentence)
  })
