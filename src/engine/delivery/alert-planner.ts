// Plans which contacts to alert, one organization at a time, and records the outcome in incidents. Any number of
// processes may run it: only one plans an organization at a time.
import { type PlanDeps, planAlerts } from '../../actions/alerts/plan-alerts.ts'
import { settleLostAlerts } from '../../actions/alerts/settle-lost-alerts.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { WorkSignal } from '../../platform/process/work-signal.ts'
import { findDueOrganizations, hasOpenAlerts } from '../../store/alerts/conditions.ts'
import { deleteOldAlerts, settleSent } from '../../store/alerts/messages.ts'
import { findOrganizationsWithLostAlerts } from '../../store/deliveries/failing-contacts.ts'
import type { Loop } from '../every.ts'
import { everyOrWoken } from '../every-or-woken.ts'

const PACE = { waitMs: 500, restMs: 2000, work: 'ALERTS' } as const
const MAX_ORGANIZATIONS = 500
const MAX_SETTLED = 500
const FORGET_EVERY_MS = 60_000
const KEPT_DAYS = 30
const MAX_FORGOTTEN = 5_000

type PlannerDeps = PlanDeps & { log: Log; signal?: WorkSignal | undefined }

export function startAlertPlanner({ log, signal, ...deps }: PlannerDeps): Loop {
  const { database } = deps
  let forgotMs = Number.NEGATIVE_INFINITY
  const planOpen = async () => {
    await eachOf(await findDueOrganizations(database, MAX_ORGANIZATIONS), log, async (orgId) => {
      const messages = await planAlerts(deps, orgId)
      if (messages !== undefined && messages > 0) log.info({ orgId, messages }, 'alerts queued')
    })
    await settleSent(database, MAX_SETTLED)
    await eachOf(await findOrganizationsWithLostAlerts(database, MAX_ORGANIZATIONS), log, (orgId) =>
      settleLostAlerts(deps, orgId),
    )
  }
  const round = async () => {
    const isOpen = await hasOpenAlerts(database)
    if (isOpen) await planOpen()
    if (performance.now() - forgotMs < FORGET_EVERY_MS) return isOpen
    forgotMs = performance.now()
    await deleteOldAlerts(database, KEPT_DAYS, MAX_FORGOTTEN)
    return isOpen
  }
  const watchedRound = () => watched('plan alerts', round)
  return everyOrWoken({ ...PACE, signal }, watchedRound, (err) =>
    log.error({ err }, 'planning alerts failed'),
  )
}

/** A failing organization must not delay the alerts of the others. */
async function eachOf(
  orgIds: readonly string[],
  log: Log,
  serve: (orgId: string) => Promise<void>,
): Promise<void> {
  for (const orgId of orgIds)
    try {
      await serve(orgId)
    } catch (err) {
      log.error({ err, orgId }, 'planning alerts failed')
    }
}
