import { MAX_TAGS_OF_MONITOR, type Tag } from '../../domain/monitors/tag.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as tags from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { findOrCreateTags } from './find-or-create.ts'
import { syncFollowingSections } from './sync-pages.ts'

/** The monitor has exactly these tags afterwards. Names that are not tags yet become tags. */
export async function setMonitorTags(
  tx: TenantTx,
  monitorUuid: string,
  names: readonly string[],
): Promise<Tag[] | undefined> {
  await lockUsage(tx)
  if ((await tags.findTagsOf(tx, monitorUuid)) === undefined) return undefined
  const uuids = (await findOrCreateTags(tx, names)).map(({ uuid }) => uuid)
  await tags.removeOtherTags(tx, monitorUuid, uuids)
  if (uuids.length > 0 && (await tags.addTags(tx, [monitorUuid], uuids)).length === 0)
    throw tooManyTags()
  await syncFollowingSections(tx)
  return tags.findTagsOf(tx, monitorUuid)
}

const tooManyTags = (): ApiError =>
  new ApiError('plan_limit', `A monitor may have ${MAX_TAGS_OF_MONITOR} tags.`)
