// Webhook endpoints, their form and the log of deliveries.
import { formatCount, plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'
import { URL_SAYS } from './urls.ts'

export const webhooksText = {
  title: 'Webhooks',
  about: 'Signed events to your own systems.',
  howToVerify: 'How to verify a signature',
  create: 'New endpoint',
  emptyTitle: 'No endpoints yet',
  emptyAbout: 'An endpoint receives events as they happen: incidents, status changes, maintenance.',
  createFirst: 'Create endpoint',
}

export const endpointText = {
  states: {
    slowed: 'Slowed down',
    disabled: 'Disabled',
    off: 'Turned off',
    failing: 'Failing',
    enabled: 'Enabled',
  },
  test: 'Test',
  more: (url: string) => `More for ${url}`,
  edit: 'Edit',
  rotate: 'Rotate secret…',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete…',
  viewFailed: 'View failed deliveries',
  failures: (count: number, since: string | undefined) =>
    `${plural(count, 'failure')} in a row${since === undefined ? '' : ` since ${since}`}.`,
  slowed: (pace: string, held: number) =>
    `Sending slowed to ${pace}. ${queued(held)}; nothing is lost.`,
  onePerMinute: 'one per minute',
  oneEvery: (span: string) => `one every ${span}`,
  oneNowAndThen: 'one at a time',
  failedForDays: 'Turned off after failing for days. Fix it, send a test, then enable it.',
  gone: 'Turned off because it responded with 410 Gone.',
  heldWhileDisabled: (held: number) => `${queued(held)} while it is disabled.`,
  events: 'Events',
  allEvents: (count: number) => `All ${count} types, including ones added later`,
  andMore: (shown: string, count: number) => `${shown} and ${count} more`,
  delivered24h: 'Delivered in 24 hours',
  deliveredOf: (succeeded: number, all: number) =>
    `${formatCount(succeeded)} of ${formatCount(all)}`,
  pending: (count: number) => `${formatCount(count)} pending`,
  nothing: 'Nothing to send',
  lastSuccess: 'Last success',
  never: 'Never',
  secret: 'Secret',
  bothUntil: 'both valid until',
  done: {
    tested: 'Test event sent',
    enabled: 'Enabled. Queued events are being sent.',
    disabled: 'Disabled',
    deleted: 'Endpoint deleted',
  },
  rotating: {
    title: 'Rotate the signing secret?',
    about:
      'The new secret is used immediately. The old one keeps working for 24 hours so you can switch.',
    action: 'Rotate secret',
  },
  deleting: {
    title: 'Delete this endpoint?',
    about: (url: string, pending: number) =>
      `Deletes ${url} and its secret. Cancels ${plural(pending, 'pending delivery', 'pending deliveries')}. The log is kept for 30 days.`,
    action: 'Delete endpoint',
  },
  newSecret: {
    endpointReady: 'Endpoint created',
    secretReady: 'Secret rotated',
    about: "Copy its signing secret now. You won't see it again.",
    aboutRotated: (until: string) =>
      `Copy it now. You won't see it again. Both secrets work until ${until}.`,
    label: 'Signing secret',
    hint: 'Use it to verify signatures at',
  },
}

function queued(count: number): string {
  return `${plural(count, 'event')} ${count === 1 ? 'is' : 'are'} queued`
}

export const endpointFormText = {
  newTitle: 'New endpoint',
  editTitle: 'Edit endpoint',
  create: 'Create endpoint',
  save: 'Save changes',
  saved: 'Saved',
  cancel: 'Cancel',
  endpoint: 'Endpoint',
  endpointAbout: 'Where signed events are sent.',
  url: 'URL',
  urlHint: 'Must use https:// and reply with 2xx within 15 seconds.',
  description: 'Description',
  events: 'Events',
  eventsAbout: 'Which events to send.',
  allEvents: 'All events',
  allEventsHint: 'Including types added later.',
  incidentsOnly: 'Incidents only',
  noEvents: 'Choose at least one event.',
  groups: {
    incidents: 'Incidents',
    statusPages: 'Status pages',
    monitors: 'Monitors',
    maintenance: 'Maintenance',
  },
}

export const endpointSentences: FieldSentences = {
  url: {
    empty: 'Enter the URL of your endpoint.',
    long: 'Use a shorter URL.',
    says: URL_SAYS,
    other: 'Enter a URL that starts with https://.',
  },
  description: { long: 'Use at most 500 characters for the description.' },
  eventTypes: { empty: endpointFormText.noEvents, other: 'Choose from the listed events.' },
}

export const deliveriesText = {
  title: 'Deliveries',
  endpoint: 'Endpoint',
  everyEndpoint: 'All endpoints',
  event: 'Event',
  everyEvent: 'All events',
  which: 'Which deliveries',
  show: { all: 'All', failed: 'Failed', waiting: 'Pending', retried: 'Retried' },
  noMatches: 'No matches',
  noMatchesAbout: 'No deliveries in the last 30 days match these filters.',
  empty: 'No deliveries yet',
  emptyAbout: 'Deliveries and their attempts are kept for 30 days.',
  kept: 'Kept for 30 days.',
  pages: 'Pages of deliveries',
  newest: 'Newest',
  older: 'Older',
  time: 'Time',
  result: 'Result',
  response: 'Response',
  attempts: 'Attempts',
  took: 'Took',
  details: 'Details',
  attemptsOf: (event: string) => `Attempts of ${event}`,
  states: {
    delivered: 'Delivered',
    failed: 'Failed',
    pending: 'Pending',
    resending: 'Sending again',
    retrying: 'Retrying',
  },
  retry: (when: string) => `retry ${when}`,
  retryNow: 'retrying now',
  gaveUp: (attempts: number) => `gave up after ${attempts}`,
  errors: {
    TIMEOUT: 'timed out',
    DNS_ERROR: 'host not found',
    CONNECTION_FAILED: 'no connection',
    TLS_ERROR: 'TLS failed',
    TARGET_NOT_ALLOWED: 'not allowed',
    WORKER_LOST: 'interrupted',
    ENDPOINT_DELETED: 'deleted',
    ENDPOINT_DISABLED: 'disabled',
  },
}

export const deliveryText = {
  noAttempt: 'No attempts yet',
  delivered: 'Delivered',
  failed: 'Failed',
  attempt: (number: number) => `Attempt ${number}`,
  immediately: 'immediately',
  after: (span: string) => `after ${span}`,
  manual: 'sent manually',
  request: 'Request',
  copyCurl: 'Copy as curl',
  response: 'Response',
  responseIn: (status: number, duration: string) => `Response ${status} in ${duration}`,
  noResponseIn: (duration: string) => `No response in ${duration}`,
  nothing: 'Nothing yet',
  noBody: 'No body',
  sendAgain: 'Send again',
  sendAgainHint: 'Sent with the same id, so your receiver can detect the repeat.',
  sentAgain: 'Sending again',
}
