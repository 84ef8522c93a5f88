import {
  deletionRefusal,
  eraseAtOf,
  isConfirmedBy,
} from '../../domain/people/organization-deletion.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockSettings, saveDeletion } from '../../store/people/organization-settings.ts'
import { requireOwner } from './require-owner.ts'

/** Stops everything of the organization, and returns when it is erased unless an owner undoes it. */
export async function requestDeletion(
  tx: TenantTx,
  { byUuid, typedName }: { byUuid: string; typedName: string },
): Promise<Date> {
  await requireOwner(tx, byUuid)
  const organization = await lockSettings(tx)
  const refusal = deletionRefusal(organization)
  if (refusal !== undefined) throw new ApiError('conflict', refusal)
  if (!isConfirmedBy(typedName, organization.name))
    throw validationError([{ path: 'name', message: 'must be the name of the organization' }])
  const eraseAt = eraseAtOf(tx.now)
  await saveDeletion(tx, eraseAt)
  return eraseAt
}
