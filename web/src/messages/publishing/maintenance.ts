// The maintenance screen and its form.
import { plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'
import { dateFieldText } from '../forms/date-fields.ts'

export const maintenanceText = {
  title: 'Maintenance',
  about: "During maintenance, checks keep running, alerts are muted and downtime isn't counted.",
  create: 'Schedule maintenance',
  list: {
    title: 'All maintenance',
    which: 'Which maintenance',
    upcoming: 'Upcoming',
    completed: 'Completed',
    name: 'Name',
    next: 'Next',
    when: 'When',
    repeats: 'Repeats',
    monitors: 'Monitors',
    state: 'State',
    allMonitors: 'All',
    once: 'Once',
    onPages: 'On status pages',
    notOnPages: 'Not on status pages',
    notified: ', subscribers notified',
    nothingUpcoming: 'No maintenance scheduled',
    nothingCompleted: 'No completed maintenance yet',
    emptyAbout: 'Schedule work ahead, and no one gets an alert about it.',
  },
  states: { ACTIVE: 'Active', SCHEDULED: 'Scheduled', COMPLETED: 'Completed' },
  active: {
    left: (total: string) => `left (${total} in total)`,
    elapsed: 'Time elapsed',
    endNow: 'End now',
    extendBy: 'Extend by',
    repeats: 'It repeats. Edit it to change its length.',
  },
  calendar: {
    today: 'Today',
    until: (clock: string) => ` until ${clock}`,
    more: (count: number) => `${count} more`,
    span: (name: string, from: string, to: string) => `${name}, ${from} to ${to}`,
    repeats: 'Repeats',
    tooMany: 'Not everything is shown.',
  },
  aside: {
    label: 'Selected maintenance',
    next: (count: number) => (count === 1 ? 'Next' : `Next ${count}`),
    zone: (zone: string) => `Follows the clocks of ${zone}, also when they change.`,
    covers: 'Covers',
    allMonitors: 'all monitors',
    pages: 'Status pages',
    visible: 'visible',
    hidden: 'not visible',
    subscribers: 'Subscribers',
    notified: 'notified',
    notNotified: 'not notified',
    edit: 'Edit',
    startNow: 'Start now',
    cancel: 'Cancel…',
  },
  cancel: {
    title: (name: string) => `Cancel ${name}?`,
    about:
      "Cancels this and all future occurrences. Past maintenance still doesn't count as downtime.",
    action: 'Cancel maintenance',
  },
  done: {
    scheduled: 'Maintenance scheduled',
    saved: 'Saved',
    canceled: 'Maintenance canceled',
    started: (name: string) => `${name} started`,
    startedExtra: (name: string) => `${name} started. Its schedule stays the same.`,
    ended: (name: string) => `${name} ended`,
    extended: (name: string, minutes: number) => `${name} extended by ${minutes} min`,
  },
}

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' }

/** When a window happens. */
export const recurrenceText = {
  once: 'Once',
  pace: (frequency: keyof typeof UNITS, interval: number) =>
    interval === 1 ? `Every ${UNITS[frequency]}` : `Every ${interval} ${UNITS[frequency]}s`,
  onDays: (pace: string, days: string) => `${pace} on ${days}`,
  onLastDay: (pace: string) => `${pace} on the last day`,
  onDay: (pace: string, day: number) => `${pace} on day ${day}`,
  today: 'today',
  tomorrow: 'tomorrow',
  inZone: (time: string, zone: string) => `${time} in ${zone}`,
}

export const windowFormText = {
  newTitle: 'Schedule maintenance',
  editTitle: 'Edit maintenance',
  create: 'Schedule',
  save: 'Save changes',
  cancel: 'Cancel',
  what: { title: 'Maintenance window', about: 'Shown on status pages.' },
  name: 'Name',
  description: 'Description',
  time: {
    title: 'Time',
    about: 'Local time in the chosen zone, also when the clocks change.',
  },
  starts: 'Starts',
  ends: 'Ends',
  zone: 'Time zone',
  repeats: 'Repeats',
  frequencies: { ONCE: 'Once', DAILY: 'Daily', WEEKLY: 'Weekly', MONTHLY: 'Monthly' },
  interval: {
    ONCE: 'Repeat every',
    DAILY: 'Repeat every … days',
    WEEKLY: 'Repeat every … weeks',
    MONTHLY: 'Repeat every … months',
  },
  endsOn: 'Ends on',
  endsOnHint: 'Leave empty to repeat forever.',
  weekdays: 'On',
  weekdaysHint: 'Default: the weekday it starts on.',
  monthDay: 'Day of the month',
  sameDay: 'Same day as the start',
  lastDay: 'Last day',
  monthDayHint: 'Months without that day are skipped.',
  monitors: { title: 'Monitors', about: 'Which monitors are muted.' },
  allMonitors: 'All monitors',
  allMonitorsHint: 'Including ones added later.',
  selected: (count: number) =>
    count === 0 ? 'None selected' : `${plural(count, 'monitor')} selected`,
  visibility: 'Visibility',
  onPages: 'Show on status pages',
  onPagesHint: 'On every page that shows these monitors.',
  notify: 'Notify subscribers',
}

export const windowSentences: FieldSentences = {
  name: { empty: 'Enter a name.', long: 'Use at most 120 characters for the name.' },
  description: { long: 'Use at most 2,000 characters for the description.' },
  startsAt: {
    says: { 'must not lie before the year 2000': 'Choose a start after 1999.' },
    other: dateFieldText.moment,
  },
  endsAt: {
    says: {
      'must be after startsAt': 'The end must be after the start.',
      'must be at most 30 days after startsAt': 'Maintenance can last up to 30 days.',
      'must be in the future': 'The end must be in the future.',
      'must come before the next occurrence begins':
        'It must end before the next occurrence starts.',
      'must not lie after the year 9999': 'Choose an earlier end.',
    },
    other: dateFieldText.moment,
  },
  timezone: { other: 'Choose a time zone from the list.' },
  'recurrence.frequency': { other: 'Choose how often it repeats.' },
  'recurrence.interval': { other: 'Enter a number from 1 to 52.' },
  'recurrence.endsAt': {
    says: {
      'must be after startsAt': 'The last day must be after the start.',
      'must not lie after the year 9999': 'Choose an earlier day.',
    },
    other: dateFieldText.day,
  },
  'recurrence.daysOfWeek': { other: 'Choose days of the week.' },
  'recurrence.dayOfMonth': { other: 'Choose a day of the month.' },
  monitorIds: {
    says: {
      'must name a monitor unless allMonitors is true':
        'Choose at least one monitor, or turn on All monitors.',
    },
    long: "That's too many monitors. Turn on All monitors.",
    other: 'A selected monitor no longer exists. Reload the page and choose again.',
  },
}
