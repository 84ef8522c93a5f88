// Deletes subscribers who never confirmed or cannot be reached, and notices after a month.
import { CONFIRM_WITHIN_DAYS } from '../../domain/status-pages/subscriber.ts'
import type { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import {
  deleteFailedHooks,
  deleteOrphanReceivers,
} from '../../store/status-pages/hook-subscribers.ts'
import { deleteOldNotices } from '../../store/status-pages/subscriber-notices.ts'
import { deleteUnconfirmed } from '../../store/status-pages/subscribers.ts'
import { inBatches } from '../in-batches.ts'

type Deps = { database: Database; log: Log; metrics: JanitorMetrics; stopping(): boolean }

// As long as the deliveries created from them.
const NOTICE_DAYS = 31

export async function forgetSubscribers(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const unconfirmed = await inBatches(deps, (most) =>
    deleteUnconfirmed(database, CONFIRM_WITHIN_DAYS, most),
  )
  const notices = await inBatches(deps, (most) => deleteOldNotices(database, NOTICE_DAYS, most))
  const failed = await inBatches(deps, (most) => deleteFailedHooks(database, most))
  const orphans = await inBatches(deps, (most) => deleteOrphanReceivers(database, most))
  const all = unconfirmed + notices + failed + orphans
  metrics.removed('subscribers', all)
  if (all > 0) log.info({ unconfirmed, notices, failed }, 'subscribers forgotten')
}
