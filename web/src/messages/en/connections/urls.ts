// Problems of addresses that events and alerts are sent to, by the API's words.
export const URL_SAYS = {
  'must start with https://': 'Start with https://.',
  'must not hold a user name or password': 'Remove the user name and password from the URL.',
  'must not have a fragment': 'Remove the part after #.',
  'must not use a mail port': 'Use a web port instead of a mail port.',
  'must be a public address': 'Use an address that is reachable from the internet.',
  'must name a public host': 'Use a hostname that is reachable from the internet.',
} as const
