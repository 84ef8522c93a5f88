import { deleteContact, lockContactToDelete } from '../store/alert-contacts.ts'
import { removeReceiver } from '../store/receivers.ts'
import type { TenantTx } from '../store/tenants.ts'

/** What was still to be sent to it is cancelled. */
export async function deleteAlertContact(tx: TenantTx, uuid: string): Promise<boolean> {
  if (!(await lockContactToDelete(tx, uuid))) return false
  await removeReceiver(tx, uuid)
  await deleteContact(tx, uuid)
  return true
}
