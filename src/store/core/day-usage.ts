// How many bytes each organization has stored today of each kind. Rows are locked in the order of organizations, so that two
// statements over many never wait for each other.
import { type DayKind, type DayUsage, dayLimit } from '../../domain/values/day-quota.ts'
import type { Plan } from '../../domain/values/plan.ts'
import { type StorageLimits, storageLimits } from '../../domain/values/storage-limits.ts'
import { type Db, sql } from './db.ts'

type DayBytes = { orgId: string; bytes: number }

const today = sql`(now() at time zone 'UTC')::date`

const ADD = sql`
  with wanted as materialized (
    select u.org_id, sum(u.bytes)::bigint as bytes from unnest($2::uuid[], $3::bigint[]) as u (org_id, bytes)
     group by u.org_id
  ), added as (
    insert into day_usage as d (org_id, day, kind, bytes)
    select org_id, ${today}, $1, bytes from wanted order by org_id
    on conflict (org_id, day, kind) do update set bytes = d.bytes + excluded.bytes
    returning org_id, bytes
  )
  select a.org_id as "orgId", a.bytes - w.bytes as "usedBytes", o.plan, o.limit_overrides as overrides
    from added a join wanted w on w.org_id = a.org_id join organizations o on o.id = a.org_id`

export type DayRow = { usedBytes: number; plan: Plan; overrides: Partial<StorageLimits> }
type Row = DayRow & { orgId: string }

export const toDayUsage = (kind: DayKind, { usedBytes, plan, overrides }: DayRow): DayUsage => ({
  usedBytes,
  limitBytes: dayLimit(kind, storageLimits(plan, overrides)),
})

/** What `toDayUsage` needs of the organization `o`. */
export const eventUsageColumns = sql`
  coalesce((select d.bytes from day_usage d
             where d.org_id = o.id and d.day = ${today} and d.kind = 'EVENTS'), 0) as "usedBytes",
  o.plan, o.limit_overrides as overrides`

const FIND_EVENTS = sql`
  select o.id as "orgId", now() as now, ${eventUsageColumns} from organizations o where o.id = any($1::uuid[])`

/** What is used of the quota of events, and the time by the database. */
export async function findEventUsages(
  db: Db,
  orgIds: readonly string[],
): Promise<Map<string, DayUsage & { now: Date }>> {
  const rows = await db.query<Row & { now: Date }>(FIND_EVENTS, [orgIds])
  return new Map(
    rows.map((row) => [row.orgId, { ...toDayUsage('EVENTS', row), now: row.now }] as const),
  )
}

/** Returns what was used before. Organizations that no longer exist are left out. */
export async function addDayBytes(
  db: Db,
  kind: DayKind,
  added: readonly DayBytes[],
): Promise<Map<string, DayUsage>> {
  const values = [kind, added.map(({ orgId }) => orgId), added.map(({ bytes }) => bytes)]
  const rows = await db.query<Row>(ADD, values)
  return new Map(rows.map((row) => [row.orgId, toDayUsage(kind, row)]))
}

const FORGET = sql`
  with gone as (
    delete from day_usage where (org_id, day, kind) in (
      select org_id, day, kind from day_usage where day < ${today} - 1 order by day limit $1)
    returning 1)
  select count(*)::integer as count from gone`

/** Counts of days that are over. */
export async function forgetDayUsage(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(FORGET, [most])
  return row?.count ?? 0
}
