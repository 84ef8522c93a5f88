import { monitorFact } from '../domain/event.ts'
import type { Monitor } from '../domain/monitor.ts'
import { pause } from '../domain/monitor-change.ts'
import { tell } from '../store/events.ts'
import * as monitors from '../store/monitors.ts'
import { beginSpan } from '../store/state-spans.ts'
import type { TenantTx } from '../store/tenants.ts'
import { resolveOpenIncident } from './resolve-incident.ts'
import { writeOffDue } from './write-off-due.ts'

/** Checks stop and an ongoing incident ends with them. A paused monitor is returned as it is. */
export async function pauseMonitor(tx: TenantTx, uuid: string): Promise<Monitor | undefined> {
  const monitor = await monitors.lockMonitor(tx, uuid)
  if (monitor === undefined || monitor.state === 'PAUSED') return monitor

  const paused = pause(monitor, tx.now)

  await writeOffDue(tx, monitor)
  await monitors.updateTouched(tx, paused)
  await monitors.updateStanding(tx, paused, { samples: true, dnsBaseline: false })
  await beginSpan(tx, paused.no, 'PAUSED')
  const resolved = await resolveOpenIncident(tx, paused, 'MONITOR_PAUSED')

  await tell(tx, [monitorFact('paused', paused, tx.now), ...resolved])
  return paused
}
