import { type WindowTransition, windowEvent } from '../../domain/maintenance/window.ts'
import type { Db } from '../../store/core/db.ts'
import { publishAll } from '../events/publish.ts'
import { notifyWindows } from '../status-pages/notify-subscribers.ts'

export type OwnedTransition = { orgId: string; news: WindowTransition }

/** The only place that publishes window events and notifies subscribers of them. */
export async function publishWindows(
  tx: Db,
  transitions: readonly OwnedTransition[],
): Promise<void> {
  await publishAll(
    tx,
    transitions.map(({ orgId, news }) => ({ orgId, draft: windowEvent(news) })),
  )
  await notifyWindows(tx, transitions)
}
