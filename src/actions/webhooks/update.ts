import type { WebhookEndpoint } from '../../domain/events/webhook.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as endpoints from '../../store/deliveries/webhook-endpoints.ts'

/** Changes the given fields and keeps the rest. Does nothing if nothing differs. */
export async function updateWebhookEndpoint(
  tx: TenantTx,
  uuid: string,
  patch: Partial<endpoints.EndpointSettings>,
): Promise<WebhookEndpoint | undefined> {
  const before = await endpoints.lockEndpoint(tx, uuid)
  if (before === undefined) return undefined

  if (patch.enabled === true) await endpoints.resetFailures(tx, uuid)
  const merged = { ...before, ...patch }
  const changed = (['url', 'description', 'eventTypes', 'enabled'] as const).some(
    (field) => JSON.stringify(merged[field]) !== JSON.stringify(before[field]),
  )
  if (!changed) return before

  // An endpoint that is already disabled for another reason keeps that reason until it is enabled.
  const disabledReason = merged.enabled ? null : (before.disabledReason ?? 'MANUAL')
  const after = { ...merged, disabledReason, updatedAt: tx.now }
  await endpoints.updateEndpoint(tx, after)
  return after
}
