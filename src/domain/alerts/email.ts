// An alert on its way to a mailbox, whole but for its look.
import type { Alert } from './alert.ts'

export type AlertEmail = {
  kind: 'ALERT'
  to: string
  /** Mails of one thread stand together. */
  thread: string
  alert: Alert
  /** As which it gets this; without it as a contact. */
  recipient?: 'OWNER'
  /** Where it is settled what this contact is told. */
  contactsUrl: string
}

export function isAlertEmail<Other extends { kind: string }>(
  email: AlertEmail | Other,
): email is AlertEmail {
  return email.kind === 'ALERT'
}
