import { lockUsage } from '../store/organizations.ts'
import { removeReceiver } from '../store/receivers.ts'
import { deletePage } from '../store/status-pages.ts'
import type { TenantTx } from '../store/tenants.ts'

/** With its subscribers, and with the published incidents that are left without a page. */
export async function deleteStatusPage(tx: TenantTx, uuid: string): Promise<boolean> {
  // Of two that delete the two pages of an incident, the second must see that it deletes the last one.
  await lockUsage(tx)
  if (!(await deletePage(tx, uuid))) return false
  await removeReceiver(tx, uuid)
  return true
}
