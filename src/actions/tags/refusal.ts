import { MAX_TAGS_OF_MONITOR } from '../../domain/monitors/tag.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { type DifferentTags, findDifferentTags } from '../../store/monitors/region-settings.ts'

/** Why a monitor cannot have all of these tags. */
export async function tagsRefusal(
  tx: TenantTx,
  tagUuids: readonly string[],
  path: string,
): Promise<ApiError> {
  const different = await findDifferentTags(tx, tagUuids)
  if (different) return differentRegions(path, different)
  return new ApiError('plan_limit', `A monitor may have ${MAX_TAGS_OF_MONITOR} tags.`)
}

export function differentRegions(path: string, { name, other }: DifferentTags): ApiError {
  const message = `The tags ${name} and ${other} have different regions: a monitor cannot follow both.`
  return validationError([{ path, message }])
}
