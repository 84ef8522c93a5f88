import { hasRoomForTransitions } from '../../domain/values/day-quota.ts'
import { addDayBytes, findEventUsages } from '../../store/core/day-usage.ts'
import type { Db } from '../../store/core/db.ts'

/**
 * Counts what checks and pings have published, as long as the half of the day that is theirs has room. Call it after the
 * commit: nothing waits for the counter then, and a request that holds it never waits for a batch of results.
 */
export async function countTransitions(
  db: Db,
  published: ReadonlyMap<string, number>,
): Promise<void> {
  if (published.size === 0) return
  const usages = await findEventUsages(db, [...published.keys()])
  const counted = [...published].flatMap(([orgId, bytes]) => {
    const usage = usages.get(orgId)
    return usage !== undefined && hasRoomForTransitions(usage) ? [{ orgId, bytes }] : []
  })
  if (counted.length > 0) await addDayBytes(db, 'EVENTS', counted)
}
