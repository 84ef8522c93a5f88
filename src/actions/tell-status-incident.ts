import { statusIncidentFacts } from '../domain/event.ts'
import type { StatusIncident, StatusIncidentUpdate } from '../domain/status-incident.ts'
import { tell } from '../store/events.ts'
import type { TenantTx } from '../store/tenants.ts'

/** `before` is undefined for a new one; `update` is what was added to its list, if anything. */
export type StatusIncidentNews = {
  before: StatusIncident | undefined
  after: StatusIncident
  update: StatusIncidentUpdate | null
}

/** The event of what became of a published incident. Called under its lock. */
export async function tellStatusIncident(tx: TenantTx, news: StatusIncidentNews): Promise<void> {
  const { before, after, update } = news
  await tell(tx, statusIncidentFacts(before, after, update, tx.now))
}
