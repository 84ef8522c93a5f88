import { storageRefusal } from '../../domain/values/storage-limits.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Tx } from '../../store/core/db.ts'
import { countMembers } from '../../store/people/members.ts'

/** Refuses one member more than the plan stores. */
export async function refuseSurplusMember(tx: Tx, orgId: string): Promise<void> {
  const { count, limits } = await countMembers(tx, orgId)
  const refusal = storageRefusal('members', limits.members, count + 1)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)
}
