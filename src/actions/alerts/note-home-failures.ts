import { isHomeFailing } from '../../domain/regions/home-failure.ts'
import {
  countHomeFailures,
  type HomeFailureNote,
  notifyOfHomeFailures,
} from '../../store/alerts/monitor-notices.ts'
import type { Database } from '../../store/core/db.ts'

export type FailureAtHome = HomeFailureNote & { triedAt: Date | null; isTried: boolean }

/**
 * Counts checks that failed from home and passed elsewhere, each monitor once. Returns the monitors whose owners are to be
 * notified: nothing more need be counted for them.
 */
export function noteHomeFailures(
  database: Database,
  failures: readonly FailureAtHome[],
): Promise<number[]> {
  return database.transaction(undefined, async (tx) => {
    const counted = await countHomeFailures(tx, failures)
    const numbers = failures
      .filter(({ monitorNo, ...failure }) => {
        const checks = counted.get(monitorNo)
        return checks !== undefined && isHomeFailing({ ...failure, checks }, tx.now)
      })
      .map(({ monitorNo }) => monitorNo)
    await notifyOfHomeFailures(tx, numbers)
    return [
      ...numbers,
      ...failures.map(({ monitorNo }) => monitorNo).filter((no) => !counted.has(no)),
    ]
  })
}
