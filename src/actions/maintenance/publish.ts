import { type WindowNews, windowFact } from '../../domain/maintenance/window.ts'
import type { Db } from '../../store/core/db.ts'
import { tellAll } from '../../store/events/events.ts'
import { noticeWindows } from '../status-pages/notify-subscribers.ts'

export type OwnedNews = { orgId: string; news: WindowNews }

/** Everything that is ever told of a window is told here. */
export async function tellWindows(tx: Db, told: readonly OwnedNews[]): Promise<void> {
  await tellAll(
    tx,
    told.map(({ orgId, news }) => ({ orgId, fact: windowFact(news) })),
  )
  await noticeWindows(tx, told)
}
