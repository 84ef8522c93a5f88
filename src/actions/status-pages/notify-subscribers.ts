// Notices for status page subscribers, written in the transaction of the change they report: one row per page,
// regardless of the number of subscribers.
import type { WindowTransition } from '../../domain/maintenance/window.ts'
import type { StatusIncidentNotice, WindowNotice } from '../../domain/status-pages/notice.ts'
import type {
  StatusIncident,
  StatusIncidentUpdate,
} from '../../domain/status-pages/status-incident.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Db } from '../../store/core/db.ts'
import {
  findPagesOfIncident,
  findPagesOfWindow,
  insertNotices,
} from '../../store/status-pages/subscriber-notices.ts'

type NotifiedTransition = {
  /** Undefined for a new incident. */
  before: StatusIncident | undefined
  after: StatusIncident
  update: Pick<StatusIncidentUpdate, 'message' | 'createdAt'> | null
}

/** Call it only if subscribers should be notified. Returns whether there is anyone to notify. */
export async function notifyStatusIncident(
  tx: Db,
  orgId: string,
  { before, after, update }: NotifiedTransition,
): Promise<boolean> {
  return notifyPages(tx, orgId, after, {
    what: whatOf(before, after),
    message: update?.message ?? '',
    at: update?.createdAt ?? after.updatedAt,
  })
}

type NotifiedPostMortem = { incident: StatusIncident; message: string; at: Date }

/** The same for a post-mortem. */
export async function notifyPostMortem(
  tx: Db,
  orgId: string,
  { incident, message, at }: NotifiedPostMortem,
): Promise<boolean> {
  return notifyPages(tx, orgId, incident, { what: 'POST_MORTEM', message, at })
}

type News = Pick<StatusIncidentNotice, 'what' | 'message'> & { at: Date }

async function notifyPages(
  tx: Db,
  orgId: string,
  incident: StatusIncident,
  { what, message, at }: News,
): Promise<boolean> {
  const notified = {
    kind: 'STATUS_INCIDENT' as const,
    id: toPublicId('sin', incident.uuid),
    what,
    title: incident.title,
    status: incident.status,
    impact: incident.impact,
    message,
    at: at.toISOString(),
    startedAt: incident.startedAt.toISOString(),
    resolvedAt: incident.resolvedAt?.toISOString() ?? null,
  }
  const pages = await findPagesOfIncident(tx, orgId, incident)
  const notices = pages.map(({ components, ...page }) => ({
    ...page,
    notice: { ...notified, components },
  }))
  await insertNotices(tx, orgId, notices)
  return notices.length > 0
}

function whatOf(
  before: StatusIncident | undefined,
  after: StatusIncident,
): StatusIncidentNotice['what'] {
  if (before === undefined) return 'PUBLISHED'
  return after.status === 'RESOLVED' && before.status !== 'RESOLVED' ? 'RESOLVED' : 'UPDATED'
}

const WINDOW_WHAT = {
  scheduled: 'SCHEDULED',
  started: 'STARTED',
  ended: 'ENDED',
  canceled: 'CANCELED',
} as const satisfies Record<WindowTransition['what'], WindowNotice['what']>

/** In the given order. Skips windows that do not notify subscribers. */
export async function notifyWindows(
  tx: Db,
  notified: readonly { orgId: string; news: WindowTransition }[],
): Promise<void> {
  const started = new Set(
    notified.flatMap(({ news }) => (news.what === 'started' ? news.window.uuid : [])),
  )
  for (const { orgId, news } of notified) {
    const { window, what } = news
    if (!window.notifySubscribers || !window.showOnStatusPages) continue
    // A window created during its own span starts immediately, and that notice is enough.
    if (what === 'scheduled' && started.has(window.uuid)) continue
    const pages = await findPagesOfWindow(tx, orgId, window)
    const notice = toNotice(news)
    await insertNotices(
      tx,
      orgId,
      pages.map(({ components, ...page }) => ({ ...page, notice: { ...notice, components } })),
    )
  }
}

function toNotice({
  what,
  window,
  occurrence,
}: WindowTransition): Omit<WindowNotice, 'components'> {
  const { startsAt, endsAt } = occurrence ?? window
  return {
    kind: 'WINDOW',
    id: toPublicId('mw', window.uuid),
    what: WINDOW_WHAT[what],
    name: window.name,
    description: window.description,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  }
}
