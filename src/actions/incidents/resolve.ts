import { type EventDraft, incidentEvent } from '../../domain/events/event.ts'
import {
  type Resolution,
  resolvedMessage,
  resolveIncident,
} from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as incidents from '../../store/incidents/incidents.ts'

/**
 * Resolves the monitor's ongoing incident, if any, in the transaction of the change that ends it. A change without a
 * resolution leaves it open. Returns the events for the caller to publish in its own order.
 */
export async function resolveOpenIncident(
  tx: TenantTx,
  monitor: Monitor,
  resolution: Resolution | null,
): Promise<EventDraft[]> {
  if (resolution === null) return []
  const open = await incidents.lockOpenIncident(tx, monitor.uuid)
  if (open === undefined) return []

  const resolved = resolveIncident(open, resolution, tx.now)
  await incidents.saveResolution(tx, resolved)
  await incidents.addTimelineLine(tx, open.uuid, {
    type: 'RESOLVED',
    at: resolved.resolvedAt,
    message: resolvedMessage(resolution),
  })
  return [incidentEvent('resolved', resolved, monitor, tx.now)]
}
