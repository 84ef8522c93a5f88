// Publishing an incident on status pages, its updates, and corrections.
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
} as const

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
  publishesTo: 'Publishes to {pages, plural, one {# status page} other {# status pages}}.',
  cancel: 'Cancel',
  publish: 'Publish',
  publishTo: 'Publish to {name}',
  publishToMany: 'Publish to {pages, plural, one {# page} other {# pages}}',
  publishAndNotify:
    'Publish to {name} and notify {subscribers, plural, one {# subscriber} other {# subscribers}}',
  publishToManyAndNotify:
    'Publish to {pages, plural, one {# page} other {# pages}} and notify {subscribers, plural, one {# subscriber} other {# subscribers}}',
  notShownOn: '{page} does not show {components}.',
  done: 'Published',
  /** What a detected incident fills in. */
  draftTitle: '{component} is down',
  draftMessage: "We're investigating a problem with {component}.",
} as const

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
  length: '{length} of {most}',
  affected: 'Affected components',
  affectedHint: 'The page shows whichever is worse: this or the measured state.',
  addComponent: 'Add component',
  notOnPage: 'Not on a selected page',
  stateOf: 'State of {name}',
  remove: 'Remove {name}',
  notify: 'Notify',
  subscribers: '{count, plural, one {# subscriber} other {# subscribers}}',
  feeds: 'The page and its feeds update immediately.',
  preview: 'What visitors see',
  previewTitle: 'Preview of the incident',
  noPage: 'No page selected',
} as const

export const publishedText = {
  title: 'Published incident',
  span: '{from} to {to}',
  viewOn: 'View on',
  newTab: ', opens in a new tab',
  on: 'On',
  notPublished: ', not published',
  detected: 'Detected incident',
  next: 'New update',
  componentsReturn: 'Components return to Operational. {publishes}',
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
    title: 'Delete “{title}”',
    about:
      "Deletes it and its {updates, plural, one {# update} other {# updates}} from every page, from feeds and from the history. Emails already sent can't be recalled.",
    action: 'Delete incident',
  },
  editing: {
    title: 'Edit incident',
    about: 'Changes appear right away; no emails are sent. To notify people, publish an update.',
    action: 'Save',
  },
} as const

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
  promised: 'Visitors expect the next update by {moment}.',
  overdue: 'Update overdue.',
  overdueAbout: 'You announced one by {moment}. The page no longer shows that time.',
} as const

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
  published: 'Published {moment}',
  edited: 'edited {moment}',
  notified: 'subscribers notified',
  notify: 'Notify {count, plural, one {# subscriber} other {# subscribers}}',
  notifyHint: 'Edits notify no one unless you check this again.',
  visible: 'Visible to all visitors.',
  deleting: {
    title: 'Delete post-mortem',
    about: "Removes it from the incident's page. Notifications already sent can't be recalled.",
    action: 'Delete post-mortem',
  },
} as const

export const postMortemSentences = {
  message: {
    empty: 'Describe what happened.',
    long: 'Use at most 10,000 characters.',
  },
} as const

export const incidentSentences = {
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
    other: 'Enter a date and time, like Nov 16, 2026, 14:30.',
  },
  startedAt: {
    says: {
      'must not be before 1970': 'Choose a start after 1969.',
      'must not be after resolvedAt': 'The start must be before the end.',
    },
    other: 'Enter a date and time, like Nov 16, 2026, 14:30.',
  },
  resolvedAt: {
    says: {
      'must not be before 1970': 'Choose an end after 1969.',
      'must not be before startedAt': 'The end must be after the start.',
    },
    other: 'Enter a date and time, like Nov 16, 2026, 14:30.',
  },
} as const
