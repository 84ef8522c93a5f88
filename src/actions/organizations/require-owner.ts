import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockMembers } from '../../store/people/members.ts'

/** The current role, not the one at the time of the request: it may just have been lowered. */
export async function requireOwner(tx: TenantTx, userUuid: string): Promise<void> {
  const member = (await lockMembers(tx)).get(userUuid)
  if (member?.role !== 'OWNER')
    throw new ApiError('forbidden', 'Your role in this organization does not allow this.')
}
