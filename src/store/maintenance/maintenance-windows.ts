// Maintenance windows of one organization, as people read and write them. edges.ts handles their starts and ends.
import { nextEdgeAt } from '../../domain/maintenance/edges.ts'
import {
  type Recurrence,
  statusOf,
  type WindowStatus,
} from '../../domain/maintenance/maintenance.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export const windowColumns = sql`
  w.id as uuid, w.name, w.description, w.starts_at as "startsAt", w.ends_at as "endsAt", w.timezone,
  w.recurrence, w.all_monitors as "allMonitors", w.on_named_pages as "onNamedPages",
  w.show_on_status_pages as "showOnStatusPages", w.notify_subscribers as "notifySubscribers",
  w.occurrence_starts_at as "occurrenceStartsAt", w.occurrence_ends_at as "occurrenceEndsAt",
  w.covered, w.started, w.counts_from as "countsFrom", w.created_at as "createdAt",
  w.updated_at as "updatedAt",
  array(select x.monitor_id::text from maintenance_window_monitors x
         where x.org_id = w.org_id and x.window_id = w.id order by x.position) as "monitorUuids",
  array(select x.page_id::text from maintenance_window_pages x
         where x.org_id = w.org_id and x.window_id = w.id order by x.position) as "pageUuids"`

export type StoredRecurrence = Omit<Recurrence, 'endsAt'> & { endsAt: string | null }
export type WindowRecord = Omit<MaintenanceWindow, 'occurrence' | 'recurrence'> & {
  recurrence: StoredRecurrence | null
  occurrenceStartsAt: Date | null
  occurrenceEndsAt: Date | null
}

export function toWindow(row: WindowRecord): MaintenanceWindow {
  const { occurrenceStartsAt: startsAt, occurrenceEndsAt: endsAt, recurrence, ...rest } = row
  return {
    ...rest,
    recurrence: recurrence && toRecurrence(recurrence),
    occurrence: startsAt && endsAt && { startsAt, endsAt },
  }
}

// jsonb does not preserve key order, but comparing two rules as text needs a fixed one.
export function toRecurrence({
  frequency,
  interval,
  daysOfWeek,
  dayOfMonth,
  endsAt,
}: StoredRecurrence): Recurrence {
  const until = endsAt === null ? null : new Date(endsAt)
  return { frequency, interval, daysOfWeek, dayOfMonth, endsAt: until }
}

/** A window and the instant it was read, from which its status follows. */
export type WindowSnapshot = { window: MaintenanceWindow; at: Date }

const FIND = sql`
  select now() as at, ${windowColumns} from maintenance_windows w where w.org_id = $1 and w.id = $2`
const LOCK = sql`select 1 as one from maintenance_windows where org_id = $1 and id = $2 for update`
const CLOCK = sql`select clock_timestamp() as at`

export async function findWindow(
  tenant: Tenant,
  uuid: string,
): Promise<WindowSnapshot | undefined> {
  const [row] = await tenant.query<WindowRecord & { at: Date }>(FIND, [tenant.orgId, uuid])
  if (row === undefined) return undefined
  const { at, ...rest } = row
  return { window: toWindow(rest), at }
}

/** Uses two statements: only a snapshot taken after the lock sees what was committed while it waited. */
export async function lockWindow(
  tx: TenantTx,
  uuid: string,
): Promise<MaintenanceWindow | undefined> {
  const rows = await tx.query(LOCK, [tx.orgId, uuid])
  return rows.length === 0 ? undefined : (await findWindow(tx, uuid))?.window
}

/** The current time, not the transaction's: it may have waited for its locks past an edge. */
export async function readClock(tx: Db): Promise<Date> {
  const [row] = await tx.query<{ at: Date }>(CLOCK)
  if (row === undefined) throw new Error('The database did not tell its time')
  return row.at
}

// It may take a second until the scheduler processes an edge, and only the rule knows the next occurrence.
const FIND_LATE = sql`
  select (select now()) as at, ${windowColumns}
    from (select) one
    left join maintenance_windows w
      on w.org_id = $1 and w.occurrence_ends_at <= now() and w.recurrence is not null`

/** Windows whose columns are out of date, with their actual status. */
type LateWindows = { at: Date; uuids: string[]; statuses: WindowStatus[] }

async function findLate(tenant: Tenant): Promise<LateWindows> {
  type Row = { at: Date } & (WindowRecord | { uuid: null })
  const rows = await tenant.query<Row>(FIND_LATE, [tenant.orgId])
  const at = rows[0]?.at
  if (at === undefined) throw new Error('The database did not tell its time')
  const late = rows.filter((row): row is { at: Date } & WindowRecord => row.uuid !== null)
  const statuses = late.map((row) => statusOf(toWindow(row), at))
  return { at, uuids: late.map(({ uuid }) => uuid), statuses }
}

const status = sql`
  coalesce((select l.status from unnest($2::uuid[], $3::text[]) as l (id, status) where l.id = w.id),
    case when w.occurrence_ends_at > $4 then
           case when w.occurrence_starts_at <= $4 then 'ACTIVE' else 'SCHEDULED' end
         else 'COMPLETED' end)`
const COUNT_OPEN = sql`
  select count(*) as windows from maintenance_windows w
   where w.org_id = $1 and ${status} <> 'COMPLETED'`

/** Call it while holding the plan's lock. */
export async function countOpenWindows(tx: TenantTx): Promise<number> {
  const { at, uuids, statuses } = await findLate(tx)
  const [row] = await tx.query<{ windows: number }>(COUNT_OPEN, [tx.orgId, uuids, statuses, at])
  return row?.windows ?? 0
}

// Another organization's monitor is never covered, not even by an all-monitor window.
const matching = sql`
  w.org_id = $1
  and ($7::text[] is null or ${status} = any ($7))
  and ($8::uuid is null or exists (
    select from monitors m
     where m.org_id = $1 and m.id = $8 and (w.all_monitors or exists (
       select from maintenance_window_monitors x
        where x.org_id = $1 and x.window_id = w.id and x.monitor_id = m.id))))`
const PAGE = sql`
  with page as (
    select w.id from maintenance_windows w where ${matching}
     order by w.created_at desc, w.id desc limit $5 offset $6
  ), total as (
    select count(*) as total from maintenance_windows w where ${matching}
  )
  select total.total, coalesce($4::timestamptz, now()) as at, ${windowColumns}
    from total left join (page join maintenance_windows w on w.org_id = $1 and w.id = page.id) on true
   order by w.created_at desc, w.id desc`

export type WindowFilter = {
  limit: number
  offset: number
  status?: readonly WindowStatus[] | undefined
  monitorUuid?: string | undefined
}

/** One page and the total count from one snapshot, and the instant that statuses refer to. */
export async function listWindows(tenant: Tenant, filter: WindowFilter) {
  type PageRow = { total: number; at: Date } & (WindowRecord | { uuid: null })
  const { limit, offset, status: wanted, monitorUuid } = filter
  const late = wanted && (await findLate(tenant))
  const rows = await tenant.query<PageRow>(PAGE, [
    tenant.orgId,
    late?.uuids,
    late?.statuses,
    late?.at,
    limit,
    offset,
    wanted,
    monitorUuid,
  ])
  const [first] = rows
  if (first === undefined) throw new Error('A count has always one row')
  const found = rows.filter((row): row is PageRow & WindowRecord => row.uuid !== null)
  return { total: first.total, windows: found.map(toWindow), at: first.at }
}

const INSERT = sql`
  insert into maintenance_windows (
    org_id, id, name, description, starts_at, ends_at, timezone, recurrence, all_monitors,
    on_named_pages, show_on_status_pages, notify_subscribers, occurrence_starts_at,
    occurrence_ends_at, covered, started, counts_from, next_edge_at, updated_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`
const UPDATE = sql`
  update maintenance_windows set
    name = $3, description = $4, starts_at = $5, ends_at = $6, timezone = $7, recurrence = $8,
    all_monitors = $9, on_named_pages = $10, show_on_status_pages = $11, notify_subscribers = $12,
    occurrence_starts_at = $13, occurrence_ends_at = $14, covered = $15, started = $16,
    counts_from = $17, next_edge_at = $18, updated_at = $19
  where org_id = $1 and id = $2`
const CLEAR_MONITORS = sql`
  delete from maintenance_window_monitors where org_id = $1 and window_id = $2`
const ADD_MONITORS = sql`
  insert into maintenance_window_monitors (org_id, window_id, monitor_id, position)
  select $1, $2, id, position from unnest($3::uuid[]) with ordinality as u (id, position)`
const CLEAR_PAGES = sql`delete from maintenance_window_pages where org_id = $1 and window_id = $2`
const ADD_PAGES = sql`
  insert into maintenance_window_pages (org_id, window_id, page_id, position)
  select $1, $2, id, position from unnest($3::uuid[]) with ordinality as u (id, position)`

export async function insertWindow(tx: TenantTx, window: MaintenanceWindow): Promise<void> {
  await tx.query(INSERT, [tx.orgId, ...values(window), window.createdAt])
  await tx.query(ADD_MONITORS, [tx.orgId, window.uuid, window.monitorUuids])
  await tx.query(ADD_PAGES, [tx.orgId, window.uuid, window.pageUuids])
}

export async function updateWindow(
  tx: TenantTx,
  window: MaintenanceWindow,
  changedFields: readonly (keyof MaintenanceWindow)[],
): Promise<void> {
  const { uuid, monitorUuids, pageUuids } = window
  await tx.query(UPDATE, [tx.orgId, ...values(window)])
  if (changedFields.includes('monitorUuids')) {
    await tx.query(CLEAR_MONITORS, [tx.orgId, uuid])
    await tx.query(ADD_MONITORS, [tx.orgId, uuid, monitorUuids])
  }
  if (changedFields.includes('pageUuids')) {
    await tx.query(CLEAR_PAGES, [tx.orgId, uuid])
    await tx.query(ADD_PAGES, [tx.orgId, uuid, pageUuids])
  }
}

function values(window: MaintenanceWindow): unknown[] {
  const { occurrence, recurrence } = window
  return [
    window.uuid,
    window.name,
    window.description,
    window.startsAt,
    window.endsAt,
    window.timezone,
    recurrence && JSON.stringify(recurrence),
    window.allMonitors,
    window.onNamedPages,
    window.showOnStatusPages,
    window.notifySubscribers,
    occurrence?.startsAt,
    occurrence?.endsAt,
    window.covered,
    window.started,
    window.countsFrom,
    nextEdgeAt(window),
    window.updatedAt,
  ]
}

const DELETE = sql`delete from maintenance_windows where org_id = $1 and id = $2`

export async function deleteWindow(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(DELETE, [tx.orgId, uuid])
}

// Held until the commit, so that nothing referenced can be deleted before the reference is stored.
const LOCK_MONITORS = sql`
  select id::text from monitors where org_id = $1 and id = any ($2::uuid[]) for key share`
const LOCK_PAGES = sql`
  select id::text from status_pages where org_id = $1 and id = any ($2::uuid[]) for key share`

/** Returns those that belong to the organization. */
export async function lockReferences(
  tx: TenantTx,
  kind: 'monitors' | 'pages',
  uuids: readonly string[],
): Promise<Set<string>> {
  const statement = kind === 'monitors' ? LOCK_MONITORS : LOCK_PAGES
  const rows = await tx.query<{ id: string }>(statement, [tx.orgId, uuids])
  return new Set(rows.map(({ id }) => id))
}
