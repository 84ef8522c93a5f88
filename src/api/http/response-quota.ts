// The quota in bytes of stored responses. A request with an Idempotency-Key that finds it used up is refused before it
// runs: its response could not be replayed. A request without a key is unaffected.
import { bytesOverQuota, isJudgedAgain, retrySeconds } from '../../domain/values/storage-limits.ts'
import { ApiError } from '../../platform/api-error.ts'
import {
  countStoredBytes,
  findSecondsUntilFreed,
  type StoredResponses,
} from '../../store/core/idempotency.ts'
import type { TenantTx } from '../../store/core/tenants.ts'

type Usage = Pick<StoredResponses, 'usedBytes' | 'quotaBytes'>

/** What has expired does not count, even if it is not deleted yet. */
export async function refuseWithoutRoom(
  tx: TenantTx,
  { usedBytes, quotaBytes }: Usage,
): Promise<void> {
  const over = bytesOverQuota(usedBytes, quotaBytes)
  if (over === 0) return
  const seconds = await findSecondsUntilFreed(tx, over)
  if (seconds > 0) throw refusal(quotaBytes, seconds)
}

/**
 * A large response is judged when it is stored, as well: the transaction holds the counter's lock then, and its rollback
 * leaves nothing behind.
 */
export async function refuseTooLarge(
  tx: TenantTx,
  body: string,
  quotaBytes: number,
): Promise<void> {
  if (!isJudgedAgain(Buffer.byteLength(body))) return
  const over = (await countStoredBytes(tx)) - quotaBytes
  if (over <= 0) return
  const seconds = await findSecondsUntilFreed(tx, over)
  if (seconds > 0) throw refusal(quotaBytes, seconds)
}

function refusal(quotaBytes: number, seconds: number): ApiError {
  const wait = retrySeconds(seconds)
  const mib = Math.round(quotaBytes / 1024 / 1024)
  return new ApiError(
    'rate_limited',
    `The ${mib} MiB for stored responses are used up. Retry in ${wait} s, or without an Idempotency-Key.`,
    { headers: { 'Retry-After': String(wait) } },
  )
}
