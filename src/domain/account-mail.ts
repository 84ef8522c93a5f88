// A mail to one person about their account or their membership, whole but for its look.
import type { Role } from './role.ts'

export type AccountMail = {
  to: string
  link: string
  /** When the link stops working. A mail that is late is not sent. */
  endsAt: string
} & (
  | { kind: 'RESET_PASSWORD'; name: string }
  | { kind: 'INVITATION'; organization: string; invitedBy: string; role: Role }
  | { kind: 'CONFIRM_CONTACT'; organization: string }
)

const KINDS: ReadonlySet<string> = new Set<AccountMail['kind']>([
  'RESET_PASSWORD',
  'INVITATION',
  'CONFIRM_CONTACT',
])

export function isAccountMail<Other extends { kind: string }>(
  mail: AccountMail | Other,
): mail is AccountMail {
  return KINDS.has(mail.kind)
}
