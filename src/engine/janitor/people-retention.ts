// What the janitor does for people: sessions, links and counts of tries that have ended are forgotten.
import type { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { forgetOldMailWindows } from '../../store/people/email-limits.ts'
import { forgetEndedSessions } from '../../store/people/sessions.ts'
import { forgetOldTries } from '../../store/people/sign-in-windows.ts'
import { forgetEndedTokens } from '../../store/people/user-tokens.ts'
import { inBatches } from '../in-batches.ts'

type Deps = { database: Database; log: Log; metrics: JanitorMetrics; stopping(): boolean }

export async function forgetPeople(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const sessions = await inBatches(deps, (most) => forgetEndedSessions(database, most))
  const links = await inBatches(deps, (most) => forgetEndedTokens(database, most))
  const tries = await inBatches(deps, (most) => forgetOldTries(database, most))
  const mails = await inBatches(deps, (most) => forgetOldMailWindows(database, most))
  metrics.removed('people', sessions + links + tries + mails)
  if (sessions + links > 0) log.info({ sessions, links }, 'ended sessions and links forgotten')
}
