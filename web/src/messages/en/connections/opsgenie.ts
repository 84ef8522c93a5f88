// The end of Opsgenie, and the move to its successor.
export const opsgenieText = {
  ends: 'Opsgenie shuts down on 5 April 2027.',
  move: '{count, plural, one {Move {names} to Jira Service Management before then: open the contact and choose “Move from Opsgenie”.} other {Move these contacts to Jira Service Management before then: {names}. Open each and choose “Move from Opsgenie”.}}',
  action: 'Move from Opsgenie…',
  title: 'Move {name} to Jira Service Management?',
  about:
    'Its name, rules and monitors stay. Alerts go to Jira Service Management from now on, including those that are waiting.',
  apiKey: 'API key',
  apiKeyHint:
    'Of an API integration in Jira Service Management. Leave empty to keep the current key.',
  confirm: 'Move contact',
  moved: '{name} moved to Jira Service Management',
} as const

export const opsgenieSentences = {
  apiKey: {
    empty: 'Enter the API key.',
    says: { 'must be letters, digits and signs': 'Remove spaces and special characters.' },
    other: 'Use at most 2,048 characters.',
  },
} as const
