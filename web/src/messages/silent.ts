// A monitor that alerts no one.
import type { Alerting } from '../../../src/domain/alerts/alerting-state.ts'
import { plural } from '../time/figures.ts'

type Reason = Exclude<Alerting, 'ON'>

export const silentText = {
  because: {
    NO_CONTACTS: 'this monitor has no contacts.',
    CONTACTS_OFF: "all of this monitor's contacts are off.",
  } satisfies Record<Reason, string>,
  was: (because: string) => `No one was alerted: ${because}`,
  is: (because: string) => `No one is alerted: ${because}`,
  add: 'Add one',
  turnOn: 'View contacts',
  row: 'Alerts no one',
  count: (monitors: number) =>
    `${plural(monitors, 'monitor')} ${monitors === 1 ? 'alerts' : 'alert'} no one.`,
}
