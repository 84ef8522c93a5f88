// Error codes in the URL after a failed sign-in with the identity provider.
const SENTENCES: Record<string, string> = {
  provider_failed: 'The identity provider did not confirm who you are. Try again.',
  sign_in_ended: 'That took too long, or another window was in between. Start again.',
  too_many_tries: 'Too many tries from your network. Wait a few minutes.',
  identity_taken: 'That identity belongs to another account here.',
  account_closed: 'This account is closed.',
  account_exists:
    'There is an account with this address. Sign in with its password, then link the two in your account.',
  address_not_verified: 'The identity provider has not verified your e-mail address.',
  domain_not_allowed: 'Accounts of this mail domain are not let in here.',
  not_invited: 'Nobody has invited this account yet. Ask an admin of your organization.',
}

export const providerSentence = (problem: string): string =>
  SENTENCES[problem] ?? 'Signing in there did not work. Try again.'
