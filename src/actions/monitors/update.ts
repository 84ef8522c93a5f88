import { monitorEvent } from '../../domain/events/event.ts'
import { change, type MonitorChange, type MonitorPatch } from '../../domain/monitors/change.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { monitorProblems, targetProblems } from '../../domain/monitors/rules.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import { intervalRefusal } from '../../domain/values/plan.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { beginSpan } from '../../store/history/state-spans.ts'
import * as monitors from '../../store/monitors/monitors.ts'
import { forgetProofs } from '../../store/monitors/region-proofs.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { publishEvents } from '../events/publish.ts'
import { resolveOpenIncident } from '../incidents/resolve.ts'
import { writeOffDue } from '../results/write-off-due.ts'
import { newHeartbeatToken } from './heartbeat-token.ts'

/** Applies the patch to the monitor. The result is validated as a whole and applied completely or not at all. */
export async function updateMonitor(
  tx: TenantTx,
  uuid: string,
  patch: MonitorPatch,
): Promise<Change<Monitor> | undefined> {
  // The plan matters only for a new interval, and its lock must be taken before the monitor's.
  const usage = patch.intervalSeconds === undefined ? undefined : await lockUsage(tx)
  const before = await monitors.lockMonitor(tx, uuid)
  if (before === undefined) return undefined

  const changed = change(before, patch, tx.now)
  const isNewTarget = changed.changedFields.some((field) => field === 'url' || field === 'type')
  const problems = [
    ...monitorProblems(changed.monitor),
    ...(isNewTarget ? targetProblems(changed.monitor) : []),
  ]
  if (problems.length > 0) throw validationError(problems)
  const faster = changed.monitor.intervalSeconds < before.intervalSeconds
  const refusal =
    faster && usage ? intervalRefusal(usage.limits, changed.monitor.intervalSeconds) : undefined
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)

  const after = withHeartbeatToken(changed.monitor)
  if (changed.changedFields.length > 0) await save(tx, before, { ...changed, monitor: after })
  const resolved = await resolveOpenIncident(tx, after, changed.resolution)

  const { changedFields } = changed
  await publishEvents(tx, [monitorEvent('updated', after, tx.now, { changedFields }), ...resolved])
  return { before, after }
}

async function save(tx: TenantTx, before: Monitor, changed: MonitorChange): Promise<void> {
  const { monitor, forgetsSamples } = changed
  if (monitor.nextDueAt?.getTime() !== before.nextDueAt?.getTime()) await writeOffDue(tx, before)
  await monitors.updateSettings(tx, monitor)
  await monitors.updateState(tx, monitor, { samples: forgetsSamples, target: forgetsSamples })
  if (changed.forgetsProofs) await forgetProofs(tx, monitor.no)
  if (monitor.state !== before.state) await beginSpan(tx, monitor.no, monitor.state)
}

/** A monitor gets its heartbeat URL the first time it becomes CRON, and keeps it. */
function withHeartbeatToken(monitor: Monitor): Monitor {
  if (monitor.type !== 'CRON' || monitor.heartbeatToken !== null) return monitor
  return { ...monitor, heartbeatToken: newHeartbeatToken() }
}
