import { type StorageLimits, storageRefusal } from '../domain/values/storage-limits.ts'
import { ApiError } from '../platform/api-error.ts'
import type { TenantTx } from '../store/core/tenants.ts'
import { type CountedRows, countStored } from '../store/people/stored-rows.ts'

const NAMES: Readonly<Record<CountedRows, string>> = {
  statusIncidents: 'published incidents',
  statusIncidentUpdates: 'updates of published incidents',
  maintenanceWindows: 'maintenance windows, with those that are over',
}

/** Refuses one more than the plan stores. Call it while holding the lock of `lockUsage`, which gives the limits. */
export async function refuseSurplus(
  tx: TenantTx,
  storage: StorageLimits,
  what: CountedRows,
): Promise<void> {
  const limit = storage[what]
  const wanted = (await countStored(tx, what, limit + 1)) + 1
  const refusal = storageRefusal(NAMES[what], limit, wanted)
  if (refusal !== undefined) throw new ApiError('plan_limit', `${refusal} Delete old ones first.`)
}
