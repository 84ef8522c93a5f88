import { deleteContact, lockContactToDelete } from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { deleteReceiver } from '../../store/deliveries/receivers.ts'

/** Cancels pending deliveries to the contact. */
export async function deleteAlertContact(tx: TenantTx, uuid: string): Promise<boolean> {
  if (!(await lockContactToDelete(tx, uuid))) return false
  await deleteReceiver(tx, uuid)
  await deleteContact(tx, uuid)
  return true
}
