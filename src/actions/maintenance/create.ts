import { beginsSoon } from '../../domain/maintenance/edges.ts'
import { pastProblems } from '../../domain/maintenance/rules.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { firstProgress } from '../../domain/maintenance/window-change.ts'
import { allowanceRefusal } from '../../domain/values/plan.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockCovered } from '../../store/history/maintenance-spans.ts'
import { saveProgress } from '../../store/maintenance/edges.ts'
import * as windows from '../../store/maintenance/maintenance-windows.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { refuseSurplus } from '../refuse-surplus.ts'
import { advanceDueEdges } from './advance-windows.ts'
import { publishOwnWindows } from './publish.ts'
import { findReferences, type GivenSettings } from './references.ts'

/** A window created during its own span starts immediately and counts from now. */
export async function createMaintenanceWindow(
  tx: TenantTx,
  { monitorIds, statusPageIds, ...given }: GivenSettings,
): Promise<windows.WindowSnapshot> {
  const { limits, storage } = await lockUsage(tx)
  const { references, problems } = await findReferences(tx, { monitorIds, statusPageIds })
  const settings = { monitorUuids: [], pageUuids: [], ...given, ...references }
  if (beginsSoon(settings, tx.now)) await lockCovered(tx, [settings])
  const at = await windows.readClock(tx)

  problems.push(...pastProblems(settings.endsAt, at))
  if (problems.length > 0) throw validationError(problems)
  const inUse = await windows.countOpenWindows(tx)
  const refusal = allowanceRefusal('open maintenance windows', limits.openWindows, inUse)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)
  await refuseSurplus(tx, storage, 'maintenanceWindows')

  const made: MaintenanceWindow = {
    ...settings,
    ...firstProgress(settings, at),
    uuid: tx.newUuid(),
    onNamedPages: settings.pageUuids.length > 0,
    createdAt: at,
    updatedAt: at,
  }
  await windows.insertWindow(tx, made)
  const { orgId } = tx
  const { window, news } = await advanceDueEdges(tx, { orgId, window: made }, at)
  await saveProgress(tx, [{ orgId, window }])

  const scheduled = { what: 'scheduled' as const, window, occurrence: window.occurrence, at }
  await publishOwnWindows(tx, [scheduled, ...news])
  return { window, at }
}
