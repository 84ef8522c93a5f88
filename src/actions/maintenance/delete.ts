import { nextOccurrence } from '../../domain/maintenance/maintenance.ts'
import type { WindowTransition } from '../../domain/maintenance/window.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockCovered, releaseMonitors } from '../../store/history/maintenance-spans.ts'
import * as windows from '../../store/maintenance/maintenance-windows.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { advanceDueEdges } from './advance-windows.ts'
import { publishWindows } from './publish.ts'

/** Cancels a window. The time covered so far stays covered. False if the window does not exist. */
export async function deleteMaintenanceWindow(tx: TenantTx, uuid: string): Promise<boolean> {
  await lockUsage(tx)
  const locked = await windows.lockWindow(tx, uuid)
  if (locked === undefined) return false
  if (locked.covered) await lockCovered(tx, [locked])
  const at = await windows.readClock(tx)
  const { orgId } = tx
  const { window, news } = await advanceDueEdges(tx, { orgId, window: locked }, at)

  const occurrence = nextOccurrence(window, at)
  const canceled: WindowTransition[] =
    occurrence === null ? [] : [{ what: 'canceled', window, occurrence, at }]

  if (window.covered) await releaseMonitors(tx, uuid, at)
  await windows.deleteWindow(tx, uuid)

  // Once for each window, and never refused.
  await publishWindows(
    tx,
    [...news, ...canceled].map((one) => ({ orgId, news: one })),
  )
  return true
}
