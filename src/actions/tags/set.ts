import type { Tag } from '../../domain/monitors/tag.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as tags from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { findOrCreateTags } from './find-or-create.ts'
import { tagsRefusal } from './refusal.ts'
import { syncFollowingSections } from './sync-pages.ts'

/** The monitor has exactly these tags afterwards. Names that are not tags yet become tags. */
export async function setMonitorTags(
  tx: TenantTx,
  monitorUuid: string,
  names: readonly string[],
): Promise<Change<Tag[]> | undefined> {
  await lockUsage(tx)
  const before = await tags.findTagsOf(tx, monitorUuid)
  if (before === undefined) return undefined
  const uuids = (await findOrCreateTags(tx, names)).map(({ uuid }) => uuid)
  await tags.removeOtherTags(tx, monitorUuid, uuids)
  if (uuids.length > 0 && (await tags.addTags(tx, [monitorUuid], uuids)).length === 0)
    throw await tagsRefusal(tx, uuids, 'tags')
  await syncFollowingSections(tx)
  return { before, after: (await tags.findTagsOf(tx, monitorUuid)) ?? [] }
}
