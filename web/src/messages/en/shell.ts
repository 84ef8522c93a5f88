// The frame around every screen: shortcuts, menus, navigation.
export const keyboardText = {
  palette: 'Command palette',
  help: 'Keyboard shortcuts',
  acknowledge: 'Acknowledge…',
  acknowledgeNewest: 'Acknowledge the newest incident',
  theme: 'Change theme',
} as const

export const themeText = {
  title: 'Theme',
  names: { system: 'System', light: 'Light', dark: 'Dark' },
  changed: 'Theme: {name}',
} as const

export const zoneText = {
  times: 'Times in {name}',
} as const

export const navigationText = {
  more: 'More',
  acknowledge: 'Acknowledge {monitor}',
  unacknowledged: '{count} unacknowledged',
  ongoing: '{count} ongoing',
} as const

export const frameText = {
  openNow: 'open now',
  yourAccount: 'Your account',
  mainShort: 'Main, short',
  skipToContent: 'Skip to content',
  main: 'Main',
  breadcrumb: 'Breadcrumb',
  search: 'Search',
  signOut: 'Sign out',
  ongoing: 'ongoing:',
} as const
