// Emails owners about monitors that are not checked or fail from home. Any number of processes may run it.
import { sendMonitorNotice } from '../../actions/alerts/send-monitor-notice.ts'
import { JOINING_PAUSE_MS, RENEWED_PAUSE_MS } from '../../domain/alerts/owners/monitor-notice.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import { findDueNotices, SWEEP_START, sweepNotices } from '../../store/alerts/monitor-notices.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { every, type Loop } from '../every.ts'

type NoticesDeps = {
  database: Database
  secrets: OrganizationSecrets
  baseUrl: string
  log: Log
}

const POLL_INTERVAL_MS = 5_000
const MAX_ORGANIZATIONS = 500
const MAX_SWEPT = 5_000
const PAUSES = { joiningMs: JOINING_PAUSE_MS, renewedMs: RENEWED_PAUSE_MS }

export function startMonitorNotices({ log, ...deps }: NoticesDeps): Loop {
  const { database } = deps
  let position = SWEEP_START
  const round = async () => {
    position = (await sweepNotices(database, position, MAX_SWEPT)) ?? SWEEP_START
    for (const due of await findDueNotices(database, PAUSES, MAX_ORGANIZATIONS))
      try {
        await sendMonitorNotice(deps, due)
      } catch (err) {
        // A failing organization must not delay the emails of the others.
        log.error({ err, orgId: due.orgId }, 'owners could not be notified of monitors')
      }
  }
  return every(
    POLL_INTERVAL_MS,
    () => watched('notify owners of monitors', round),
    (err) => log.error({ err }, 'notifying owners of monitors failed'),
  )
}
