// Emails to people about their accounts and memberships.
export const accountEmails = {
  hello: 'Hello {name},',
  facts: {
    account: 'Account',
    address: 'Address',
    deletedForGood: 'Deleted for good',
    expires: 'Expires',
    network: 'Network',
    role: 'Role',
    time: 'Time',
  },
  roles: { READ_ONLY: 'Read only', MEMBER: 'Member', ADMIN: 'Admin', OWNER: 'Owner' },
  resetPassword: {
    subject: 'Choose a new password',
    about:
      'Someone (hopefully you) asked to reset your password. The link works once and signs you out everywhere.',
    button: 'Choose a new password',
    otherwise: 'Not you? Ignore this email; nothing changes.',
  },
  invitation: {
    subject: 'You were invited to an organization on Upvane',
    heading: 'Join an organization',
    about:
      '{by} invited you to join {organization} on Upvane. The link works once, for this address only.',
    button: 'Accept invitation',
    otherwise: "Don't know them? You can ignore this email.",
  },
  confirmContact: {
    subject: 'Confirm that you want to receive alerts',
    heading: 'Confirm this address',
    about:
      '{organization} wants to send alerts about its websites and services to this address with Upvane. No alert is sent before you confirm.',
    button: 'Review and confirm',
    otherwise: "Don't know them? You can ignore this email; nothing more is sent.",
  },
  organizationDeleted: {
    subject: 'Your organization is being deleted',
    about:
      '{by} deleted {organization} on Upvane. Its checks, alerts, API keys and status pages are off.',
    undo: 'Until the time below, any owner can undo this. Then everything in it is deleted for good.',
    button: 'Review or undo',
    otherwise: "You're receiving this because you're an owner of this organization.",
  },
  accountChanged: {
    subjects: {
      PASSWORD: 'Your password was changed',
      SECOND_FACTOR_ON: 'Two-factor authentication was turned on',
      SECOND_FACTOR_OFF: 'Two-factor authentication was turned off',
      PASSKEY_ADDED: 'A passkey was added to your account',
      PASSKEY_REMOVED: 'A passkey was removed from your account',
      IDENTITY_LINKED: 'Your account was linked to an identity provider',
      IDENTITY_UNLINKED: 'Your account was unlinked from its identity provider',
    },
    notYou:
      'If this was you, you can ignore this email. If not, choose a new password now. That signs out everyone else.',
    notYouAndLinked:
      'If this was you, you can ignore this email. If not, choose a new password now. That signs out everyone else. Then unlink the identity provider on your account page.',
    notYouAndPasskey:
      'If this was you, you can ignore this email. If not, choose a new password now. That signs out everyone else. Then remove the passkey on your account page.',
    button: 'Reset your password',
    otherwise: "You're receiving this because it affects how you sign in to Upvane.",
  },
} as const
