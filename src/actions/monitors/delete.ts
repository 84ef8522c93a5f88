import { incidentEvent, monitorEvent } from '../../domain/events/event.ts'
import { resolveIncident } from '../../domain/incidents/incident.ts'
import { remove } from '../../domain/monitors/monitor-state.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { deleteSpans } from '../../store/history/state-spans.ts'
import { lockOpenIncident } from '../../store/incidents/incidents.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { countMonitors, lockUsage } from '../../store/people/organizations.ts'
import { publishAll } from '../events/publish.ts'

/** Deletes a monitor with its incidents and history. Only the events about it remain. */
export async function deleteMonitor(tx: TenantTx, uuid: string): Promise<boolean> {
  await lockUsage(tx)
  const monitor = await monitors.lockMonitor(tx, uuid)
  if (monitor === undefined) return false

  const { resolution } = remove(monitor)
  const open = await lockOpenIncident(tx, uuid)
  const resolved = open && resolveIncident(open, resolution, tx.now)

  await deleteSpans(tx, monitor.no)
  await monitors.deleteMonitor(tx, uuid)
  await countMonitors(tx, -1)

  const drafts = [
    ...(resolved ? [incidentEvent('resolved', resolved, monitor, tx.now)] : []),
    monitorEvent('deleted', monitor, tx.now),
  ]
  // Once for each monitor, and never refused.
  await publishAll(
    tx,
    drafts.map((draft) => ({ orgId: tx.orgId, draft })),
  )
  return true
}
