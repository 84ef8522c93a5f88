import type { BulkChange } from '../../domain/monitors/bulk.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as bulks from '../../store/monitors/bulks.ts'
import { lockUsage } from '../../store/people/organizations.ts'

const MAX_OPEN = 20
const MAX_KEPT = 1000

/** Remembers which monitors it is for; `runBulkRound` changes them. */
export async function startBulk(
  tx: TenantTx,
  change: BulkChange,
  monitorUuids: readonly string[],
): Promise<bulks.Bulk> {
  await lockUsage(tx)
  if ((await bulks.countOpenBulks(tx)) >= MAX_OPEN)
    throw new ApiError('plan_limit', `There may be ${MAX_OPEN} unfinished changes to monitors.`)
  const bulk = await bulks.insertBulk(tx, change, monitorUuids)
  await bulks.pruneBulks(tx, MAX_KEPT)
  return bulk
}
