// What went wrong, on any screen.
import { plural } from '../time/figures.ts'

export const errorText = {
  notLoaded: "Couldn't load this",
  tryAgain: 'Try again',
  notOpened: "Couldn't open this. Try again.",
  noConnection: "Can't reach the server.",
  server: 'The server had a problem. Try again.',
  page: 'This page ran into a problem. Reload it.',
  checkFields: (count: number) => `Check ${plural(count, 'field')}.`,
  nothingSaved: 'Nothing was saved.',
  offline: {
    title: (duration: string) => `No connection to Upvane for ${duration}`,
    shown: (clock: string) => `Showing data from ${clock}.`,
    about: "We can't tell whether checks are running.",
    off: 'Filters, forms and actions are off until the connection is back.',
    allOff: 'Search, menus, filters, forms and actions are off until the connection is back.',
    notSent: 'No connection. Nothing was sent.',
    retry: 'Try now',
  },
}
