import { statusIncidentFacts } from '../domain/event.ts'
import type { StatusIncident, StatusIncidentUpdate } from '../domain/status-incident.ts'
import { tell } from '../store/events.ts'
import type { TenantTx } from '../store/tenants.ts'
import { noticeStatusIncident } from './notice-subscribers.ts'

/** `before` is undefined for a new one; `update` is what was added to its list, if anything. */
export type StatusIncidentNews = {
  before: StatusIncident | undefined
  after: StatusIncident
  update: StatusIncidentUpdate | null
  notifySubscribers: boolean
}

/** The one place where it is told what became of a published incident. Called under its lock. */
export async function tellStatusIncident(tx: TenantTx, news: StatusIncidentNews): Promise<void> {
  const { before, after, update } = news
  await tell(tx, statusIncidentFacts(before, after, update, tx.now))
  if (news.notifySubscribers) await noticeStatusIncident(tx, tx.orgId, news)
}
