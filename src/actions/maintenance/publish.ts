import { type WindowTransition, windowEvent } from '../../domain/maintenance/window.ts'
import type { Db } from '../../store/core/db.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { chargeDay } from '../charge-day.ts'
import { publishAll } from '../events/publish.ts'
import { notifyWindows } from '../status-pages/notify-subscribers.ts'

export type OwnedTransition = { orgId: string; news: WindowTransition }

/** The only place that publishes window events and notifies subscribers of them. Returns how many bytes are stored. */
export async function publishWindows(
  tx: Db,
  transitions: readonly OwnedTransition[],
): Promise<number> {
  const published = await publishAll(
    tx,
    transitions.map(({ orgId, news }) => ({ orgId, draft: windowEvent(news) })),
  )
  const bytes = published.values().reduce((sum, own) => sum + own, 0)
  return bytes + (await notifyWindows(tx, transitions))
}

/** The same for a request. Refused if the organization's day has no room. */
export async function publishOwnWindows(
  tx: TenantTx,
  news: readonly WindowTransition[],
): Promise<void> {
  const transitions = news.map((one) => ({ orgId: tx.orgId, news: one }))
  await chargeDay(tx, 'EVENTS', await publishWindows(tx, transitions))
}
