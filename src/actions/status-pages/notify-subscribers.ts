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
import type { TenantTx } from '../../store/core/tenants.ts'
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

/** Call it only if subscribers should be notified. Returns how many bytes are stored; 0 if there is nobody to notify. */
export async function notifyStatusIncident(
  tx: TenantTx,
  { before, after, update }: NotifiedTransition,
): Promise<number> {
  return notifyPages(tx, after, {
    what: whatOf(before, after),
    message: update?.message ?? '',
    at: update?.createdAt ?? after.updatedAt,
  })
}

type NotifiedPostMortem = { incident: StatusIncident; message: string; at: Date }

/** The same for a post-mortem. */
export async function notifyPostMortem(
  tx: TenantTx,
  { incident, message, at }: NotifiedPostMortem,
): Promise<number> {
  return notifyPages(tx, incident, { what: 'POST_MORTEM', message, at })
}

type News = Pick<StatusIncidentNotice, 'what' | 'message'> & { at: Date }

async function notifyPages(
  tx: TenantTx,
  incident: StatusIncident,
  { what, message, at }: News,
): Promise<number> {
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
  const pages = await findPagesOfIncident(tx, tx.orgId, incident)
  const notices = pages.map(({ components, ...page }) => ({
    ...page,
    notice: { ...notified, components },
  }))
  return insertNotices(tx, tx.orgId, notices)
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

/** In the given order. Skips windows that do not notify subscribers. Returns how many bytes are stored. */
export async function notifyWindows(
  tx: Db,
  notified: readonly { orgId: string; news: WindowTransition }[],
): Promise<number> {
  let bytes = 0
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
    bytes += await insertNotices(
      tx,
      orgId,
      pages.map(({ components, ...page }) => ({ ...page, notice: { ...notice, components } })),
    )
  }
  return bytes
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
