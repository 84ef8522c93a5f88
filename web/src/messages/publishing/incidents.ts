// Publishing an incident on status pages, its updates, and corrections.
import { formatCount, plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'
import { dateFieldText } from '../forms/date-fields.ts'

export const publishedLabels = {
  statuses: {
    INVESTIGATING: 'Investigating',
    IDENTIFIED: 'Identified',
    MONITORING: 'Monitoring',
    RESOLVED: 'Resolved',
  },
  impacts: {
    NONE: 'No impact',
    MINOR: 'Degraded',
    MAJOR: 'Partial outage',
    CRITICAL: 'Major outage',
  },
}

/** A button with a longer name of a page would not fit beside another. */
const LONGEST_NAME = 40

export const publishText = {
  title: 'Publish an incident',
  about: 'Visitors to your status pages will see this.',
  from: 'From',
  causeStaysPrivate: 'The cause stays private.',
  cannot: "You can't publish",
  cannotAbout: 'Your role is read-only. Ask a member to publish this.',
  noPage: 'No status page yet',
  noPageAbout: 'Incidents are published on a status page.',
  newPage: 'New status page',
  untitled: 'Untitled',
  choosePage: 'Add a component or choose a status page first.',
  publishesTo: (pages: number) => `Publishes to ${plural(pages, 'status page')}.`,
  cancel: 'Cancel',
  publishTo: (pages: readonly string[], subscribers: number) => {
    const [name = ''] = pages
    const isNamed = pages.length === 1 && name.length <= LONGEST_NAME
    const where = isNamed ? name : plural(pages.length, 'page')
    const publish = pages.length === 0 ? 'Publish' : `Publish to ${where}`
    return subscribers === 0
      ? publish
      : `${publish} and notify ${plural(subscribers, 'subscriber')}`
  },
  notShownOn: (page: string, components: readonly string[]) =>
    `${page} does not show ${new Intl.ListFormat('en', { type: 'disjunction' }).format(components)}.`,
  done: 'Published',
  /** What a detected incident fills in. */
  draftTitle: (component: string) => `${component} is down`,
  draftMessage: (component: string) => `We're investigating a problem with ${component}.`,
}

export const publishPartsText = {
  title: 'Title',
  impact: 'Impact',
  shownOn: 'Shown on',
  notPublished: 'Not published',
  started: 'Started',
  ended: 'Ended',
  status: 'Status',
  closes: 'closes the incident',
  message: 'Message',
  messageHint: '**bold**, _italic_, [links](https://…), lists and `code`.',
  length: (length: number, most: number) => `${formatCount(length)} of ${formatCount(most)}`,
  affected: 'Affected components',
  affectedHint: 'The page shows whichever is worse: this or the measured state.',
  addComponent: 'Add component',
  notOnPage: 'Not on a selected page',
  stateOf: (name: string) => `State of ${name}`,
  remove: (name: string) => `Remove ${name}`,
  notify: 'Notify',
  subscribers: (count: number) => plural(count, 'subscriber'),
  feeds: 'The page and its feeds update immediately.',
  preview: 'What visitors see',
  previewTitle: 'Preview of the incident',
  noPage: 'No page selected',
}

export const publishedText = {
  title: 'Published incident',
  to: (moment: string) => ` to ${moment}`,
  viewOn: 'View on',
  newTab: ', opens in a new tab',
  on: 'On',
  notPublished: ', not published',
  detected: 'Detected incident',
  next: 'New update',
  componentsReturn: 'Components return to Operational. ',
  publishUpdate: 'Publish update',
  resolve: 'Resolve',
  reopen: 'Reopen',
  updates: 'Updates',
  newestFirst: 'newest first',
  notified: 'Subscribers notified',
  noUpdates: 'Nothing has been written yet.',
  done: { resolved: 'Resolved', updated: 'Update published', saved: 'Saved', deleted: 'Deleted' },
  edit: 'Edit',
  more: 'More actions',
  delete: 'Delete…',
  deleting: {
    title: (title: string) => `Delete “${title}”`,
    about: (updates: number) =>
      `Deletes it and its ${plural(updates, 'update')} from every page, from feeds and from the history. Emails already sent can't be recalled.`,
    action: 'Delete incident',
  },
  editing: {
    title: 'Edit incident',
    about: 'Changes appear right away; no emails are sent. To notify people, publish an update.',
    action: 'Save',
  },
}

export const nextUpdateText = {
  label: 'Next update',
  hint: 'Visitors see when to expect it.',
  by: 'Next update by',
  choices: {
    NONE: 'Not announced',
    '30': 'In 30 minutes',
    '60': 'In 1 hour',
    '120': 'In 2 hours',
    OWN: 'Choose a time…',
  },
  promised: (moment: string) => `Visitors expect the next update by ${moment}.`,
  overdue: 'Update overdue.',
  overdueAbout: (moment: string) =>
    `You announced one by ${moment}. The page no longer shows that time.`,
}

export const postMortemText = {
  title: 'Post-mortem',
  none: 'No post-mortem yet',
  noneAbout: "Explain what happened and what you changed. It appears on the incident's page.",
  write: 'Write post-mortem',
  text: 'What happened',
  edit: 'Edit',
  cancel: 'Cancel',
  save: 'Publish post-mortem',
  delete: 'Delete…',
  saved: 'Post-mortem published',
  deleted: 'Post-mortem deleted',
  published: (moment: string) => `Published ${moment}`,
  edited: (moment: string) => `edited ${moment}`,
  notified: 'subscribers notified',
  notify: (count: number) => `Notify ${plural(count, 'subscriber')}`,
  notifyHint: 'Edits notify no one unless you check this again.',
  visible: 'Visible to all visitors.',
  deleting: {
    title: 'Delete post-mortem',
    about: "Removes it from the incident's page. Notifications already sent can't be recalled.",
    action: 'Delete post-mortem',
  },
}

export const postMortemSentences: FieldSentences = {
  message: {
    empty: 'Describe what happened.',
    long: 'Use at most 10,000 characters.',
  },
}

export const incidentSentences: FieldSentences = {
  title: { empty: 'Enter a title.', long: 'Use at most 200 characters for the title.' },
  impact: { other: 'Choose an impact.' },
  message: { empty: 'Enter a message.', long: 'Use at most 10,000 characters.' },
  statusPageIds: {
    empty: 'Choose at least one status page.',
    other: 'A selected page no longer exists. Reload and choose again.',
  },
  components: {
    says: {
      'is not a component on the pages of this incident':
        "Remove components that aren't on a selected page.",
      'is listed more than once': 'Remove the component that is listed twice.',
    },
    long: "That's too many components.",
  },
  nextUpdateBy: {
    says: {
      'must be in the future': 'Choose a time in the future.',
      'must be at most 7 days in the future': 'Choose a time within the next 7 days.',
    },
    other: dateFieldText.moment,
  },
  startedAt: {
    says: {
      'must not be before 1970': 'Choose a start after 1969.',
      'must not be after resolvedAt': 'The start must be before the end.',
    },
    other: dateFieldText.moment,
  },
  resolvedAt: {
    says: {
      'must not be before 1970': 'Choose an end after 1969.',
      'must not be before startedAt': 'The end must be after the start.',
    },
    other: dateFieldText.moment,
  },
}
