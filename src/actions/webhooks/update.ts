import {
  ENDPOINT_SETTINGS,
  type EndpointSettings,
  type WebhookEndpoint,
} from '../../domain/events/webhook-endpoint.ts'
import { namesOf } from '../../domain/fields/field.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as endpoints from '../../store/deliveries/webhook-endpoints.ts'

/** Changes the given fields and keeps the rest. Does nothing if nothing differs. */
export async function updateWebhookEndpoint(
  tx: TenantTx,
  uuid: string,
  patch: Partial<EndpointSettings>,
): Promise<Change<WebhookEndpoint> | undefined> {
  const before = await endpoints.lockEndpoint(tx, uuid)
  if (before === undefined) return undefined

  if (patch.enabled === true) await endpoints.resetFailures(tx, uuid)
  const merged = { ...before, ...patch }
  const changed = namesOf(ENDPOINT_SETTINGS).some(
    (field) => JSON.stringify(merged[field]) !== JSON.stringify(before[field]),
  )
  if (!changed) return { before, after: before }

  // An endpoint that is already disabled for another reason keeps that reason until it is enabled.
  const disabledReason = merged.enabled ? null : (before.disabledReason ?? 'MANUAL')
  const after = { ...merged, disabledReason, updatedAt: tx.now }
  await endpoints.updateEndpoint(tx, after)
  return { before, after }
}
