// Turns subscriber notices into one delivery per subscriber, in batches. Any number of processes may poll, because a
// notice is locked while its next batch is queued.
import { type FanOutDeps, fanOutNotices } from '../../actions/status-pages/fan-out-notices.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import { every, type Loop } from '../every.ts'

const POLL_INTERVAL_MS = 500
const EMAILS_PER_BATCH = 500
// Bounds a round, so that stopping does not wait for all subscribers of all pages.
const MAX_BATCHES = 100

export function startNoticeFanOut({ log, ...deps }: FanOutDeps & { log: Log }): Loop {
  return every(
    POLL_INTERVAL_MS,
    async () => {
      let mails = 0
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const queued = await watched('fan out notices', () => fanOutNotices(deps, EMAILS_PER_BATCH))
        if (queued === undefined) break
        mails += queued
      }
      if (mails > 0) log.info({ mails }, 'subscribers are told')
    },
    (err) => log.error({ err }, 'telling subscribers failed'),
  )
}
