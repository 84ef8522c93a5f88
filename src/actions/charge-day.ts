import { dayRefusal, secondsLeftOfDay } from '../domain/values/day-quota.ts'
import { ApiError } from '../platform/api-error.ts'
import { addDayBytes } from '../store/core/day-usage.ts'
import type { TenantTx } from '../store/core/tenants.ts'

/**
 * Counts what a change stores for as long as events are kept, and refuses the change if the day's quota is used up. The counter
 * stays locked until the commit: call it after locking what the change is about.
 */
export async function chargeDay(
  tx: TenantTx,
  kind: 'EVENTS' | 'NEWS',
  bytes: number,
): Promise<void> {
  if (bytes === 0) return
  const usage = (await addDayBytes(tx, kind, [{ orgId: tx.orgId, bytes }])).get(tx.orgId)
  const refusal = usage && dayRefusal(kind, usage)
  if (refusal === undefined) return
  const seconds = secondsLeftOfDay(tx.now)
  throw new ApiError('rate_limited', `${refusal} Retry in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
