import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'

/** Removes it from every page, with its updates. False if the incident does not exist. */
export async function deleteStatusIncident(tx: TenantTx, uuid: string): Promise<boolean> {
  await lockUsage(tx)
  return incidents.deleteStatusIncident(tx, uuid)
}
