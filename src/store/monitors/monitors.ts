import type { Monitor, MonitorSettings } from '../../domain/monitors/monitor.ts'
import { shardOf } from '../../domain/monitors/schedule.ts'
import { bringing, type Db, sql } from '../core/db.ts'
import { escapeLike } from '../core/escape-like.ts'
import type { OrganizationSecrets } from '../core/organization-secrets.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import {
  type MonitorRecord,
  monitorColumns,
  settingsParameters,
  settingsValues,
  toMonitor,
} from './columns.ts'

const FIND = sql`
  select ${monitorColumns}
    from monitors m join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1 and m.id = $2`

// Locks both rows: a statement that had to wait for one of them then sees the newest version of both.
const LOCK = sql`
  select ${monitorColumns}
    from monitors m join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1 and m.id = $2
     for no key update of s, m`

const inserted = settingsParameters(9)
const INSERT = bringing(
  'SLOTS',
  sql`
  with m as (
    insert into monitors (org_id, id, created_at, updated_at, ${inserted.columns})
    values ($1, $2, $3, $3, ${inserted.values})
    returning no, org_id
  ), s as (
    insert into monitor_states
      (monitor_no, org_id, shard, state, epoch, next_due_at, heartbeat, due_unread)
    select no, org_id, $4, $5, $6, $7::timestamptz, $8, $7 is not null from m
  )
  select no from m`,
)

const updated = settingsParameters(4)
const UPDATE = sql`
  update monitors set updated_at = $3, ${updated.assignments}
  where org_id = $1 and id = $2`

const TOUCH = sql`update monitors set updated_at = $3 where org_id = $1 and id = $2`

const UPDATE_STATE = bringing(
  'SLOTS',
  sql`
  update monitor_states set
    state = $3, epoch = $4, next_due_at = $5::timestamptz, due_unread = $5 is not null,
    last_status_changed_at = $6, last_response_ms = $7, cert_expires_at = $8, heartbeat = $9,
    samples = case when $10 then '{}' else samples end,
    dns_baseline = case when $11 then null else dns_baseline end,
    issuer = case when $11 then null else issuer end,
    domain_expires_at = case when $10 then null else domain_expires_at end
  where org_id = $1 and monitor_no = $2`,
)

// Results are deleted later in small batches: nothing can reach them any more.
const DELETE = sql`
  with gone as (delete from monitors where org_id = $1 and id = $2 returning no)
  insert into deleted_monitors (monitor_no) select no from gone`

export async function findMonitor(tenant: Tenant, uuid: string): Promise<Monitor | undefined> {
  const [row] = await tenant.query<MonitorRecord>(FIND, [tenant.orgId, uuid])
  return row && toMonitor(tenant, row)
}

/** The current monitor, locked until the transaction ends. */
export async function lockMonitor(tx: TenantTx, uuid: string): Promise<Monitor | undefined> {
  const [row] = await tx.query<MonitorRecord>(LOCK, [tx.orgId, uuid])
  return row && toMonitor(tx, row)
}

const FIND_MANY = sql`
  select m.org_id as "orgId", ${monitorColumns}
    from monitors m join monitor_states s on s.monitor_no = m.no
   where m.no = any ($1::bigint[])`

/** For the engine: complete monitors of any organization. */
export async function findMonitorsByNo(
  db: Db,
  secrets: OrganizationSecrets,
  numbers: readonly number[],
): Promise<Map<number, Monitor>> {
  const rows = await db.query<MonitorRecord & { orgId: string }>(FIND_MANY, [numbers])
  const monitors = rows.map(async ({ orgId, ...row }) => {
    const cipher = () => secrets.cipherOf(db, orgId)
    return toMonitor({ orgId, query: db.query, cipher }, row)
  })
  return new Map((await Promise.all(monitors)).map((monitor) => [monitor.no, monitor]))
}

