import type { AlertContact } from '../../domain/alerts/contact.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import { rescheduleAlerts } from '../../store/alerts/conditions.ts'
import * as contacts from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { type EmailOptions, requestConfirmation } from './confirm-contact.ts'

/** `change` derives the new contact from the current one, and may throw. */
export async function updateAlertContact(
  tx: TenantTx,
  uuid: string,
  change: (contact: AlertContact) => contacts.ContactInput,
  emailOptions: EmailOptions,
): Promise<Change<AlertContact> | undefined> {
  const contact = await contacts.lockContact(tx, uuid)
  if (contact === undefined) return undefined

  const wish = change(contact)

  await contacts.updateContact(tx, uuid, wish)
  const { address } = wish.settings
  if (wish.channel === 'EMAIL' && address !== undefined && address !== contact.settings['address'])
    await requestConfirmation(tx, { uuid, address }, emailOptions)
  await contacts.resetContactFailures(tx, uuid)
  await rescheduleAlerts(tx, tx.orgId)
  const after = await contacts.findContact(tx, uuid)
  return after && { before: contact, after }
}
