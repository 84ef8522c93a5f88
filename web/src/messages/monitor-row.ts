// A monitor's row in the list. Separate from its page, because the list is part of the first load.
import { plural } from '../time/figures.ts'

export const monitorRowText = {
  ping: (every: string) => `expects a ping every ${every}`,
  notYet: 'not yet',
  noPing: 'no ping yet',
  checked: (full: string) => `Checked ${full}.`,
  lastPing: (full: string) => `Last ping ${full}.`,
  next: (full: string) => ` Next check ${full}.`,
  nextDue: (full: string) => ` Next ping due ${full}.`,
  measured: (duration: string) => `Measured for ${duration} of the last 30 days`,
  notMeasured: 'No data yet',
  bar: (name: string, state: string) => `${name}, last 24 hours: ${state} now`,
  lessThanADay: 'Less than a day left',
  expired: 'Expired',
  daysLeft: (days: number) => `${plural(days, 'day')} left`,
  until: (full: string) => `Until ${full}`,
  expiredOn: (full: string) => `Expired ${full}`,
  issuer: {
    CERTIFICATE: (name: string) => `issued by ${name}`,
    DOMAIN: (name: string) => `registered at ${name}`,
  },
}
