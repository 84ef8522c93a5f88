import { requirementRefusal } from '../../domain/people/organization-gate.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import {
  lockSettings,
  memberHasSecondFactor,
  setSecondFactorRequirement,
} from '../../store/people/organization-settings.ts'
import { requireOwner } from './require-owner.ts'

/** Whether members need a second factor to use the organization. API keys are not affected. Returns whether they did. */
export async function requireSecondFactor(
  tx: TenantTx,
  { byUuid, isRequired }: { byUuid: string; isRequired: boolean },
): Promise<boolean> {
  await requireOwner(tx, byUuid)
  const hasSecondFactor = await memberHasSecondFactor(tx, byUuid)
  const refusal = requirementRefusal({ isRequired, hasSecondFactor })
  if (refusal !== undefined) throw new ApiError('conflict', refusal)
  const { requiresSecondFactor } = await lockSettings(tx)
  await setSecondFactorRequirement(tx, isRequired)
  return requiresSecondFactor
}
