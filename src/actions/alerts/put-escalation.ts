import {
  type EscalationPolicy,
  type EscalationStep,
  type EscalationTarget,
  MAX_ESCALATION_POLICIES,
} from '../../domain/alerts/escalation.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import { ApiError, notFound, validationError } from '../../platform/api-error.ts'
import { rescheduleAlerts } from '../../store/alerts/conditions.ts'
import * as escalation from '../../store/alerts/escalation.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'

/**
 * The target has exactly these steps afterward. Open outages follow them from now on, without the contacts that are
 * new in it.
 */
export async function putEscalation(
  tx: TenantTx,
  target: EscalationTarget,
  steps: readonly EscalationStep[],
): Promise<Change<EscalationPolicy | undefined> & { after: EscalationPolicy }> {
  await lockUsage(tx)
  if (!(await escalation.lockTarget(tx, target)))
    throw notFound(target.kind === 'TAG' ? 'tag' : 'monitor')
  const before = await escalation.findPolicy(tx, target)
  await refuseUnknown(tx, steps, before?.steps ?? [])
  if (before === undefined && (await escalation.countPolicies(tx)) >= MAX_ESCALATION_POLICIES)
    throw new ApiError('plan_limit', `There may be ${MAX_ESCALATION_POLICIES} escalation policies.`)

  await escalation.replacePolicy(tx, target, steps)
  await rescheduleAlerts(tx, tx.orgId)
  const after = await escalation.findPolicy(tx, target)
  if (after === undefined) throw new Error('The escalation policy was not inserted')
  return { before, after }
}

async function refuseUnknown(
  tx: TenantTx,
  steps: readonly EscalationStep[],
  before: readonly EscalationStep[],
): Promise<void> {
  const uuids = [...steps, ...before].flatMap(({ contactUuids }) => contactUuids)
  const known = await escalation.lockContacts(tx, uuids)
  const problems = steps.flatMap(({ contactUuids }, step) =>
    contactUuids.flatMap((uuid, at) => {
      const path = `steps.${step}.contactIds.${at}`
      return known.has(uuid) ? [] : [{ path, message: 'must be an alert contact that exists' }]
    }),
  )
  if (problems.length > 0) throw validationError(problems)
}
