import { statusIncidentEvents } from '../../domain/events/event.ts'
import type {
  StatusIncident,
  StatusIncidentUpdate,
} from '../../domain/status-pages/status-incident.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { publishEvents } from '../events/publish.ts'

/** `before` is undefined for a new incident. `update` is the one that was added, if any. */
type StatusIncidentTransition = {
  before: StatusIncident | undefined
  after: StatusIncident
  update: StatusIncidentUpdate | null
  /** Of notices to subscribers, which count against the same quota. */
  noticeBytes?: number
}

/** Publishes the event for a change. Call it while holding the incident's lock. */
export async function publishStatusIncident(
  tx: TenantTx,
  news: StatusIncidentTransition,
): Promise<void> {
  const { before, after, update, noticeBytes = 0 } = news
  const drafts = statusIncidentEvents(before, after, update, tx.now)
  await publishEvents(tx, drafts, { kind: 'NEWS', bytes: noticeBytes })
}
