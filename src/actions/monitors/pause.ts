import { monitorEvent } from '../../domain/events/event.ts'
import { pause } from '../../domain/monitors/change.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { beginSpan } from '../../store/history/state-spans.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { publishEvents } from '../events/publish.ts'
import { resolveOpenIncident } from '../incidents/resolve.ts'
import { writeOffDue } from '../results/write-off-due.ts'

/** Stops checks and resolves an ongoing incident. A monitor that is already paused is returned unchanged. */
export async function pauseMonitor(tx: TenantTx, uuid: string): Promise<Monitor | undefined> {
  const monitor = await monitors.lockMonitor(tx, uuid)
  if (monitor === undefined || monitor.state === 'PAUSED') return monitor

  const { monitor: paused, resolution } = pause(monitor, tx.now)

  await writeOffDue(tx, monitor)
  await monitors.touchMonitor(tx, paused)
  await monitors.updateState(tx, paused, { samples: true, target: false })
  await beginSpan(tx, paused.no, 'PAUSED')
  const resolved = await resolveOpenIncident(tx, paused, resolution)

  await publishEvents(tx, [monitorEvent('paused', paused, tx.now), ...resolved])
  return paused
}
