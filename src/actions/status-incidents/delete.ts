import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'

/** Takes it off every page, with its updates. False when there is no such incident. */
export async function deleteStatusIncident(tx: TenantTx, uuid: string): Promise<boolean> {
  await lockUsage(tx)
  return incidents.deleteStatusIncident(tx, uuid)
}
