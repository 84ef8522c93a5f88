// The list of monitors, and changes to many of them.
import { formatCount, plural } from '../../time/figures.ts'

const listed = new Intl.ListFormat('en-US')

export const monitorsText = {
  title: 'Monitors',
  none: 'No monitors yet.',
  noMatches: 'No matches.',
  allUp: (all: number) => `${plural(all, 'monitor')}, all up.`,
  noneDown: (all: number) => `${plural(all, 'monitor')}, none down.`,
  some: (states: readonly string[], all: number) =>
    `${listed.format(states)} of ${formatCount(all)}.`,
  countOf: (count: number, state: string) => `${formatCount(count)} ${state}`,
  csv: 'CSV',
  import: 'Import',
  newMonitor: 'New monitor',
  columns: {
    name: 'Name',
    type: 'Type',
    state: 'State',
    day: 'Last 24 hours',
    month: '30 days',
    p95: 'p95',
    checked: 'Checked',
    actions: 'Actions',
  },
  filters: {
    state: 'Filter by state',
    all: 'All',
    search: 'Filter by name, URL or host',
    searchPlaceholder: 'Name, URL or host',
    type: 'Type',
    allTypes: 'All types',
    tag: 'Tag',
    allTags: 'All tags',
  },
  nothing: {
    title: 'No monitors match',
    search: (q: string) => `Nothing matches “${q}”.`,
    filter: 'No monitors with this type, tag and state.',
    action: 'Show all monitors',
  },
  firstVisit: {
    title: 'No monitors yet',
    about: 'Paste a URL. We check it right away and show you the result before saving.',
    readOnly: 'You have read-only access. Ask a member to add the first monitor.',
    url: 'URL',
    action: 'Add your first monitor',
    otherTypes: 'Or start with something else',
  },
  overview: {
    label: (all: number, parts: readonly string[]) =>
      `All ${formatCount(all)} monitors, worst first: ${parts.join(', ')}`,
    shares: 'Each share has a minimum width, so that a single monitor is visible.',
  },
  select: {
    page: (shown: number) => `Select all ${shown} on this page`,
    pageIs: (count: number) => `The ${formatCount(count)} monitors on this page are selected. `,
    allAre: (total: number) => `All ${formatCount(total)} monitors that match are selected. `,
    onlyPage: 'Select this page only',
    all: (total: number) => `Select all ${formatCount(total)} that match`,
    rowsPerPage: 'Rows per page',
    rows: (count: string) => `${count} rows`,
  },
  bulk: {
    toolbar: (count: number) => `${plural(count, 'monitor')} selected`,
    selected: (count: number) => `${formatCount(count)} selected`,
    progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)}`,
    pause: 'Pause',
    resume: 'Resume',
    edit: 'Edit',
    maintenance: 'Maintenance',
    delete: 'Delete',
    clear: 'Clear selection',
    paused: (count: number) => `${plural(count, 'monitor')} paused`,
    resumed: (count: number) => `${plural(count, 'monitor')} resumed`,
    deleted: (count: number) => `${plural(count, 'monitor')} deleted`,
    changed: (count: number) => `${plural(count, 'monitor')} changed`,
    refused: (count: number) => `${plural(count, 'monitor')} could not be changed`,
  },
  deleting: {
    title: (count: number) => `Delete ${plural(count, 'monitor')}?`,
    about: (count: number) =>
      count === 1
        ? "Deletes its checks and incidents and removes it from status pages. This can't be undone."
        : "Deletes their checks and incidents and removes them from status pages. This can't be undone.",
    action: (count: number) => `Delete ${plural(count, 'monitor')}`,
    keep: (count: number) => (count === 1 ? 'Keep it' : 'Keep them'),
  },
}
