import type { TenantTx } from '../../store/core/tenants.ts'
import { deleteReceiver } from '../../store/deliveries/receivers.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { deletePage } from '../../store/status-pages/status-pages.ts'

/** Also deletes its subscribers, and the published incidents that are left without a page. */
export async function deleteStatusPage(tx: TenantTx, uuid: string): Promise<boolean> {
  // If two requests delete the two pages of an incident, the second must see that it deletes the last one.
  await lockUsage(tx)
  if (!(await deletePage(tx, uuid))) return false
  await deleteReceiver(tx, uuid)
  return true
}
