import { undoRefusal } from '../../domain/people/organization-deletion.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { clearDeletion, lockSettings } from '../../store/people/organization-settings.ts'
import { requireOwner } from './require-owner.ts'

/** Everything continues: schedules went on without their checks, so each monitor waits for its own next slot. */
export async function undoDeletion(tx: TenantTx, byUuid: string): Promise<void> {
  await requireOwner(tx, byUuid)
  const refusal = undoRefusal(await lockSettings(tx), tx.now)
  if (refusal !== undefined) throw new ApiError('conflict', refusal)
  await clearDeletion(tx)
}
