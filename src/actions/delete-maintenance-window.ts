import { nextOccurrence } from '../domain/maintenance.ts'
import type { WindowNews } from '../domain/window.ts'
import { lockCovered, releaseMonitors } from '../store/maintenance-spans.ts'
import * as windows from '../store/maintenance-windows.ts'
import { lockUsage } from '../store/organizations.ts'
import type { TenantTx } from '../store/tenants.ts'
import { tellWindows } from './tell-window.ts'
import { turnDueEdges } from './turn-window-edges.ts'

/** Cancels a window. What it covered until now stays covered. False when there is no such window. */
export async function deleteMaintenanceWindow(tx: TenantTx, uuid: string): Promise<boolean> {
  await lockUsage(tx)
  const locked = await windows.lockWindow(tx, uuid)
  if (locked === undefined) return false
  if (locked.covered) await lockCovered(tx, [locked])
  const at = await windows.readClock(tx)
  const { orgId } = tx
  const { window, news } = await turnDueEdges(tx, { orgId, window: locked }, at)

  const occurrence = nextOccurrence(window, at)
  const canceled: WindowNews[] =
    occurrence === null ? [] : [{ what: 'canceled', window, occurrence, at }]

  if (window.covered) await releaseMonitors(tx, uuid, at)
  await windows.deleteWindow(tx, uuid)

  await tellWindows(
    tx,
    [...news, ...canceled].map((one) => ({ orgId, news: one })),
  )
  return true
}
