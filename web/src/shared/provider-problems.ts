// Error codes in the URL after a failed sign-in with the identity provider.
const SENTENCES: Record<string, string> = {
  provider_failed: 'The identity provider did not confirm who you are. Try again.',
  sign_in_ended: 'Signing in took too long or was interrupted. Start again.',
  too_many_tries: 'Too many attempts from your network. Try again in a few minutes.',
  identity_taken: 'That identity is linked to another account.',
  account_closed: 'This account is closed.',
  account_exists:
    'An account with this address already exists. Sign in with its password, then link the two in your account.',
  address_not_verified: "The identity provider hasn't verified your email address.",
  domain_not_allowed: "Accounts from this email domain aren't allowed here.",
  not_invited: "This account hasn't been invited yet. Ask an admin of your organization.",
}

export const providerSentence = (problem: string): string =>
  SENTENCES[problem] ?? "Signing in there didn't work. Try again."
