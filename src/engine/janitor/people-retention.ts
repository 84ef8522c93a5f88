// Deletes expired sessions and links, and old counters of sign-in attempts and emails.
import type { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { deleteOldEmailWindows } from '../../store/people/email-limits.ts'
import { deleteEndedSessions } from '../../store/people/sessions.ts'
import { deleteOldAttempts } from '../../store/people/sign-in-windows.ts'
import { deleteEndedTokens } from '../../store/people/user-tokens.ts'
import { inBatches } from '../in-batches.ts'

type Deps = { database: Database; log: Log; metrics: JanitorMetrics; stopping(): boolean }

export async function forgetPeople(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const sessions = await inBatches(deps, (most) => deleteEndedSessions(database, most))
  const links = await inBatches(deps, (most) => deleteEndedTokens(database, most))
  const tries = await inBatches(deps, (most) => deleteOldAttempts(database, most))
  const mails = await inBatches(deps, (most) => deleteOldEmailWindows(database, most))
  metrics.removed('people', sessions + links + tries + mails)
  if (sessions + links > 0) log.info({ sessions, links }, 'ended sessions and links forgotten')
}
