// Status pages: the list, the tabs of one page, its subscribers and the editor.
import { formatCount, plural } from '../../time/figures.ts'

export const statusPagesText = {
  title: 'Status pages',
  one: 'Status page',
  about: "Your public pages and the incidents you've published.",
  create: 'New status page',
  publish: 'Publish an incident',
  emptyTitle: 'No status page yet',
  emptyAbout:
    "A public page that shows what's working, what isn't, and what you're doing about it.",
  nameAndUrl: 'Name and URL',
  state: 'State',
  content: 'Content',
  access: 'Access',
  subscribers: 'Subscribers',
  newTab: 'opens in a new tab',
  openIncidents: (count: number) => plural(count, 'open incident'),
  subscriberWord: (count: number) => (count === 1 ? 'subscriber' : 'subscribers'),
  notPublished: 'Not published',
  withPassword: 'Password',
  public: 'Public',
  domain: { NONE: '', ACTIVE: '', PENDING: 'not verified yet', FAILED: 'not verified' },
  nothingYet: 'Nothing yet',
  contents: (components: number, sections: number) =>
    plural(components, 'component') + (sections > 1 ? ` in ${sections} sections` : ''),
  updated: 'Updated',
  tabs: {
    label: 'Parts of the page',
    page: 'Page',
    incidents: 'Incidents and maintenance',
    open: (count: number) => `${count} open`,
    subscribers: 'Subscribers',
  },
  published: {
    title: 'Published incidents',
    shown: (shown: number, total: number) => `${shown} of ${formatCount(total)}`,
    emptyTitle: 'No published incidents yet',
    emptyAbout: 'Nothing is published automatically. Visitors see states, and what you write.',
    updates: (count: number) => plural(count, 'update'),
    detected: 'from a detected incident',
  },
  planned: {
    title: 'Planned maintenance',
    hint: 'as shown on this page',
    emptyTitle: 'No maintenance scheduled',
    emptyAbout: 'Maintenance of a monitor on this page is shown here.',
    create: 'Schedule maintenance',
    notified: 'Subscribers notified',
    notNotified: 'Subscribers not notified',
    active: 'Active',
    scheduled: 'Scheduled',
  },
}

export const subscribersText = {
  title: 'Subscribers',
  count: (count: number) => plural(count, 'subscriber'),
  countAbout: (unconfirmed: number) =>
    `${formatCount(unconfirmed)} unconfirmed. Members can see the addresses.`,
  which: 'Which subscribers',
  confirmed: (count: number) => `Confirmed ${formatCount(count)}`,
  unconfirmed: (count: number) => `Unconfirmed ${formatCount(count)}`,
  search: 'Search',
  searchHint: 'Enter the full address; addresses are stored encrypted.',
  noMatch: 'No matches',
  noneWaiting: 'No unconfirmed subscribers',
  noneWaitingAbout: "Addresses that aren't confirmed within two days are deleted.",
  none: 'No subscribers yet',
  noneAbout:
    'Visitors can subscribe on the page, by email, Slack or webhook. They get incidents and maintenance.',
  kinds: { EMAIL: 'Email', SLACK: 'Slack', WEBHOOK: 'Webhook' },
  noneOff: 'Subscriptions are off for this page.',
  all: 'All components',
  components: (count: number) => plural(count, 'component'),
  requested: 'Requested',
  since: 'Since',
  remove: 'Remove',
  removeLabel: (address: string) => `Remove ${address}`,
  removing: {
    title: 'Remove this subscriber?',
    about: (address: string, page: string) =>
      `${address} gets no more updates from ${page}, and the address is deleted. They can subscribe again.`,
    action: 'Remove subscriber',
    done: 'Subscriber removed',
  },
}

export const previewText = {
  title: 'Preview',
  of: (title: string) => `Preview of ${title}`,
  lastValid: 'Showing the last valid version.',
  size: 'Size of the preview',
  desktop: 'Desktop',
  phone: 'Phone',
  withChanges: 'With your changes',
  notSaved: 'not saved yet',
  jump: 'See the preview',
}
