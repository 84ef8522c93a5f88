// Passkeys and recovery codes on the account page, and what a browser may refuse.
export const passkeysText = {
  title: 'Passkeys',
  about: 'Sign in with your fingerprint, face, screen lock or a security key. No password needed.',
  none: 'None yet.',
  unsupported: 'This browser cannot use passkeys. Update it, or use another one.',
  noSite: 'Passkeys need a server with a domain name and HTTPS.',
  full: 'You have 10 passkeys. Remove one first.',
  added: 'Added',
  used: 'last used',
  neverUsed: 'not used yet',
  codesLeft:
    '{count, plural, one {# recovery code} other {# recovery codes}} left if you lose them.',
  add: 'Add a passkey',
  addAbout: 'Your device asks you to confirm. Other sessions are signed out.',
  name: 'Name',
  nameHint: 'So that you recognize it in the list.',
  addAction: 'Continue',
  addDone: 'Passkey added',
  remove: 'Remove…',
  removeNamed: 'Remove {name}',
  removeTitle: 'Remove {name}?',
  removeAbout: 'It can no longer sign you in. Other sessions are signed out.',
  removeLast:
    "You'll sign in with just your password, and your recovery codes stop working. Other sessions are signed out.",
  removeAction: 'Remove passkey',
  removeDone: 'Passkey removed',
  problems: {
    name: { empty: 'Enter a name.', long: 'Use at most 120 characters.' },
    current: { says: { 'is not your password': 'Wrong password.' } },
  },
  lostPasskey: "Each works once if you lose your passkey. They won't be shown again.",
  lostAuthenticator: "Each works once if you lose your authenticator. They won't be shown again.",
  onlyPasskey: 'Off. You confirm with a passkey.',
  removeAuthenticator: "After your password, we'll ask for a passkey instead.",
  removeOnlyAuthenticator:
    "You'll sign in with just your password, and your recovery codes stop working.",
  browser: {
    canceled: 'No passkey was used. Try again, or choose another way to sign in.',
    notCreated: 'No passkey was created. Try again.',
    known: 'This device already has a passkey for your account.',
    failed: 'Your browser could not use a passkey here.',
  },
} as const
