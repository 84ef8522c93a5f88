// What the janitor does for people: sessions, links and counts of tries that have ended are forgotten.
import type { JanitorMetrics } from '../platform/janitor-metrics.ts'
import type { Log } from '../platform/log.ts'
import type { Database } from '../store/db.ts'
import { forgetEndedSessions } from '../store/sessions.ts'
import { forgetOldTries } from '../store/sign-in-windows.ts'
import { forgetEndedTokens } from '../store/user-tokens.ts'

type Deps = { database: Database; log: Log; metrics: JanitorMetrics; stopping(): boolean }

const ROWS = 5_000
const MAX_BATCHES = 200

export async function forgetPeople(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const sessions = await inBatches(deps, () => forgetEndedSessions(database, ROWS))
  const links = await inBatches(deps, () => forgetEndedTokens(database, ROWS))
  const tries = await inBatches(deps, () => forgetOldTries(database, ROWS))
  metrics.removed('people', sessions + links + tries)
  if (sessions + links > 0) log.info({ sessions, links }, 'ended sessions and links forgotten')
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
