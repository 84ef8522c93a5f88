// Deletes subscribers who never confirmed, and notices after a month.
import { CONFIRM_WITHIN_DAYS } from '../../domain/status-pages/subscriber.ts'
import type { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
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
  metrics.removed('subscribers', unconfirmed + notices)
  if (unconfirmed + notices > 0) log.info({ unconfirmed, notices }, 'subscribers forgotten')
}
