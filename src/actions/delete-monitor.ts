import { incidentFact, monitorFact } from '../domain/event.ts'
import { resolveIncident } from '../domain/incident.ts'
import { tell } from '../store/events.ts'
import { lockOpenIncident } from '../store/incidents.ts'
import * as monitors from '../store/monitors.ts'
import { countMonitors, lockUsage } from '../store/organizations.ts'
import { deleteSpans } from '../store/state-spans.ts'
import type { TenantTx } from '../store/tenants.ts'

/** Removes a monitor with its incidents and history; what is left are the events that tell of it. */
export async function deleteMonitor(tx: TenantTx, uuid: string): Promise<boolean> {
  await lockUsage(tx)
  const monitor = await monitors.lockMonitor(tx, uuid)
  if (monitor === undefined) return false

  const open = await lockOpenIncident(tx, uuid)
  const resolved = open && resolveIncident(open, 'MONITOR_DELETED', tx.now)

  await deleteSpans(tx, monitor.no)
  await monitors.deleteMonitor(tx, uuid)
  await countMonitors(tx, -1)

  await tell(tx, [
    ...(resolved ? [incidentFact('resolved', resolved, monitor, tx.now)] : []),
    monitorFact('deleted', monitor, tx.now),
  ])
  return true
}