export async function insertMonitor(tx: TenantTx, monitor: Omit<Monitor, 'no'>): Promise<Monitor> {
  const [row] = await tx.query<{ no: number }>(INSERT, [
    tx.orgId,
    monitor.uuid,
    monitor.createdAt,
    shardOf(monitor.uuid),
    monitor.state,
    monitor.epoch,
    monitor.nextDueAt,
    monitor.heartbeat,
    ...(await settingsValues(tx, monitor)),
  ])
  if (row === undefined) throw new Error('The monitor was not inserted')
  return { ...monitor, no: row.no }
}

export async function updateSettings(tx: TenantTx, monitor: Monitor): Promise<void> {
  await tx.query(UPDATE, [
    tx.orgId,
    monitor.uuid,
    monitor.updatedAt,
    ...(await settingsValues(tx, monitor)),
  ])
}

export async function touchMonitor(tx: TenantTx, monitor: Monitor): Promise<void> {
  await tx.query(TOUCH, [tx.orgId, monitor.uuid, monitor.updatedAt])
}

/** `target`: what was learned about the target itself, its DNS baseline and its issuer. */
export type StateReset = { samples: boolean; target: boolean }

export async function updateState(
  tx: TenantTx,
  monitor: Monitor,
  forget: StateReset,
): Promise<void> {
  await tx.query(UPDATE_STATE, [
    tx.orgId,
    monitor.no,
    monitor.state,
    monitor.epoch,
    monitor.nextDueAt,
    monitor.lastStatusChangedAt,
    monitor.lastResponseMs,
    monitor.certExpiresAt,
    monitor.heartbeat,
    forget.samples,
    forget.target,
  ])
}

export async function deleteMonitor(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(DELETE, [tx.orgId, uuid])
}

const ATTACH_ALL_CONTACTS = sql`
  insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
  select org_id, $2, id from alert_contacts where org_id = $1`

export async function attachAllContacts(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(ATTACH_ALL_CONTACTS, [tx.orgId, uuid])
}

const PAGE = sql`
  with total as (
    select monitors as total from organization_usage where org_id = $1
  )
  select total.total, ${monitorColumns}
    from total left join (
      (select * from monitors where org_id = $1
        order by created_at desc, id desc limit $2 offset $3) m
      join monitor_states s on s.monitor_no = m.no) on true
   order by m.created_at desc, m.id desc`

const FILTERED_PAGE = sql`
  with hits as materialized (
    select m.id, m.created_at
      from monitors m join monitor_states s on s.monitor_no = m.no
     where m.org_id = $1
       and ($4::text[] is null or m.type = any ($4))
       and ($5::text[] is null or s.state = any ($5))
       and ($6::text is null or m.name ilike $6 or m.url ilike $6 or m.host ilike $6)
  ), page as (
    select id from hits order by created_at desc, id desc limit $2 offset $3
  ), total as (
    select count(*) as total from hits
  )
  select total.total, ${monitorColumns}
    from total left join (
      page join monitors m on m.org_id = $1 and m.id = page.id
           join monitor_states s on s.monitor_no = m.no) on true
   order by m.created_at desc, m.id desc`

export type MonitorFilter = {
  limit: number
  offset: number
  type?: readonly MonitorSettings['type'][] | undefined
  state?: readonly Monitor['state'][] | undefined
  q?: string | undefined
}

/** One page and the total count, from one snapshot. */
export async function listMonitors(tenant: Tenant, filter: MonitorFilter) {
  const { limit, offset, type, state, q } = filter
  const page = [tenant.orgId, limit, offset]
  const filtered = type !== undefined || state !== undefined || q !== undefined
  const rows = await (filtered
    ? tenant.query<PageRow>(FILTERED_PAGE, [...page, type, state, q && `%${escapeLike(q)}%`])
    : tenant.query<PageRow>(PAGE, page))

  const found = rows.filter((row): row is PageRow & MonitorRecord => row.no !== null)
  return {
    total: rows[0]?.total ?? 0,
    monitors: await Promise.all(found.map((row) => toMonitor(tenant, row))),
  }
}

type PageRow = { total: number } & (MonitorRecord | { no: null })
