// Alert contacts and their form.
import { plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'
import { dateFieldText } from '../forms/date-fields.ts'
import { URL_SAYS } from './urls.ts'

export const contactsText = {
  title: 'Alert contacts',
  about: 'Who gets alerted when something goes wrong.',
  create: 'New contact',
  list: 'All contacts',
  contact: 'Contact',
  lastDelivery: 'Last delivery',
  monitors: 'Monitors',
  hours: 'Hours',
  timing: 'First alert, reminder',
  actions: 'Actions',
  emptyTitle: 'No contacts yet',
  emptyAbout: 'Add an email address, chat or pager to get alerts.',
  addFirst: 'Add contact',
  failing: {
    since: (moment: string) => ` hasn't received alerts since ${moment}.`,
    noSince: " isn't receiving alerts.",
    keepTrying: 'We keep trying; other contacts are unaffected.',
    givenUp: 'We stopped trying. Fix it or send a test to start again.',
    fix: 'Fix',
  },
  legend: {
    on: 'alerts sent immediately',
    off: 'quiet hours',
    acknowledge: 'Acknowledging an incident stops its reminders.',
  },
  anyHour: 'Alerts at any hour',
  quietLabel: (from: string, to: string, zone: string) => `Quiet from ${from} to ${to}, ${zone}`,
  always: 'Always',
  quiet: (from: string, to: string) => `quiet ${from}–${to}`,
  immediately: 'Immediately',
  after: (minutes: number) => `After ${minutes} min`,
  noReminder: 'no reminder',
  everyHours: (hours: number) => `every ${hours} h`,
  everyMinutes: (minutes: number) => `every ${minutes} min`,
  states: {
    DOWN: 'Down',
    DEGRADED: 'Degraded',
    RECOVERED: 'Recovered',
    EXPIRING: 'Certificate or domain expiring',
    DNS_CHANGED: 'DNS changed',
    WEBHOOK_FAILING: 'Webhook failing',
  },
  status: {
    unconfirmed: 'Unconfirmed',
    off: 'Off',
    givenUp: 'Stopped',
    failing: 'Failing',
    delivered: 'Delivered',
    nothing: 'Nothing sent yet',
  },
  row: {
    open: (name: string) => `Open ${name}`,
    close: (name: string) => `Close ${name}`,
    test: 'Test',
    testLabel: (name: string) => `Test ${name}`,
    tested: (name: string) => `Test sent to ${name}`,
    resend: 'Resend email',
    resendLabel: (name: string) => `Resend email to ${name}`,
    resent: (address: string) => `Confirmation email sent to ${address}`,
  },
}

export const contactDetailText = {
  recent: 'Recent alerts',
  nothing: 'Nothing sent yet. Send a test to see if it arrives.',
  unconfirmed: 'No alerts are sent until the link in the confirmation email is opened.',
  delivered: 'Delivered',
  failed: 'Failed',
  pending: 'Pending',
  retrying: 'Retrying',
  rules: 'Rules',
  saveRules: 'Save rules',
  rulesSaved: 'Rules saved',
  discard: 'Discard',
  alertsFor: 'Alerts for',
  firstAlert: 'First alert',
  reminder: 'Reminder until acknowledged',
  quietHours: 'Quiet hours',
  none: 'None',
  edit: 'Edit',
  choose: 'Choose monitors',
  remove: 'Remove…',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeAbout: (monitors: number) =>
    `Stops alerts for ${plural(monitors, 'monitor')} and deletes its address. The log is kept.`,
  removeAction: 'Remove contact',
  removed: (name: string) => `${name} removed`,
  monitors: {
    title: 'Choose monitors',
    about: (name: string) => `${name} gets alerts for the selected monitors.`,
    save: 'Save',
    all: 'All monitors',
    none: 'None',
    saved: (name: string) => `Monitors of ${name} saved`,
  },
}

export const contactFormText = {
  newTitle: 'New contact',
  editTitle: 'Edit contact',
  created: 'Contact created. Send a test to see if it arrives.',
  saved: 'Saved',
  create: 'Create contact',
  save: 'Save changes',
  cancel: 'Cancel',
  channel: { title: 'Channel', about: 'How to send alerts.' },
  channelLabel: 'Channel',
  contact: { title: 'Contact', about: 'Shown in incidents.' },
  name: 'Name',
  choose: 'Choose',
  kept: (value: string) => `Currently ${value}. Leave empty to keep it.`,
  apprise: {
    label: 'Apprise URL',
    hint: 'Paste one, such as tgram://… or ntfys://…, to fill in the form.',
    unknown: 'There is no channel for this URL.',
    read: (channel: string) => `Filled in from the URL: ${channel}`,
  },
  allMonitors: 'Alert for all monitors',
  allMonitorsHint: 'Or choose monitors after saving.',
  rules: { title: 'Rules', about: 'What to send, and when.' },
  alertFor: 'Alert for',
  delay: 'Delay first alert',
  remind: 'Remind until acknowledged',
  noReminder: 'No reminder',
  quietHours: 'Quiet hours',
  quietHint: 'Alerts are held until quiet hours end. Problems that are over by then are skipped.',
  from: 'From',
  to: 'To',
  zone: 'Time zone',
  secret: {
    title: (name: string) => `${name} is ready`,
    about: "Copy its signing secret now. You won't see it again.",
    label: 'Signing secret',
    hint: 'Use it to verify signatures.',
  },
}

const AGAIN = {
  'must be given again, because the address leads to another server':
    'Enter it again, because the address has changed.',
}
const PRINTABLE = { 'must be letters, digits and signs': 'Remove spaces and special characters.' }
const LONG = 'Use at most 2,048 characters.'

const token = (empty: string) => ({ empty, says: { ...AGAIN, ...PRINTABLE }, other: LONG })

const phone = (empty: string) => ({
  empty,
  says: {
    'must be a number with its country code, such as +14155550100':
      'Enter a number with its country code, such as +14155550100.',
    'must be a number with its country code, or a group id':
      'Enter a number with its country code, or the ID of a group.',
  },
  other: LONG,
})

export const contactSentences: FieldSentences = {
  name: { empty: 'Enter a name.', long: 'Use at most 120 characters for the name.' },
  'settings.address': {
    empty: 'Enter an email address.',
    other: 'Enter a valid email address, like ana@example.com.',
  },
  'settings.url': {
    empty: 'Enter the webhook URL.',
    says: { ...URL_SAYS, ...AGAIN },
    other: LONG,
  },
  'settings.server': { empty: "Enter the server's URL.", says: URL_SAYS, other: LONG },
  'settings.topic': token('Enter a topic.'),
  'settings.token': token('Enter an access token.'),
  'settings.botToken': token('Enter the bot token.'),
  'settings.chatId': token('Enter the chat ID.'),
  'settings.routingKey': {
    empty: 'Enter the integration key.',
    other: 'Enter the 32 letters and digits of the integration key.',
  },
  'settings.apiKey': token('Enter the API key.'),
  'settings.roomId': {
    empty: 'Enter the ID of the room.',
    other: 'Enter the internal ID of the room, which begins with !.',
  },
  'settings.accessToken': token('Enter an access token.'),
  'settings.number': phone("Enter the sender's number."),
  'settings.recipient': phone('Enter a number or a group.'),
  'settings.sourceId': {
    empty: 'Enter the ID of the alert source.',
    other: 'Enter letters and digits only.',
  },
  'settings.repository': {
    empty: 'Enter the repository.',
    other: 'Enter an owner and a repository, like acme/shop.',
  },
  'settings.project': {
    empty: 'Enter the project.',
    other: 'Enter the path of the project, like acme/shop, or its number.',
  },
  'settings.accountSid': {
    empty: 'Enter the account SID.',
    other: 'Enter AC and the 32 letters and digits that follow.',
  },
  'settings.authToken': token('Enter the auth token.'),
  'settings.means': { empty: 'Choose how to send.', other: 'Choose how to send.' },
  'settings.from': phone('Enter the number to send from.'),
  'settings.to': phone('Enter the number to send to.'),
  'settings.key': {
    empty: 'Enter a configuration key, or Apprise URLs.',
    other: 'Use letters, digits, _ and - only.',
  },
  'settings.tags': { other: 'Enter tags, separated by commas.' },
  'settings.urls': token('Enter Apprise URLs, or a configuration key.'),
  'settings.method': { other: 'Choose a method.' },
  'settings.format': { other: 'Choose a format.' },
  'settings.headers': { says: AGAIN },
  'settings.body': { says: { 'must be JSON': 'Enter valid JSON, or choose another format.' } },
  'settings.region': { empty: 'Choose a region.', other: 'Choose a region.' },
  'settings.appToken': token('Enter the application token.'),
  'settings.userKey': token('Enter the user key.'),
  'settings.secret': {
    says: AGAIN,
    other: 'Enter a secret that starts with whsec_, or leave empty to generate one.',
  },
  states: { empty: 'Choose at least one.' },
  delayMinutes: { other: 'Choose how long to wait.' },
  reminderMinutes: { other: 'Choose how often to remind.' },
  'quietHours.from': { other: dateFieldText.clock },
  'quietHours.to': {
    says: { 'must not be the time they begin': 'Choose another time than the start.' },
    other: dateFieldText.clock,
  },
  'quietHours.timezone': { other: 'Choose a time zone from the list.' },
}
