// What the janitor does for subscribers: who never confirmed is forgotten, and so is what was told a month ago.
import { CONFIRM_WITHIN_DAYS } from '../domain/subscriber.ts'
import type { JanitorMetrics } from '../platform/janitor-metrics.ts'
import type { Log } from '../platform/log.ts'
import type { Database } from '../store/db.ts'
import { forgetUnconfirmed } from '../store/page-subscribers.ts'
import { forgetNotices } from '../store/subscriber-notices.ts'

type Deps = { database: Database; log: Log; metrics: JanitorMetrics; stopping(): boolean }

const ROWS = 5_000
const MAX_BATCHES = 200
// As long as the deliveries that are made from them.
const NOTICE_DAYS = 31

export async function forgetSubscribers(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const unconfirmed = await inBatches(deps, () =>
    forgetUnconfirmed(database, CONFIRM_WITHIN_DAYS, ROWS),
  )
  const notices = await inBatches(deps, () => forgetNotices(database, NOTICE_DAYS, ROWS))
  metrics.removed('subscribers', unconfirmed + notices)
  if (unconfirmed + notices > 0) log.info({ unconfirmed, notices }, 'subscribers forgotten')
}

async function inBatches({ stopping }: Deps, forget: () => Promise<number>): Promise<number> {
  let forgotten = 0
  for (let batch = 0; batch < MAX_BATCHES && !stopping(); batch++) {
    const count = await forget()
    forgotten += count
    if (count < ROWS) break
  }
  return forgotten
}
