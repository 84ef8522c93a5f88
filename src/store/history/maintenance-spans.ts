// The time covered by maintenance windows: one row per monitor and occurrence. During it, checks raise no alerts, and
// the time is left out of uptime. Past rows never change.
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { type Db, sql } from '../core/db.ts'
import type { TenantTx } from '../core/tenants.ts'

type Coverage = Pick<MaintenanceWindow, 'uuid' | 'allMonitors'>

const every = sql`select m.no from monitors m where m.org_id = $1`
const listed = sql`
  select m.no from maintenance_window_monitors x
    join monitors m on m.org_id = x.org_id and m.id = x.monitor_id
   where x.org_id = $1 and x.window_id = $2`

// Two changes in the same millisecond leave one span, with the later end.
const cover = (monitors: { text: string }) => sql`
  insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
  select c.no, $3, $4, $2 from (${monitors}) c
  on conflict (monitor_no, started_at, window_id) do update set ended_at = excluded.ended_at`
const COVER_EVERY = cover(every)
const COVER_LISTED = cover(listed)

type CoveredRange = { from: Date; to: Date }

/** Covers the window's monitors for an occurrence that covers no monitor yet. */
export async function coverMonitors(
  tx: Db,
  orgId: string,
  { uuid, allMonitors }: Coverage,
  { from, to }: CoveredRange,
): Promise<void> {
  await tx.query(allMonitors ? COVER_EVERY : COVER_LISTED, [orgId, uuid, from, to])
}

const ours = sql`
  s.window_id = $2 and s.ended_at > $3
  and exists (select from monitors m where m.org_id = $1 and m.no = s.monitor_no)`
const FORGET = sql`delete from maintenance_spans s where ${ours} and s.started_at >= $3`
const CUT = sql`update maintenance_spans s set ended_at = $3 where ${ours}`

/** The window covers no monitor from `at` on. */
export async function releaseMonitors(tx: TenantTx, windowUuid: string, at: Date): Promise<void> {
  await tx.query(FORGET, [tx.orgId, windowUuid, at])
  await tx.query(CUT, [tx.orgId, windowUuid, at])
}

const CUT_OTHERS = sql`
  update maintenance_spans s set ended_at = $3 where ${ours} and s.monitor_no not in (${listed})`
const MOVE_END = sql`update maintenance_spans s set ended_at = $4 where ${ours}`
// Materialized: looked up per monitor, the spans being written would slow down the search for the others.
const join = (monitors: { text: string }) =>
  cover(sql`
  with open as materialized (select s.monitor_no from maintenance_spans s where ${ours})
  select m.no from (${monitors}) m where m.no not in (select monitor_no from open)`)
const JOIN_EVERY = join(every)
const JOIN_LISTED = join(listed)

/** Continues an occurrence from `from` until `to` for the window's current monitors. Removed monitors leave it. */
export async function adjustMonitors(
  tx: TenantTx,
  { uuid, allMonitors }: Coverage,
  { from, to }: CoveredRange,
): Promise<void> {
  if (!allMonitors) await tx.query(CUT_OTHERS, [tx.orgId, uuid, from])
  await tx.query(MOVE_END, [tx.orgId, uuid, from, to])
  await tx.query(allMonitors ? JOIN_EVERY : JOIN_LISTED, [tx.orgId, uuid, from, to])
}

const COVER_ONE = sql`
  insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
  select $2, greatest(w.occurrence_starts_at, $3), w.occurrence_ends_at, w.id
    from maintenance_windows w
   where w.org_id = $1 and w.all_monitors and w.covered and w.occurrence_ends_at > $3`

/** Covers a new monitor with the all-monitor windows that are open or about to open. */
export async function coverNewMonitor(tx: TenantTx, monitorNo: number): Promise<void> {
  await tx.query(COVER_ONE, [tx.orgId, monitorNo, tx.now])
}

// States have no index by organization, monitors have. As an array, because for a join with a large organization
// PostgreSQL would read the states of all organizations.
const lock = (monitors: { text: string }) => sql`
  select s.monitor_no from monitor_states s where s.monitor_no = any (array(${monitors}))
   order by s.monitor_no for no key update of s`
const LOCK_EVERY = lock(sql`select no from monitors where org_id = $1`)
const LOCK_SOME = lock(sql`select no from monitors where org_id = $1 and id = any ($2::uuid[])`)

type Covered = Pick<MaintenanceWindow, 'allMonitors' | 'monitorUuids'>

/**
 * Locks the states of these monitors. A check result that arrives meanwhile waits and is then judged by the new
 * coverage.
 */
export async function lockCovered(tx: TenantTx, covered: readonly Covered[]): Promise<void> {
  if (covered.some(({ allMonitors }) => allMonitors)) {
    await tx.query(LOCK_EVERY, [tx.orgId])
    return
  }
  const uuids = new Set(covered.flatMap(({ monitorUuids }) => monitorUuids))
  await tx.query(LOCK_SOME, [tx.orgId, [...uuids]])
}
