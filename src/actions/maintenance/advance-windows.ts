// Processes the edges of windows when they are due: writes spans and publishes starts and ends. Each commits together
// with the window's row, so any number of processes may try.
import { afterEdge, dueEdge, type Edge } from '../../domain/maintenance/edges.ts'
import type { MaintenanceWindow, WindowTransition } from '../../domain/maintenance/window.ts'
import type { Database, Db } from '../../store/core/db.ts'
import { coverMonitors } from '../../store/history/maintenance-spans.ts'
import * as edges from '../../store/maintenance/edges.ts'
import { type OwnedTransition, publishWindows } from './publish.ts'

type AdvancedWindow = { window: MaintenanceWindow; news: WindowTransition[] }

/** Processes all due edges of a locked window. The caller saves and publishes the result. */
export async function advanceDueEdges(
  tx: Db,
  { orgId, window: locked }: edges.OwnedWindow,
  now: Date,
): Promise<AdvancedWindow> {
  const news: WindowTransition[] = []
  let window = locked
  // Terminates: each edge advances the window, and only finitely many edges are in the past.
  for (let edge = dueEdge(window, now); edge !== undefined; edge = dueEdge(window, now)) {
    if (edge.do === 'COVER') await coverMonitors(tx, orgId, window, edge)
    window = afterEdge(window, edge)
    news.push(...transitionsOf(window, edge))
  }
  return { window, news }
}

function transitionsOf(window: MaintenanceWindow, edge: Edge): WindowTransition[] {
  if (edge.do === 'COVER') return []
  const { at, occurrence } = edge
  return [{ what: edge.do === 'START' ? 'started' : 'ended', window, occurrence, at }]
}

/** Processes the due edges of one window. False if nothing was left to do. */
export function advanceWindow(database: Database, key: edges.WindowKey): Promise<boolean> {
  return database.transaction(undefined, async (tx) => {
    const owned = await edges.claimWindow(tx, key)
    if (owned === undefined || dueEdge(owned.window, tx.now) === undefined) return false
    const { orgId } = owned
    const { window, news } = await advanceDueEdges(tx, owned, tx.now)
    await edges.saveProgress(tx, [{ orgId, window }])
    await publishWindows(
      tx,
      news.map((one) => ({ orgId, news: one })),
    )
    return true
  })
}

/** `behindMs`: how late the most delayed edge was. */
type EdgeBatch = { windows: number; behindMs: number }

/** Publishes starts and ends of up to `limit` windows whose monitors are covered. */
export function advanceEdges(database: Database, limit: number): Promise<EdgeBatch> {
  return database.transaction(undefined, async (tx) => {
    const claimed = await edges.claimEdges(tx, limit)
    const turned = claimed.map(({ orgId, window }) => ({ orgId, ...startAndEnd(window, tx.now) }))
    await edges.saveProgress(tx, turned)
    const published: OwnedTransition[] = turned.flatMap(({ orgId, news }) =>
      news.map((one) => ({ orgId, news: one })),
    )
    await publishWindows(tx, published)
    const behindMs = published.map(({ news }) => tx.now.getTime() - news.at.getTime())
    return { windows: claimed.length, behindMs: Math.max(0, ...behindMs) }
  })
}

// Leaves covering to advanceWindow: it needs the organization's lock, which must be taken before a window's.
function startAndEnd(claimed: MaintenanceWindow, now: Date): AdvancedWindow {
  const news: WindowTransition[] = []
  let window = claimed
  for (
    let edge = dueEdge(window, now);
    edge !== undefined && edge.do !== 'COVER';
    edge = dueEdge(window, now)
  ) {
    window = afterEdge(window, edge)
    news.push(...transitionsOf(window, edge))
  }
  return { window, news }
}
