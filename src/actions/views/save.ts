import { MAX_VIEWS, type SavedView, type ViewFilter, viewKey } from '../../domain/monitors/view.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { insertView, listViews } from '../../store/monitors/views.ts'
import { lockUsage } from '../../store/people/organizations.ts'

export async function saveView(
  tx: TenantTx,
  { name, filter }: { name: string; filter: ViewFilter },
): Promise<SavedView> {
  await lockUsage(tx)
  const known = await listViews(tx)
  refuseSame(known, name)
  if (known.length >= MAX_VIEWS)
    throw new ApiError('plan_limit', `There may be ${MAX_VIEWS} saved views.`)
  const view = { uuid: tx.newUuid(), name, filter }
  await insertView(tx, view)
  return view
}

/** Call it while holding the lock of `lockUsage`: parallel requests could otherwise save the same name. */
export function refuseSame(views: readonly SavedView[], name: string): void {
  const same = views.find((view) => viewKey(view.name) === viewKey(name))
  if (same !== undefined) throw new ApiError('conflict', `There is already a view "${same.name}".`)
}
