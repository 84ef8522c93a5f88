// Looks what contacts are to be told, organization by organization, and writes into incidents how that went. Any
// number of processes may look: an organization is planned by one at a time.
import { type PlanDeps, planAlerts } from '../actions/plan-alerts.ts'
import type { Log } from '../platform/log.ts'
import { forgetAlerts, settleMessages } from '../store/alert-messages.ts'
import { findDueOrganizations } from '../store/alert-troubles.ts'
import { every, type Loop } from './every.ts'

const LOOK_EVERY_MS = 500
const MAX_ORGANIZATIONS = 500
const MAX_SETTLED = 500
const FORGET_EVERY_MS = 60_000
const KEPT_DAYS = 30
const MAX_FORGOTTEN = 5_000

export function startAlertPlanner({ log, ...deps }: PlanDeps & { log: Log }): Loop {
  const { database } = deps
  let forgotMs = Number.NEGATIVE_INFINITY
  const round = async () => {
    await planDue(deps, log)
    await settleMessages(database, MAX_SETTLED)
    if (performance.now() - forgotMs < FORGET_EVERY_MS) return
    forgotMs = performance.now()
    await forgetAlerts(database, KEPT_DAYS, MAX_FORGOTTEN)
  }
  return every(LOOK_EVERY_MS, round, (err) => log.error({ err }, 'planning alerts failed'))
}

/** One organization that cannot be planned must not keep the others from being told. */
async function planDue(deps: PlanDeps, log: Log): Promise<void> {
  for (const orgId of await findDueOrganizations(deps.database, MAX_ORGANIZATIONS))
    try {
      const messages = await planAlerts(deps, orgId)
      if (messages !== undefined && messages > 0) log.info({ orgId, messages }, 'alerts queued')
    } catch (err) {
      log.error({ err, orgId }, 'planning alerts failed')
    }
}
