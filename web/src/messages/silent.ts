// A monitor or incident that alerts no one.
import type { Alerting, IncidentAlerting } from '../../../src/domain/alerts/alerting-state.ts'
import { plural } from '../time/figures.ts'

const because = {
  NO_CONTACTS: 'this monitor has no contacts.',
  CONTACTS_OFF: "all of this monitor's contacts are off.",
  UNCONFIRMED: "the email addresses of this monitor's contacts are not confirmed.",
  NO_DEVICE: "no device can receive notifications for this monitor's contacts.",
  NOT_FOR_OUTAGES: "this monitor's contacts are not set to get alerts about outages.",
  MIXED: "none of this monitor's contacts can be alerted.",
} satisfies Record<Exclude<Alerting, 'ON'>, string>

export const silentText = {
  because: {
    ...because,
    ADDED_LATER: "this monitor's contacts were added after it began.",
  } satisfies Record<Exclude<IncidentAlerting, 'ON' | 'ALERTED' | 'ACKNOWLEDGED'>, string>,
  was: (reason: string) => `No one was alerted: ${reason}`,
  is: (reason: string) => `No one is alerted about outages: ${reason}`,
  add: 'Add one',
  forTheNext: 'A contact that you add now is alerted about the next outage.',
  view: 'View contacts',
  row: 'Alerts no one about outages',
  count: (monitors: number) =>
    `${plural(monitors, 'monitor')} ${monitors === 1 ? 'alerts' : 'alert'} no one about outages.`,
}
