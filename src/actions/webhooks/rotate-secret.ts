import { mayRotate } from '../../domain/events/signature.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as endpoints from '../../store/deliveries/webhook-endpoints.ts'
import type { EndpointWithSecret } from './create.ts'
import { newWebhookSecret } from './secret.ts'

/** The new secret is active immediately. The old ones keep signing for 24 hours. */
export async function rotateWebhookSecret(
  tx: TenantTx,
  uuid: string,
): Promise<EndpointWithSecret | undefined> {
  const endpoint = await endpoints.lockEndpoint(tx, uuid)
  if (endpoint === undefined) return undefined

  const ages = endpoint.secrets.map(({ replacedAt }) => ({ secret: '', rotatedAt: replacedAt }))
  if (!mayRotate(ages, tx.now))
    throw new ApiError('conflict', 'Five secrets are live. Wait until one of them has expired.')

  const secret = newWebhookSecret()
  await endpoints.addSecret(tx, uuid, secret)
  await endpoints.updateEndpoint(tx, { ...endpoint, updatedAt: tx.now })
  const rotated = await endpoints.findEndpoint(tx, uuid)
  return rotated && { endpoint: rotated, secret }
}
