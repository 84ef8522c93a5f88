// Before sign-in: signing in, invitations, passwords, set-up, and pages that are not found.
export const authText = {
  email: 'Email',
  yourName: 'Your name',
  password: 'Password',
  newPassword: 'New password',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  passwordHint: 'At least 12 characters. A short phrase works well.',
  toSignIn: 'Go to sign-in',
  backToSignIn: 'Back to sign-in',
  tryAgain: 'Try again',
  continueWith: 'Continue with {provider}',
  continueWithPasskey: 'Continue with a passkey',
  orPassword: 'or with a password',
  orCode: 'or with a code',
  signIn: {
    title: 'Sign in to Upvane',
    about: 'Welcome back.',
    forgot: 'Forgot password?',
    action: 'Sign in',
    problems: {
      email: {
        empty: 'Enter your email address.',
        other: 'Enter an email address, like ana@example.com.',
      },
      password: { empty: 'Enter your password.' },
    },
  },
  secondFactor: {
    title: 'One more step',
    about: 'Enter the 6-digit code from your authenticator app.',
    aboutEither: 'Use your passkey, or enter the 6-digit code from your authenticator app.',
    aboutPasskey: 'Use your passkey, or enter a recovery code.',
    code: 'Code',
    recoveryCode: 'Recovery code',
    hint: 'Lost your authenticator? Enter a recovery code instead.',
    action: 'Sign in',
    otherAccount: 'Use another account',
    problems: { code: { empty: 'Enter the code.', other: 'Wrong code.' } },
  },
  noAccount: {
    title: 'No account yet',
    about: 'Create the first account with the /setup link in the server log.',
    hint: "Can't find it? Restart the server to print a new link.",
  },
  forgot: {
    title: 'Forgot your password?',
    about: "We'll email you a link to choose a new one.",
    action: 'Send link',
    sentTitle: 'Check your inbox',
    sent: 'If {address} has an account, a reset link is on its way.',
    problems: {
      email: {
        empty: 'Enter your email address.',
        other: 'Enter an email address, like ana@example.com.',
      },
    },
  },
  reset: {
    title: 'Choose a new password',
    about: "You'll be signed out on all devices.",
    action: 'Change password',
    doneTitle: 'Password changed',
    done: 'You were signed out on all devices. Sign in with your new password.',
    endedTitle: 'This link has expired',
    ended: 'It was already used or is too old. Request a new one.',
    problems: {
      password: {
        empty: 'Choose a password.',
        short: 'Use at least 12 characters.',
        long: 'Use at most 128 characters.',
        says: {
          'must not be the same few characters again and again':
            'Use more than a few different characters.',
          'must not contain your email address': "Don't use your email address.",
          'must not be a common password, or a common word and digits':
            'This password is too common. Choose another one.',
        },
      },
    },
  },
  invitation: {
    title: 'Join {organization}',
    about: {
      READ_ONLY: '{by} invited you to join with read-only access.',
      MEMBER: '{by} invited you to join as a member.',
      ADMIN: '{by} invited you to join as an admin.',
      OWNER: '{by} invited you to join as an owner.',
    },
    signInToAccept: 'Sign in to accept.',
    signIn: 'Sign in',
    join: 'Join',
    joinAs: 'Join as {address}',
    endedTitle: 'This invitation has expired',
    ended: 'It was used, withdrawn or has expired. Ask for a new one.',
    problems: {
      name: { empty: 'Enter your name.', long: 'Use at most 120 characters.' },
      password: {
        empty: 'Choose a password.',
        short: 'Use at least 12 characters.',
        long: 'Use at most 128 characters.',
        says: {
          'must not be the same few characters again and again':
            'Use more than a few different characters.',
          'must not contain your email address': "Don't use your email address.",
          'must not be a common password, or a common word and digits':
            'This password is too common. Choose another one.',
        },
      },
    },
  },
  setUp: {
    title: 'Set up Upvane',
    about: 'Create your organization and its owner account.',
    aboutOwner: "You'll be the owner of {organization}.",
    organization: 'Organization',
    organizationName: 'Organization name',
    newOrganization: 'New organization',
    action: 'Create account',
    endedTitle: 'This link has expired',
    ended:
      'It was already used, is more than an hour old, or the server printed a newer one. Restart Upvane, and open the link in its log.',
    problems: {
      organization: {
        empty: 'Enter a name for your organization.',
        long: 'Use at most 120 characters.',
      },
      name: { empty: 'Enter your name.', long: 'Use at most 120 characters.' },
      email: {
        empty: 'Enter your email address.',
        other: 'Enter an email address, like ana@example.com.',
      },
      password: {
        empty: 'Choose a password.',
        short: 'Use at least 12 characters.',
        long: 'Use at most 128 characters.',
        says: {
          'must not be the same few characters again and again':
            'Use more than a few different characters.',
          'must not contain your email address': "Don't use your email address.",
          'must not be a common password, or a common word and digits':
            'This password is too common. Choose another one.',
        },
      },
    },
  },
  confirmContact: {
    title: 'Receive alerts from {organization}?',
    about: '{organization} wants to send alerts about its websites and services to {address}.',
    action: 'Confirm address',
    doneTitle: 'Address confirmed',
    done: '{address} now receives alerts from {organization}. You can close this page.',
    endedTitle: 'This link has expired',
    ended:
      'It was already used or is too old. Ask the person who added your address to resend the email.',
  },
  acknowledge: {
    title: '{monitor} is down',
    about:
      "{cause}, since {moment}, at {organization}. Acknowledge it to let your team know you're on it and to stop reminders.",
    asContact: 'The incident will show {contact} as the contact who acknowledged it.',
    action: 'Acknowledge',
    doneTitle: '{monitor}: acknowledged',
    done: 'Acknowledged by {name}. You can close this page.',
    openTitle: '{monitor} is still down',
    resolvedTitle: '{monitor}: resolved',
    /** Of a link that only shows the incident. */
    since: '{cause}, since {moment}, at {organization}.',
    resolved: 'Started {from} and resolved {to}, at {organization}.',
    acknowledged: 'Acknowledged by {name}, {moment}.',
    notAcknowledged: 'No one acknowledged it.',
    notYet: 'No one has acknowledged it. This link has expired: sign in to acknowledge it.',
    endedTitle: 'This link has expired',
    ended:
      'Links in alerts work for 24 hours, and only while the incident is open. Sign in to see what is down now and to acknowledge it.',
    open: 'Open Upvane',
    failedTitle: "Couldn't load the incident",
    again: 'Try again',
  },
} as const
