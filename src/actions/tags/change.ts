import type { TenantTx } from '../../store/core/tenants.ts'
import * as tags from '../../store/monitors/tags.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { findOrCreateTags } from './find-or-create.ts'
import { syncFollowingSections } from './sync-pages.ts'

type TagChange = { add: readonly string[]; remove: readonly string[] }

/** Returns the monitors that were changed: those that exist and have room for the added tags. */
export async function changeTags(
  tx: TenantTx,
  monitorUuids: readonly string[],
  { add, remove }: TagChange,
): Promise<string[]> {
  await lockUsage(tx)
  await tags.removeTags(tx, monitorUuids, remove)
  const added = await findOrCreateTags(tx, add)
  const changed = await tags.addTags(
    tx,
    monitorUuids,
    added.map(({ uuid }) => uuid),
  )
  await syncFollowingSections(tx)
  return changed
}
