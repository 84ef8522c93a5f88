import { statusIncidentEvents } from '../../domain/events/event.ts'
import type {
  StatusIncident,
  StatusIncidentUpdate,
} from '../../domain/status-pages/status-incident.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { publishEvents } from '../../store/events/events.ts'

/** `before` is undefined for a new one; `update` is what was added to its list, if anything. */
type StatusIncidentTransition = {
  before: StatusIncident | undefined
  after: StatusIncident
  update: StatusIncidentUpdate | null
}

/** The event of what became of a published incident. Called under its lock. */
export async function publishStatusIncident(
  tx: TenantTx,
  news: StatusIncidentTransition,
): Promise<void> {
  const { before, after, update } = news
  await publishEvents(tx, statusIncidentEvents(before, after, update, tx.now))
}
