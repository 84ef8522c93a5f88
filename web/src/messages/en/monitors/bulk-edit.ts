// The dialog that edits many monitors.
export const bulkEditText = {
  title: 'Edit {count, plural, one {# monitor} other {# monitors}}',
  about: 'Only what you change here is saved.',
  action: 'Save changes',
  noChange: "Don't change",
  checkEvery: 'Check every',
  addTags: 'Add tags',
  tooManyTags: 'A monitor can have at most {most} tags.',
  removeTags: 'Remove tags',
  alertsTo: 'Alerts to {name}',
  send: 'Send',
  doNotSend: "Don't send",
} as const
