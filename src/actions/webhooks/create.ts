import type { EndpointSettings, WebhookEndpoint } from '../../domain/events/webhook-endpoint.ts'
import { allowanceRefusal } from '../../domain/values/plan.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as endpoints from '../../store/deliveries/webhook-endpoints.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { newWebhookSecret } from './secret.ts'

export type EndpointWithSecret = { endpoint: WebhookEndpoint; secret: string }

/** The secret is returned once and can never be read again. */
export async function createWebhookEndpoint(
  tx: TenantTx,
  settings: EndpointSettings,
): Promise<EndpointWithSecret> {
  const { limits } = await lockUsage(tx)
  const inUse = await endpoints.countEndpoints(tx)

  const refusal = allowanceRefusal('webhook endpoints', limits.webhookEndpoints, inUse)
  if (refusal !== undefined) throw new ApiError('plan_limit', refusal)

  const uuid = tx.newUuid()
  const secret = newWebhookSecret()
  await endpoints.insertEndpoint(tx, uuid, settings)
  await endpoints.addSecret(tx, uuid, secret)
  const endpoint = await endpoints.findEndpoint(tx, uuid)
  if (endpoint === undefined) throw new Error('The endpoint was not inserted')
  return { endpoint, secret }
}
