import type { Change } from '../../domain/people/audit-entry.ts'
import { type RegionSetting, regionProblems } from '../../domain/regions/chosen-regions.ts'
import { regionsRefusal } from '../../domain/values/plan.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { lockTarget } from '../../store/alerts/escalation.ts'
import { listRegionNames } from '../../store/core/regions.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import {
  deleteRegionSetting,
  findClashingTag,
  findRegionSetting,
  type RegionTarget,
  replaceRegionSetting,
  type StoredRegionSetting,
} from '../../store/monitors/region-settings.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { differentRegions } from '../tags/refusal.ts'

/** Checks that start afterward run there. A monitor's own setting counts before those of its tags and the organization. */
export async function putRegionSetting(
  tx: TenantTx,
  target: RegionTarget,
  setting: RegionSetting,
): Promise<Change<StoredRegionSetting | undefined> & { after: StoredRegionSetting }> {
  const { limits } = await lockUsage(tx)
  if (target.uuid !== null && !(await lockTarget(tx, target)))
    throw notFound(target.kind === 'TAG' ? 'tag' : 'monitor')
  const problems = regionProblems(setting, await listRegionNames(tx))
  if (problems.length > 0) throw validationError(problems)
  const refusal = regionsRefusal(limits, setting.regions.length)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)

  const before = await findRegionSetting(tx, target)
  const after = await replaceRegionSetting(tx, target, setting)
  const clash = target.kind === 'TAG' ? await findClashingTag(tx, target.uuid) : undefined
  if (clash) throw differentRegions('regions', clash)
  return { before, after }
}

/** Returns what it was; undefined if there was none. */
export async function removeRegionSetting(
  tx: TenantTx,
  target: RegionTarget,
): Promise<StoredRegionSetting | undefined> {
  await lockUsage(tx)
  const before = await findRegionSetting(tx, target)
  if (before !== undefined) await deleteRegionSetting(tx, target)
  return before
}
