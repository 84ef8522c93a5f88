// An alert to be sent by email, before it is rendered.
import type { Alert } from './alert.ts'

export type AlertEmail = {
  kind: 'ALERT'
  to: string
  /** Emails with the same thread are grouped by email clients. */
  thread: string
  alert: Alert
  /** Absent if the recipient is an alert contact. */
  recipient?: 'OWNER'
  /** The page where this contact's alerts are configured. */
  contactsUrl: string
}

export function isAlertEmail<Other extends { kind: string }>(
  email: AlertEmail | Other,
): email is AlertEmail {
  return email.kind === 'ALERT'
}
