// Tags and saved views of the monitor list: names that are listed, renamed and deleted.
export const namesText = {
  rename: 'Rename',
  renameOne: 'Rename {name}',
  newName: 'New name of {name}',
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  deleteOne: 'Delete {name}',
  keep: 'Keep it',
  close: 'Close',
} as const

export const tagsText = {
  title: 'Tags',
  about: 'Tags group monitors in the list, in bulk changes and on status pages.',
  empty: 'No tags yet',
  emptyAbout: "Add tags in a monitor's form, or to many monitors at once.",
  on: '{monitors, plural, =0 {not used} one {# monitor} other {# monitors}}',
  onPages: 'shown on {pages}',
  deleting:
    '{monitors, plural, =0 {Delete “{name}”? No monitor has it.} one {Delete “{name}”? It is removed from # monitor. The monitors are kept.} other {Delete “{name}”? It is removed from # monitors. The monitors are kept.}}',
  deletingOnPages:
    '{monitors, plural, =0 {Delete “{name}”? No monitor has it.} one {Delete “{name}”? It is removed from # monitor. The monitors are kept.} other {Delete “{name}”? It is removed from # monitors. The monitors are kept.}} {count, plural, one {{pages} keeps the components shown now, and no longer follows the tag.} other {{pages} keep the components shown now, and no longer follow the tag.}}',
  deleteAction: 'Delete tag',
  renamed: 'Renamed to {name}',
  deleted: 'Tag {name} deleted',
  /** In forms that add tags. */
  inputHint: 'Separate tags with commas. A new name creates a tag.',
  publishes:
    '{count, plural, one {{pages} shows every monitor tagged “{tag}”, so the name becomes public there.} other {{pages} show every monitor tagged “{tag}”, so the name becomes public there.}}',
} as const

export const viewsText = {
  label: 'Saved views',
  none: 'No saved views yet',
  saving: {
    title: 'Save this view',
    about: 'Saves the filters and the sort order for everyone in the organization.',
    name: 'Name',
    action: 'Save view',
    done: 'View {name} saved',
  },
  title: 'Saved views',
  about: 'Shared with everyone in the organization.',
  deleting: 'Delete “{name}” for everyone?',
  deleteAction: 'Delete view',
  renamed: 'Renamed to {name}',
  deleted: 'View {name} deleted',
  everything: 'all monitors',
  oneTag: 'one tag',
  by: {
    state: 'sorted by state',
    name: 'sorted by name',
    uptime: 'sorted by uptime',
    p95: 'sorted by p95',
    changed: 'sorted by last change',
  },
} as const

export const nameSentences = {
  name: { empty: 'Enter a name.', long: 'Use a shorter name.', other: 'Enter a name.' },
} as const
