// The editor of a status page.
import { formatCount, plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'

export const editorText = {
  newTitle: 'New status page',
  newAbout: 'Private until you publish it.',
  unsaved: (count: number) => plural(count, 'unsaved change'),
  discard: 'Discard',
  nothingChanged: 'Nothing was changed.',
  create: 'Create status page',
  save: 'Save changes',
  publish: 'Publish',
  saveShortcut: 'Save the page',
  published: (name: string) => `${name} is public`,
  created: (name: string) => `${name} saved`,
  saved: 'Saved. Visitors see it within seconds.',
  sections: 'Settings of the page',
  changedElsewhere: 'Someone else changed sections or components. Saving replaces their changes.',
  useTheirs: 'Use theirs',
  leaving: {
    title: 'Leave without saving?',
    about: 'Your changes to this page will be lost.',
    action: 'Leave',
    keep: 'Stay here',
  },
  deleting: {
    title: 'Delete this page',
    about: 'The page goes offline. Monitors are kept.',
    button: 'Delete…',
    confirm: (name: string) => `Delete ${name}`,
    confirmAbout: (subscribers: number) =>
      `Deletes the page, its ${plural(subscribers, 'subscriber')} and incidents published only here. Monitors and history are kept.`,
    action: 'Delete status page',
    done: (name: string) => `${name} deleted`,
  },
  parts: {
    page: 'General',
    structure: 'Structure',
    brand: 'Brand',
    history: 'History',
    address: 'Address',
    access: 'Access',
    ledger: 'Ledger',
    embed: 'Embed',
  },
}

export const pageFieldsText = {
  name: 'Name',
  tagline: 'Tagline',
  logo: 'Logo URL',
  logoHint: 'Must start with https://.',
  logoLink: 'Logo link',
  support: 'Support link',
  favicon: 'Favicon URL',
  accent: 'Accent color',
  accentHint: 'Adjusted if needed so links stay readable.',
  pickAccent: 'Pick the accent color',
  theme: 'Theme',
  themes: { SYSTEM: 'System', LIGHT: 'Light', DARK: 'Dark' },
  language: 'Language',
  zone: 'Time zone',
  zoneHint: 'Each bar is one day in this time zone.',
  days: 'Days shown',
  daysHint: 'From 7 to 365. Phones show the most recent half.',
  uptime: 'Show uptime',
  uptimeHint: 'For example 99.98%.',
  responseTimes: 'Show response times',
  responseTimesHint: 'Median of the last 24 hours.',
}

export const pageAddressText = {
  slug: 'URL slug',
  slugUnique: 'Must be unique.',
  slugEmpty: 'Leave empty to use the name.',
  slugChanged: 'The old URL will stop working.',
  domain: 'Custom domain',
  domainHint: 'Visitors use this instead of the URL above.',
  records: 'DNS records',
  states: {
    NONE: 'Not saved yet',
    PENDING: 'Waiting for the record',
    ACTIVE: 'Active',
    FAILED: 'Record not found',
  },
  hints: {
    NONE: 'Save to see the two DNS records to add at your provider.',
    PENDING: 'We check for the TXT record every minute.',
    ACTIVE: 'Keep the TXT record. Without it for three days, the domain is disconnected.',
    FAILED:
      'No TXT record found for 48 hours. We now check every hour and remove the domain after 7 days.',
  },
  verify: {
    title: 'Verify ownership',
    todo: "Add the TXT record above. A CNAME alone isn't proof of ownership.",
    done: 'The TXT record was found.',
  },
  goLive: {
    title: 'Go live',
    todo: 'Your page is served at this domain.',
    done: 'Live. The original URL keeps working.',
  },
}

export const pageAccessText = {
  published: 'Published',
  publishedHint: 'When off, visitors and subscribers get a 404.',
  password: 'Require a password',
  passwordHint: 'Feeds and badges need it too.',
  newPassword: 'New password',
  firstPassword: 'Password',
  newPasswordHint: 'Leave empty to keep the current one. A new one asks all visitors again.',
  firstPasswordHint: "At least 8 characters. It can't be shown again.",
  subscriptions: 'Allow subscriptions',
  indexing: 'Allow search engines',
}

export const ledgerText = {
  label: 'Show the ledger',
  hint: 'Visitors see when outages were detected, when you published them, and what was removed from the page meanwhile.',
  since: (moment: string) => `Kept since ${moment}. Turned off and on, it begins again.`,
  shown: 'The ledger is public',
  hidden: 'The ledger is hidden',
}

export const embedText = {
  title: 'Badge and embed',
  status: (name: string) => `${name} status`,
  badge: 'Badge',
  embed: 'Embed',
  feeds: 'Feeds and JSON',
}

export const structureText = {
  title: 'Structure',
  dragOr: 'Drag, or',
  addSection: 'Add section',
  countOf: (count: number, most: number) => `${count} of ${most} components`,
  removed: (name: string) => `${name} removed from the page`,
  positionIn: (position: number, of: number, section: string) =>
    `${position} of ${of} in ${section}`,
  theUntitled: 'the untitled section',
  sectionAt: (position: number, of: number) => `Section ${position} of ${of}`,
  untitled: 'Untitled section',
  move: (name: string) => `Move ${name}`,
  moveSection: (name: string) => `Move section ${name}`,
  open: (name: string) => `Open ${name}`,
  close: (name: string) => `Close ${name}`,
  collapsed: 'Collapsed for visitors',
  heading: 'Section name',
  more: (name: string) => `More for ${name}`,
  moreSection: (name: string) => `More for section ${name}`,
  section: (name: string) => `Section ${name}`,
  rename: 'Rename section',
  expand: 'Expand for visitors',
  collapse: 'Collapse for visitors',
  moveUp: 'Move up',
  moveDown: 'Move down',
  removeSection: 'Remove section',
  manual: 'Manual, no monitor',
  edit: 'Name and description',
  remove: 'Remove from the page',
  displayName: 'Display name',
  nameHint: (monitor: string) => `The monitor itself stays “${monitor}”.`,
  description: 'Description',
  state: 'State',
  stateHint: 'Not monitored. Stays like this until you change it.',
  done: 'Done',
  toSave: 'to save,',
  toCancel: 'to cancel.',
  full: (most: number) => `A page has at most ${most} components.`,
  newComponent: 'New component',
  addMonitors: 'Add monitors',
  addManual: 'Add manual component',
  addAbout: "Visitors see the monitor's name unless you rename it.",
  cancel: 'Cancel',
  add: (count: number) => (count === 0 ? 'Add' : `Add ${plural(count, 'monitor')}`),
  chooseFirst: 'Choose a monitor first.',
  room: (count: number) => `Only ${plural(count, 'more component')} can be added.`,
  alreadyAdded: 'Already added',
  noMonitors: 'No monitors yet',
  noMonitorsAbout: 'Create one first, or add a manual component.',
  range: (from: number, to: number, total: number) =>
    `${formatCount(from)}–${formatCount(to)} of ${formatCount(total)}`,
  previous: 'Previous monitors',
  next: 'Next monitors',
  isFirst: 'This is the first page.',
  isLast: 'This is the last page.',
}

export const pageFactsText = {
  title: 'Settings',
  state: 'State',
  language: 'Language',
  zone: 'Time zone',
  days: 'Days shown',
  domain: 'Custom domain',
  none: 'None',
  subscribers: 'Email subscribers',
  off: 'Off',
  engines: 'Search engines',
  allowed: 'Allowed',
  notAllowed: 'Not allowed',
  components: 'Components',
}

const LINK = {
  long: 'Use a shorter URL.',
  other: 'Enter a URL that starts with https://.',
}

/** By path, with `*` for positions. */
export const pageSentences: FieldSentences = {
  name: { empty: 'Enter a name.', long: 'Use at most 120 characters for the name.' },
  description: { long: 'Use at most 2,000 characters for the tagline.' },
  slug: {
    empty: 'Enter a URL slug.',
    short: 'Use at least 3 characters.',
    long: 'Use at most 63 characters.',
    says: {
      'This slug is taken.': 'This slug is taken. Choose another one.',
      'This slug is reserved.': 'This slug is reserved. Choose another one.',
    },
    other: 'Use lowercase letters, numbers and hyphens.',
  },
  customDomain: {
    says: {
      'This custom domain is in use on another status page.':
        'Another status page uses this domain.',
      'must not be a name of this service': 'Use a domain of your own.',
    },
    other: 'Enter a domain, like status.example.com.',
  },
  logoUrl: LINK,
  faviconUrl: LINK,
  homepageUrl: LINK,
  supportUrl: LINK,
  accentColor: { other: 'Enter a color, like #5443d2.' },
  theme: { other: 'Choose a theme.' },
  locale: { other: 'Choose a language from the list.' },
  timezone: { other: 'Choose a time zone from the list.' },
  historyDays: { other: 'Enter a number from 7 to 365.' },
  password: {
    empty: 'Enter a password.',
    short: 'Use at least 8 characters.',
    long: 'Use at most 128 characters.',
  },
  'sections.*.name': { long: 'Use at most 120 characters for the section name.' },
  'sections.*.components.*': {
    empty: 'Enter a display name.',
    says: { 'is not a monitor of this organization': 'This monitor no longer exists. Remove it.' },
  },
  'sections.*.components.*.name': {
    empty: 'Enter a display name.',
    long: 'Use at most 120 characters for the display name.',
  },
  'sections.*.components.*.description': { long: 'Use at most 500 characters.' },
  'sections.*.components.*.manualState': { other: 'Choose a state.' },
}
