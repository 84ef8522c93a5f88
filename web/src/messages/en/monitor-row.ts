// A monitor's row in the list. Separate from its page, because the list is part of the first load.
export const monitorRowText = {
  ping: 'expects a ping every {every}',
  notYet: 'not yet',
  noPing: 'no ping yet',
  checked: 'Checked {full}.',
  lastPing: 'Last ping {full}.',
  checkedAndNext: 'Checked {full}. Next check {next}.',
  lastPingAndNext: 'Last ping {full}. Next ping due {next}.',
  measured: 'Measured for {duration} of the last 30 days',
  notMeasured: 'No data yet',
  bar: '{name}, last 24 hours: {state} now',
  lessThanADay: 'Less than a day left',
  expired: 'Expired',
  daysLeft: '{days, plural, one {# day} other {# days}} left',
  until: 'Until {full}',
  expiredOn: 'Expired {full}',
  issuer: {
    CERTIFICATE: 'issued by {name}',
    DOMAIN: 'registered at {name}',
  },
} as const
