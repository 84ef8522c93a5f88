// Turns subscriber notices into one delivery per subscriber, in batches. Any number of processes may poll, because a
// notice is locked while its next batch is queued.
import { type FanOutDeps, fanOutNotices } from '../../actions/status-pages/fan-out-notices.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { WorkSignal } from '../../platform/process/work-signal.ts'
import { hasOpenNotices } from '../../store/status-pages/subscriber-notices.ts'
import type { Loop } from '../every.ts'
import { everyOrWoken } from '../every-or-woken.ts'

const PACE = { waitMs: 500, restMs: 2000, work: 'NOTICES' } as const
const EMAILS_PER_BATCH = 500
// Bounds a round, so that stopping does not wait for all subscribers of all pages.
const MAX_BATCHES = 100

type NoticeDeps = FanOutDeps & { log: Log; signal?: WorkSignal | undefined }

export function startNoticeFanOut({ log, signal, ...deps }: NoticeDeps): Loop {
  return everyOrWoken(
    { ...PACE, signal },
    async () => {
      if (!(await hasOpenNotices(deps.database))) return false
      let mails = 0
      for (let batch = 0; batch < MAX_BATCHES; batch++) {
        const queued = await watched('fan out notices', () => fanOutNotices(deps, EMAILS_PER_BATCH))
        if (queued === undefined) break
        mails += queued
      }
      if (mails > 0) log.info({ mails }, 'subscribers are told')
      return true
    },
    (err) => log.error({ err }, 'telling subscribers failed'),
  )
}
