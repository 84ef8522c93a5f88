// A mail to one person about their account or their membership, whole but for its look.
import type { Role } from './role.ts'

/** How somebody signs in; they get an email about each change of it. */
export type AccountChange =
  | 'PASSWORD'
  | 'SECOND_FACTOR_ON'
  | 'SECOND_FACTOR_OFF'
  | 'IDENTITY_LINKED'
  | 'IDENTITY_UNLINKED'

export type AccountEmail = {
  to: string
  link: string
  /** When the link stops working. A mail that is late is not sent. */
  endsAt: string
} & (
  | { kind: 'RESET_PASSWORD'; name: string }
  | { kind: 'INVITATION'; organization: string; invitedBy: string; role: Role }
  | { kind: 'CONFIRM_CONTACT'; organization: string }
  | { kind: 'ACCOUNT_CHANGED'; name: string; change: AccountChange; at: string; network: string }
)

const KINDS: ReadonlySet<string> = new Set<AccountEmail['kind']>([
  'RESET_PASSWORD',
  'INVITATION',
  'CONFIRM_CONTACT',
  'ACCOUNT_CHANGED',
])

export function isAccountEmail<Other extends { kind: string }>(
  email: AccountEmail | Other,
): email is AccountEmail {
  return KINDS.has(email.kind)
}
