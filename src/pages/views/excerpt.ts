// The beginning of an incident's latest message, as plain text.
import type { PageIncident } from '../snapshot/snapshot.ts'
import { toPlainText } from './markdown.ts'

const MAX_CHARACTERS = 280

/** Empty if no update has a message. */
export function excerptOf({ updates }: Pick<PageIncident, 'updates'>): string {
  const last = updates.find(({ message }) => message !== '')
  return last === undefined ? '' : toPlainText(last.message, MAX_CHARACTERS)
}
