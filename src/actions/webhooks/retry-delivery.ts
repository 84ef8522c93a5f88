import { ATTEMPT_BYTES } from '../../domain/values/day-quota.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import {
  type DeliveryDetail,
  findDelivery,
  lockDelivery,
  retryNow,
} from '../../store/deliveries/deliveries.ts'
import { chargeDay } from '../charge-day.ts'

/** Makes one more attempt now. A pending delivery is moved forward. */
export async function retryDelivery(
  tx: TenantTx,
  uuid: string,
): Promise<DeliveryDetail | undefined> {
  const delivery = await lockDelivery(tx, uuid)
  if (delivery === undefined) return undefined
  if (delivery.endpointEnabled === null)
    throw new ApiError('conflict', 'The endpoint of this delivery was deleted.')
  if (!delivery.endpointEnabled)
    throw new ApiError('conflict', 'The endpoint of this delivery is disabled.')

  await retryNow(tx, uuid)
  await chargeDay(tx, 'EVENTS', ATTEMPT_BYTES)
  return findDelivery(tx, uuid)
}
