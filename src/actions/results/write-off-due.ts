import type { Monitor } from '../../domain/monitors/monitor.ts'
import { catchUp } from '../../domain/monitors/schedule.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { insertMissed } from '../../store/history/results.ts'

/**
 * Writes off slots that fell due without a check, before a change removes the monitor from their schedule. Afterwards,
 * nothing would show that they were due.
 */
export async function writeOffDue(tx: TenantTx, before: Monitor): Promise<void> {
  if (before.type === 'CRON' || before.nextDueAt === null || before.nextDueAt >= tx.now) return
  const { missed } = catchUp(before, before.nextDueAt, tx.now)
  if (missed === undefined) return
  await insertMissed(tx, [{ monitorNo: before.no, ...missed, reason: 'ENGINE_DOWN' }])
  tx.slotsMissed('ENGINE_DOWN', missed.count)
}
