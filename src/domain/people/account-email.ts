// An email to one person about their account or membership, before it is rendered.
import type { Role } from './role.ts'

/** A change to how a person signs in. They get an email about each one. */
export type AccountChange =
  | 'PASSWORD'
  | 'SECOND_FACTOR_ON'
  | 'SECOND_FACTOR_OFF'
  | 'PASSKEY_ADDED'
  | 'PASSKEY_REMOVED'
  | 'IDENTITY_LINKED'
  | 'IDENTITY_UNLINKED'

export type AccountEmail = {
  to: string
  link: string
  /** When the link expires. An email that would arrive later is not sent. */
  endsAt: string
  /** In which times are written. Emails that the previous version queued have none. */
  timezone?: string
} & (
  | { kind: 'RESET_PASSWORD'; name: string }
  | { kind: 'INVITATION'; organization: string; invitedBy: string; role: Role }
  | { kind: 'CONFIRM_CONTACT'; organization: string }
  | { kind: 'ORGANIZATION_DELETED'; organization: string; deletedBy: string }
  | { kind: 'ACCOUNT_CHANGED'; name: string; change: AccountChange; at: string; network: string }
)

const KINDS: ReadonlySet<string> = new Set<AccountEmail['kind']>([
  'RESET_PASSWORD',
  'INVITATION',
  'CONFIRM_CONTACT',
  'ORGANIZATION_DELETED',
  'ACCOUNT_CHANGED',
])

export function isAccountEmail<Other extends { kind: string }>(
  email: AccountEmail | Other,
): email is AccountEmail {
  return KINDS.has(email.kind)
}
