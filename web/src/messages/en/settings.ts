// What owners and admins set for everyone in their organization.
export const profileText = {
  title: 'Profile',
  about: 'Your name is shown to your team and in the audit log.',
  name: 'Your name',
  timezone: 'Time zone of your emails',
  automatic: 'The time zone of your organization',
  hint: 'The dashboard uses the time zone of your browser.',
  action: 'Save profile',
  unchanged: 'No changes yet.',
} as const

export const timezoneText = {
  label: 'Time zone',
  hint: 'The default for new maintenance windows and status pages, and for emails unless their reader chose a zone.',
  /** `zone` is the viewer's: "Zurich (Europe)". */
  automatic: "Each person's browser. Yours: {zone}",
  fromBrowser: '{zone}, from your browser',
  action: 'Save time zone',
  saved: 'Time zone saved',
  unchanged: 'Nothing to save.',
  problems: { timezone: { other: 'Choose a time zone from the list.' } },
} as const

export const factorRuleText = {
  title: 'Two-factor authentication',
  about: 'For everyone in the organization.',
  on: 'Required',
  off: 'Optional',
  explains:
    "If required, members without it can sign in only to set it up. API keys aren't affected.",
  setUpFirst: 'Set up two-factor authentication for your own account first.',
  toAccount: 'Go to your account',
  ownersOnly: 'Only an owner can change this.',
  require: 'Require for everyone…',
  stop: 'Make it optional',
  required: 'Two-factor authentication is required',
  optional: 'Two-factor authentication is optional',
  confirm: {
    title: 'Require two-factor authentication?',
    everyone: 'Everyone already uses it.',
    some: '{without, plural, one {# member loses access until they set it up.} other {# members lose access until they set it up.}}',
    action: 'Require it',
    keep: 'Cancel',
  },
} as const

export const deletionText = {
  title: 'Danger zone',
  about: 'You have 7 days to change your mind.',
  explains:
    'Checks, alerts, API keys and status pages stop right away. After 7 days, everything is deleted for good.',
  open: 'Delete organization…',
  dialog: {
    title: 'Delete {name}?',
    about:
      'Checks, alerts, API keys and status pages stop right away. Within 7 days an owner can undo this. Then monitors, history, incidents and everything else are deleted for good.',
    label: 'Type “{name}” to confirm',
    action: 'Delete organization',
    problems: { name: { other: 'Type the name exactly as shown.' } },
  },
} as const

/** Instead of the dashboard, while an organization is closed to its members. */
export const closedText = {
  factor: {
    title: 'One more step',
    about: '{name} requires two-factor authentication. Set it up to continue.',
    next: 'Continue to {name}',
  },
  deletion: {
    title: '{name} is being deleted',
    about: 'Everything in it will be deleted on {when}.',
    off: 'Until then, checks, alerts, API keys and status pages are off.',
    undo: 'Undo deletion',
    undone: 'Deletion undone. Checks are running again.',
    askOwner: 'An owner can undo this.',
  },
  others: 'Your other organizations',
  leave: 'Leave organization…',
  leaving: {
    title: 'Leave {name}?',
    about: 'You lose access immediately. To come back, you need a new invitation.',
    action: 'Leave',
    keep: 'Stay',
  },
  signOut: 'Sign out',
} as const

/** Below the list of members, for admins. */
export const factorNoteText = {
  optional:
    '{without} of {all, plural, one {# member} other {# members}} {without, plural, one {signs} other {sign}} in with just a password.',
  shutOut:
    "{without, plural, one {Two-factor authentication is required. # member hasn't set it up and can't get in.} other {Two-factor authentication is required. # members haven't set it up and can't get in.}}",
} as const

export const settingsText = {
  email: 'Email',
  usedForAlertsInvitations: 'Used for alerts, invitations and subscriber updates.',
  sendTestEmail: 'Send test email',
  regions: 'Regions',
  whereYourChecksRun: 'Where your checks run from.',
  homeRegion: 'Home region',
  checksStartHereAnd:
    'Checks start here, and only its response times count toward Degraded. A change starts the count again.',
  saveHomeRegion: 'Save home region',
  noProbeHasReported: 'No probe has reported yet.',
  revoked: 'Revoked',
  live: 'Live',
  notReporting: 'Not reporting',
  settings: 'Settings',
  organization: 'Organization',
  shownInEmailsAnd: 'Shown in emails and in the menu.',
  name: 'Name',
  saveName: 'Save name',
  planAndUsage: 'Plan and usage',
  timeAndRetention: 'Time and retention',
  theDefaultTimeZone: 'The default time zone, and how long data is kept.',
  individualChecks: 'Individual checks',
  auditLog: 'Audit log',
  export: 'Export',
  downloadYourDataAny: 'Download your data any time.',
  monitorsMaintenanceWindowsStatus:
    'Monitors, maintenance windows, status pages, incidents, webhooks, contacts and members as JSON lines. Includes request headers and bodies; excludes passwords and signing secrets.',
  exportEverything: 'Export everything',
  sendsTo: 'Sends a test to {address}.',
  sendsToYou: 'Sends a test to you.',
  notSetUp:
    "Email isn't set up. The operator of this server sets {url} and {from}, and restarts it.",
  home: 'Home region: {name}',
  automaticHome: 'Home region: automatic',
  unlimited: '<strong>{used}</strong> <faint>(unlimited)</faint>',
  usedOf: '<strong>{used}</strong> <faint>of {limit}</faint>',
  noMailServer: 'No mail server is configured.',
  seen: 'seen {ago}',
  seenLate: '{late} ms late, seen {ago}',
  seenVersion: 'version {version}, seen {ago}',
  seenVersionLate: 'version {version}, {late} ms late, seen {ago}',
  fastest: 'Fastest check every {interval}, {days} days of history.',
  fastestUnlimited: 'Fastest check every {interval}, unlimited history.',
} as const
