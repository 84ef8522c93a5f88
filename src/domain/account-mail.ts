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
)

export function isAccountMail<Other extends { kind: string }>(
  mail: AccountMail | Other,
): mail is AccountMail {
  return mail.kind === 'RESET_PASSWORD' || mail.kind === 'INVITATION'
}
