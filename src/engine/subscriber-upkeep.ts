// What the janitor does for subscribers: who never confirmed is forgotten, and so is what was told a month ago.
import { CONFIRM_WITHIN_DAYS } from '../domain/subscriber.ts'
import type { JanitorMetrics } from '../platform/janitor-metrics.ts'
import type { Log } from '../platform/log.ts'
import type { Database } from '../store/db.ts'
import { forgetUnconfirmed } from '../store/page-subscribers.ts'
import { forgetNotices } from '../store/subscriber-notices.ts'
import { inBatches } from './in-batches.ts'

type Deps = { database: Database; log: Log; metrics: JanitorMetrics; stopping(): boolean }

// As long as the deliveries that are made from them.
const NOTICE_DAYS = 31

export async function forgetSubscribers(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const unconfirmed = await inBatches(deps, (most) =>
    forgetUnconfirmed(database, CONFIRM_WITHIN_DAYS, most),
  )
  const notices = await inBatches(deps, (most) => forgetNotices(database, NOTICE_DAYS, most))
  metrics.removed('subscribers', unconfirmed + notices)
  if (unconfirmed + notices > 0) log.info({ unconfirmed, notices }, 'subscribers forgotten')
}
