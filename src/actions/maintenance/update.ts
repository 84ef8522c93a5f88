import { beginsSoon } from '../../domain/maintenance/edges.ts'
import { changeProblems } from '../../domain/maintenance/rules.ts'
import type { MaintenanceWindow, WindowTransition } from '../../domain/maintenance/window.ts'
import {
  changeWindow,
  isSealed,
  movesSpans,
  reopens,
  type WindowChange,
  type WindowPatch,
} from '../../domain/maintenance/window-change.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import { allowanceRefusal } from '../../domain/values/plan.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import {
  adjustMonitors,
  lockCovered,
  releaseMonitors,
} from '../../store/history/maintenance-spans.ts'
import { saveProgress } from '../../store/maintenance/edges.ts'
import * as windows from '../../store/maintenance/maintenance-windows.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { advanceDueEdges } from './advance-windows.ts'
import { publishOwnWindows } from './publish.ts'
import { findReferences, type GivenSettings } from './references.ts'

/** Applies the patch to the current window. An occurrence that has started keeps its start. */
export async function updateMaintenanceWindow(
  tx: TenantTx,
  uuid: string,
  { monitorIds, statusPageIds, ...given }: Partial<GivenSettings>,
): Promise<(Change<MaintenanceWindow> & { at: Date }) | undefined> {
  const { limits } = await lockUsage(tx)
  const locked = await windows.lockWindow(tx, uuid)
  if (locked === undefined) return undefined
  const named = { ...(monitorIds && { monitorIds }), ...(statusPageIds && { statusPageIds }) }
  const { references, problems } = await findReferences(tx, named)
  const patch: WindowPatch = { ...given, ...references }
  const at = await lockSpans(tx, locked, patch)
  // Edges due before this change belong to the old version of the window.
  const { window: before, news } = await advanceDueEdges(
    tx,
    { orgId: tx.orgId, window: locked },
    at,
  )

  const change = changeWindow(before, patch, at)
  refuse([...problems, ...changeProblems(before, change, at)])
  if (isSealed(before, change.changedFields, at))
    throw new ApiError('conflict', 'Of a window that is over only name and description can change.')
  if (reopens(before, change.window, at)) {
    const inUse = await windows.countOpenWindows(tx)
    const refusal = allowanceRefusal('open maintenance windows', limits.openWindows, inUse)
    if (refusal !== undefined) throw new ApiError('plan_limit', refusal)
  }

  const saved = await save(tx, change, at)
  const told = [...news, ...saved.news]
  await publishOwnWindows(tx, told)
  return { before, after: saved.window, at }
}

/** Returns the instant at which all needed locks are held. */
async function lockSpans(
  tx: TenantTx,
  window: MaintenanceWindow,
  patch: WindowPatch,
): Promise<Date> {
  const after = { ...window, ...patch }
  const isNear = window.covered || beginsSoon(after, tx.now)
  if (isNear && movesSpans(patch)) await lockCovered(tx, [window, after])
  return windows.readClock(tx)
}

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw validationError(problems)
}

async function save(tx: TenantTx, change: WindowChange, at: Date) {
  const { window: changed, changedFields, spans, ended } = change
  const { orgId } = tx
  await windows.updateWindow(tx, changed, changedFields)
  if (spans === 'RELEASE') await releaseMonitors(tx, changed.uuid, at)
  if (spans === 'ADJUST' && changed.occurrence !== null)
    await adjustMonitors(tx, changed, { from: at, to: changed.occurrence.endsAt })

  const news: WindowTransition[] = ended
    ? [{ what: 'ended', window: changed, occurrence: ended, at }]
    : []
  const turned = await advanceDueEdges(tx, { orgId, window: changed }, at)
  await saveProgress(tx, [{ orgId, window: turned.window }])
  return { window: turned.window, news: [...news, ...turned.news] }
}
