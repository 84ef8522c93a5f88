import { monitorEvent } from '../../domain/events/event.ts'
import { initialStatus } from '../../domain/monitors/change.ts'
import type { Monitor, MonitorSettings } from '../../domain/monitors/monitor.ts'
import { allowanceRefusal, intervalRefusal } from '../../domain/values/plan.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { coverNewMonitor } from '../../store/history/maintenance-spans.ts'
import { beginSpan } from '../../store/history/state-spans.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { countMonitors, lockUsage } from '../../store/people/organizations.ts'
import { publishEvents } from '../events/publish.ts'
import { newHeartbeatToken } from './heartbeat-token.ts'

/** Creates a monitor that is due immediately, with all of the organization's alert contacts. */
export async function createMonitor(tx: TenantTx, settings: MonitorSettings): Promise<Monitor> {
  const { monitors: inUse, limits } = await lockUsage(tx)

  const refusal =
    allowanceRefusal('monitors', limits.monitors, inUse) ??
    intervalRefusal(limits, settings.intervalSeconds)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)

  const monitor = await monitors.insertMonitor(tx, {
    ...settings,
    ...initialStatus(settings, tx.now),
    uuid: tx.newUuid(),
    heartbeatToken: settings.type === 'CRON' ? newHeartbeatToken() : null,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  await countMonitors(tx, 1)
  await beginSpan(tx, monitor.no, monitor.state)
  await coverNewMonitor(tx, monitor.no)
  await monitors.attachAllContacts(tx, monitor.uuid)

  await publishEvents(tx, [monitorEvent('created', monitor, tx.now)])
  return monitor
}
