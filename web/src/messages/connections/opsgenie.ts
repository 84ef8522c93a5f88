// The end of Opsgenie, and the move to its successor.
import type { FieldSentences } from '../field-problems.ts'

export const opsgenieText = {
  ends: 'Opsgenie shuts down on 5 April 2027.',
  move: (names: readonly string[]) =>
    names.length === 1
      ? `Move ${names[0]} to Jira Service Management before then: open the contact and choose “Move from Opsgenie”.`
      : `Move these contacts to Jira Service Management before then: ${names.join(', ')}. Open each and choose “Move from Opsgenie”.`,
  action: 'Move from Opsgenie…',
  title: (name: string) => `Move ${name} to Jira Service Management?`,
  about:
    'Its name, rules and monitors stay. Alerts go to Jira Service Management from now on, including those that are waiting.',
  apiKey: 'API key',
  apiKeyHint:
    'Of an API integration in Jira Service Management. Leave empty to keep the current key.',
  confirm: 'Move contact',
  moved: (name: string) => `${name} moved to Jira Service Management`,
}

export const opsgenieSentences: FieldSentences = {
  apiKey: {
    empty: 'Enter the API key.',
    says: { 'must be letters, digits and signs': 'Remove spaces and special characters.' },
    other: 'Use at most 2,048 characters.',
  },
}
