import { fitComponents } from '../../domain/status-pages/followed-tag.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as followed from '../../store/status-pages/followed-tags.ts'

// The rest would not fit on any page.
const MAX_ADDED = 10_000

/** Sections that follow a tag show what has it now. Call it while holding the lock of `lockUsage`. */
export async function syncFollowingSections(tx: TenantTx): Promise<void> {
  const shrunk = await followed.dropUntagged(tx)
  const added = fitComponents(await followed.findMissing(tx, MAX_ADDED))
  if (added.length > 0) await followed.addTagged(tx, added)
  const changed = [...shrunk, ...added.map(({ pageUuid }) => pageUuid)]
  if (changed.length > 0) await followed.touchPages(tx, changed)
}
