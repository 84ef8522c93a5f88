import { monitorFact } from '../../domain/events/event.ts'
import { resume } from '../../domain/monitors/change.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { tell } from '../../store/events/events.ts'
import { beginSpan } from '../../store/history/state-spans.ts'
import * as monitors from '../../store/monitors/monitors.ts'

/** Back to PENDING and due at once. A monitor that is not paused is returned as it is. */
export async function resumeMonitor(tx: TenantTx, uuid: string): Promise<Monitor | undefined> {
  const monitor = await monitors.lockMonitor(tx, uuid)
  if (monitor === undefined || monitor.state !== 'PAUSED') return monitor

  const resumed = resume(monitor, tx.now)

  await monitors.updateTouched(tx, resumed)
  await monitors.updateStanding(tx, resumed, { samples: true, dnsBaseline: false })
  await beginSpan(tx, resumed.no, 'PENDING')

  await tell(tx, [monitorFact('resumed', resumed, tx.now)])
  return resumed
}
