import { incidentEvent } from '../../domain/events/event.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as incidents from '../../store/incidents/incidents.ts'
import { lockMonitor } from '../../store/monitors/monitors.ts'
import { publishAll } from '../events/publish.ts'

/** The first acknowledgement counts. A repeat returns the incident unchanged and publishes nothing. */
export async function acknowledgeIncident(
  tx: TenantTx,
  uuid: string,
  acknowledgement: incidents.Acknowledgement,
): Promise<incidents.IncidentDetailRecord | undefined> {
  const found = await incidents.findIncident(tx, uuid)
  if (found === undefined || found.acknowledgedAt !== null) return found
  // Locks the monitor before its incident, as everywhere. The event's id is created under this lock.
  const monitor = await lockMonitor(tx, found.monitor.uuid)
  if (monitor === undefined) return undefined

  if (await incidents.acknowledge(tx, uuid, acknowledgement)) {
    const message = acknowledgedMessage(acknowledgement)
    await incidents.addTimelineLine(tx, uuid, { type: 'ACKNOWLEDGED', at: tx.now, message })
    const acknowledged = { ...found, acknowledgedAt: tx.now }
    const draft = incidentEvent('acknowledged', acknowledged, monitor, tx.now)
    // Once for each incident, and never refused.
    await publishAll(tx, [{ orgId: tx.orgId, draft }])
  }
  return incidents.findIncident(tx, uuid)
}

function acknowledgedMessage({ byType, byName, note }: incidents.Acknowledgement): string {
  const by = byType === 'ALERT_CONTACT' ? `contact ${byName} by link` : byName
  return note ? `Acknowledged by ${by}: ${note}` : `Acknowledged by ${by}.`
}
