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

type Row = { orgId: string; usedBytes: number; plan: Plan; overrides: Partial<StorageLimits> }

/** Returns what was used before. Organizations that no longer exist are left out. */
export async function addDayBytes(
  db: Db,
  kind: DayKind,
  added: readonly DayBytes[],
): Promise<Map<string, DayUsage>> {
  const values = [kind, added.map(({ orgId }) => orgId), added.map(({ bytes }) => bytes)]
  const rows = await db.query<Row>(ADD, values)
  return new Map(
    rows.map(({ orgId, usedBytes, plan, overrides }) => [
      orgId,
      { usedBytes, limitBytes: dayLimit(kind, storageLimits(plan, overrides)) },
    ]),
  )
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
