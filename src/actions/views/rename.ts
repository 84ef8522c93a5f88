import type { SavedView } from '../../domain/monitors/view.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { listViews, renameView as saveName } from '../../store/monitors/views.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { refuseSame } from './save.ts'

export async function renameView(
  tx: TenantTx,
  uuid: string,
  name: string,
): Promise<Change<SavedView> | undefined> {
  await lockUsage(tx)
  const known = await listViews(tx)
  const view = known.find((one) => one.uuid === uuid)
  if (view === undefined) return undefined
  refuseSame(
    known.filter((one) => one !== view),
    name,
  )
  await saveName(tx, uuid, name)
  return { before: view, after: { ...view, name } }
}
