// The dialog that edits many monitors.
import { plural } from '../../time/figures.ts'

export const bulkEditText = {
  title: (count: number) => `Edit ${plural(count, 'monitor')}`,
  about: 'Only what you change here is saved.',
  action: 'Save changes',
  noChange: "Don't change",
  checkEvery: 'Check every',
  addTags: 'Add tags',
  tooManyTags: (most: number) => `A monitor can have at most ${most} tags.`,
  removeTags: 'Remove tags',
  alertsTo: (name: string) => `Alerts to ${name}`,
  send: 'Send',
  doNotSend: "Don't send",
}
