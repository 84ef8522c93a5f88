// Tags and saved views of the monitor list: names that are listed, renamed and deleted.
import { plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'

export const namesText = {
  rename: 'Rename',
  renameOne: (name: string) => `Rename ${name}`,
  newName: (name: string) => `New name of ${name}`,
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  deleteOne: (name: string) => `Delete ${name}`,
  keep: 'Keep it',
  close: 'Close',
}

export const tagsText = {
  manage: 'Manage tags…',
  title: 'Tags',
  about: 'Tags group monitors in the list, in bulk changes and on status pages.',
  empty: 'No tags yet',
  emptyAbout: "Add tags in a monitor's form, or to many monitors at once.",
  on: (monitors: number) => (monitors === 0 ? 'not used' : plural(monitors, 'monitor')),
  onPages: (pages: readonly string[]) => `shown on ${pages.join(', ')}`,
  deleting: (name: string, monitors: number) =>
    monitors === 0
      ? `Delete “${name}”? No monitor has it.`
      : `Delete “${name}”? It is removed from ${plural(monitors, 'monitor')}. The monitors are kept.`,
  deletingPages: (pages: readonly string[]) =>
    ` ${pages.join(', ')} ${pages.length === 1 ? 'keeps' : 'keep'} the components shown now, and no longer ${pages.length === 1 ? 'follows' : 'follow'} the tag.`,
  deleteAction: 'Delete tag',
  renamed: (name: string) => `Renamed to ${name}`,
  deleted: (name: string) => `Tag ${name} deleted`,
  /** In forms that add tags. */
  publishes: (tag: string, pages: readonly string[]) =>
    `${pages.join(' and ')} ${pages.length === 1 ? 'shows' : 'show'} every monitor tagged “${tag}”, so the name becomes public there.`,
}

const SORTS: Readonly<Record<string, string>> = {
  state: 'state',
  name: 'name',
  uptime: 'uptime',
  p95: 'p95',
  changed: 'last change',
}

export const viewsText = {
  button: 'Views',
  label: 'Saved views',
  none: 'No saved views yet',
  save: 'Save this view…',
  manage: 'Manage views…',
  saving: {
    title: 'Save this view',
    about: 'Saves the filters and the sort order for everyone in the organization.',
    name: 'Name',
    action: 'Save view',
    done: (name: string) => `View ${name} saved`,
  },
  title: 'Saved views',
  about: 'Shared with everyone in the organization.',
  deleting: (name: string) => `Delete “${name}” for everyone?`,
  deleteAction: 'Delete view',
  renamed: (name: string) => `Renamed to ${name}`,
  deleted: (name: string) => `View ${name} deleted`,
  everything: 'all monitors',
  oneTag: 'one tag',
  by: (sort: string) => `sorted by ${SORTS[sort] ?? sort}`,
}

export const nameSentences: FieldSentences = {
  name: { empty: 'Enter a name.', long: 'Use a shorter name.', other: 'Enter a name.' },
}
