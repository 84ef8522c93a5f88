import { monitorEvent } from '../../domain/events/event.ts'
import { initialStatus } from '../../domain/monitors/change.ts'
import type { Monitor, MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { RegionSetting } from '../../domain/regions/chosen-regions.ts'
import { allowanceRefusal, intervalRefusal } from '../../domain/values/plan.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import { attachContacts } from '../../store/alerts/contact-monitors.ts'
import { lockContacts } from '../../store/alerts/escalation.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { coverNewMonitor } from '../../store/history/maintenance-spans.ts'
import { beginSpan } from '../../store/history/state-spans.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { countMonitors, lockUsage } from '../../store/people/organizations.ts'
import { publishEvents } from '../events/publish.ts'
import { setMonitorTags } from '../tags/set.ts'
import { newHeartbeatToken } from './heartbeat-token.ts'
import { putRegionSetting } from './put-region-setting.ts'

export type NewMonitorRelations = {
  /** Undefined: all contacts of the organization. */
  contactUuids?: readonly string[] | undefined
  /** Names. Those that are not tags yet become tags. */
  tags?: readonly string[]
  paused?: boolean
  regions?: RegionSetting | null | undefined
}

/** Creates a monitor that is due immediately, unless it is paused. The first check finds all its contacts and tags. */
export async function createMonitor(
  tx: TenantTx,
  settings: MonitorSettings,
  { contactUuids, tags = [], paused = false, regions }: NewMonitorRelations = {},
): Promise<Monitor> {
  const { monitors: inUse, limits } = await lockUsage(tx)

  const refusal =
    allowanceRefusal('monitors', limits.monitors, inUse) ??
    intervalRefusal(limits, settings.intervalSeconds)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)
  if (contactUuids !== undefined) await refuseUnknownContacts(tx, contactUuids)

  const monitor = await monitors.insertMonitor(tx, {
    ...settings,
    ...initialStatus(settings, tx.now, paused),
    uuid: tx.newUuid(),
    heartbeatToken: settings.type === 'CRON' ? newHeartbeatToken() : null,
    createdAt: tx.now,
    updatedAt: tx.now,
  })
  await countMonitors(tx, 1)
  await beginSpan(tx, monitor.no, monitor.state)
  await coverNewMonitor(tx, monitor.no)
  if (contactUuids === undefined) await monitors.attachAllContacts(tx, monitor.uuid)
  else await attachContacts(tx, monitor.uuid, contactUuids)
  if (tags.length > 0) await setMonitorTags(tx, monitor.uuid, tags)
  if (regions) await putRegionSetting(tx, { kind: 'MONITOR', uuid: monitor.uuid }, regions)

  await publishEvents(tx, [monitorEvent('created', monitor, tx.now)])
  return monitor
}

async function refuseUnknownContacts(tx: TenantTx, uuids: readonly string[]): Promise<void> {
  const known = await lockContacts(tx, uuids)
  const problems = uuids.flatMap((uuid, at) =>
    known.has(uuid)
      ? []
      : [{ path: `contactIds.${at}`, message: 'must be an alert contact that exists' }],
  )
  if (problems.length > 0) throw validationError(problems)
}
