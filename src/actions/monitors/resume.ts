import { monitorEvent } from '../../domain/events/event.ts'
import { resume } from '../../domain/monitors/change.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { beginSpan } from '../../store/history/state-spans.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { publishEvents } from '../events/publish.ts'

/** Sets the monitor to PENDING and due immediately. A monitor that is not paused is returned unchanged. */
export async function resumeMonitor(tx: TenantTx, uuid: string): Promise<Monitor | undefined> {
  const monitor = await monitors.lockMonitor(tx, uuid)
  if (monitor === undefined || monitor.state !== 'PAUSED') return monitor

  const resumed = resume(monitor, tx.now)

  await monitors.touchMonitor(tx, resumed)
  await monitors.updateState(tx, resumed, { samples: true, target: false })
  await beginSpan(tx, resumed.no, 'PENDING')

  await publishEvents(tx, [monitorEvent('resumed', resumed, tx.now)])
  return resumed
}
