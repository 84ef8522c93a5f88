import { recoveryWaitMs } from '../../domain/incidents/recovery-hold.ts'
import type { MonitorStatus } from '../../domain/monitors/monitor.ts'
import { hasRoomForTransitions } from '../../domain/values/day-quota.ts'
import { findEventUsages } from '../../store/core/day-usage.ts'
import type { Db } from '../../store/core/db.ts'

type WaitingMonitor = Pick<MonitorStatus, 'state' | 'lastStatusChangedAt'> & { orgId: string }

/** How long a requested check has to wait because it might end an outage; 0 if it may run now. */
export async function findRecoveryWaitMs(db: Db, monitor: WaitingMonitor): Promise<number> {
  if (monitor.state !== 'DOWN') return 0
  const usage = (await findEventUsages(db, [monitor.orgId])).get(monitor.orgId)
  return usage === undefined || hasRoomForTransitions(usage)
    ? 0
    : recoveryWaitMs(monitor, usage.now)
}
