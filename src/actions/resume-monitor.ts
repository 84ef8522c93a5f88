import { monitorFact } from '../domain/event.ts'
import type { Monitor } from '../domain/monitor.ts'
import { resume } from '../domain/monitor-change.ts'
import { tell } from '../store/events.ts'
import * as monitors from '../store/monitors.ts'
import { beginSpan } from '../store/state-spans.ts'
import type { TenantTx } from '../store/tenants.ts'

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
