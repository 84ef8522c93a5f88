// For the window scheduler: windows of any organization whose next start or end is due.
import { nextEdgeAt } from '../../domain/maintenance/edges.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { type Db, sql } from '../core/db.ts'
import { toWindow, type WindowRecord, windowColumns } from './maintenance-windows.ts'

export type OwnedWindow = { orgId: string; window: MaintenanceWindow }
export type WindowKey = { orgId: string; uuid: string }

const READ = sql`
  select w.org_id as "orgId", ${windowColumns} from maintenance_windows w where w.id = any ($1::uuid[])`

// A separate statement: only a snapshot taken after the lock sees what was committed while it waited.
async function readLocked(tx: Db, uuids: readonly string[]): Promise<OwnedWindow[]> {
  const rows = await tx.query<WindowRecord & { orgId: string }>(READ, [uuids])
  return rows.map(({ orgId, ...row }) => ({ orgId, window: toWindow(row) }))
}

const FIND_DUE = sql`
  select org_id as "orgId", id as uuid from maintenance_windows
   where next_edge_at <= now() order by next_edge_at limit $1`

export async function findDueWindows(db: Db, limit: number): Promise<WindowKey[]> {
  return db.query<WindowKey>(FIND_DUE, [limit])
}

// Locks the organization first, as do adding a monitor and changing a window. A monitor created meanwhile is either
// seen here or sees the window as covered.
const LOCK_ORGANIZATION = sql`select 1 as one from organization_usage where org_id = $1 for update`
const LOCK = sql`select id as uuid from maintenance_windows where org_id = $1 and id = $2 for update`

export async function claimWindow(
  tx: Db,
  { orgId, uuid }: WindowKey,
): Promise<OwnedWindow | undefined> {
  await tx.query(LOCK_ORGANIZATION, [orgId])
  const rows = await tx.query<{ uuid: string }>(LOCK, [orgId, uuid])
  const [owned] = await readLocked(
    tx,
    rows.map((row) => row.uuid),
  )
  return owned
}

const CLAIM = sql`
  select id as uuid from maintenance_windows
   where next_edge_at <= now() and covered order by next_edge_at limit $1
     for update skip locked`

/** Windows whose start or end must be published. Skips those that another process is handling. */
export async function claimEdges(tx: Db, limit: number): Promise<OwnedWindow[]> {
  const rows = await tx.query<{ uuid: string }>(CLAIM, [limit])
  return readLocked(
    tx,
    rows.map(({ uuid }) => uuid),
  )
}

const SAVE = sql`
  update maintenance_windows w
     set occurrence_starts_at = u.starts_at, occurrence_ends_at = u.ends_at, covered = u.covered,
         started = u.started, next_edge_at = u.next_edge_at
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::boolean[],
                $6::boolean[], $7::timestamptz[])
      as u (org_id, id, starts_at, ends_at, covered, started, next_edge_at)
   where w.org_id = u.org_id and w.id = u.id`

export async function saveProgress(tx: Db, owned: readonly OwnedWindow[]): Promise<void> {
  if (owned.length === 0) return
  const column = <V>(value: (window: MaintenanceWindow) => V) =>
    owned.map(({ window }) => value(window))
  await tx.query(SAVE, [
    owned.map(({ orgId }) => orgId),
    column(({ uuid }) => uuid),
    column(({ occurrence }) => occurrence?.startsAt ?? null),
    column(({ occurrence }) => occurrence?.endsAt ?? null),
    column(({ covered }) => covered),
    column(({ started }) => started),
    column(nextEdgeAt),
  ])
}
