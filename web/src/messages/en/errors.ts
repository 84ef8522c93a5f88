// What went wrong, on any screen.
export const errorText = {
  notLoaded: "Couldn't load this",
  tryAgain: 'Try again',
  notOpened: "Couldn't open this. Try again.",
  noConnection: "Can't reach the server.",
  server: 'The server had a problem. Try again.',
  page: 'This page ran into a problem. Reload it.',
  checkFields: 'Check {count, plural, one {# field} other {# fields}}.',
  nothingSaved: 'Nothing was saved.',
  offline: {
    title: 'No connection to Upvane for {duration}',
    shown: 'Showing data from {clock}.',
    about: "We can't tell whether checks are running.",
    off: 'Filters, forms and actions are off until the connection is back.',
    allOff: 'Search, menus, filters, forms and actions are off until the connection is back.',
    notSent: 'No connection. Nothing was sent.',
    retry: 'Try now',
  },
} as const
