// What grows with time and not by a request that could be refused: of the audit log and of resolved incidents, the newest are
// kept.
import type { Plan } from '../../domain/values/plan.ts'
import { type StorageLimits, storageLimits } from '../../domain/values/storage-limits.ts'
import { type Db, sql } from '../core/db.ts'

type Kind = 'auditEntries' | 'incidents'
type Candidate = { orgId: string; kept: number }

const CLAIM = sql`
  update upkeep_progress set period = now() + interval '30 minutes'
   where task = 'SURPLUS' and period <= now() returning 1 as one`

/** False if another janitor has looked not long ago. */
export async function claimSurplus(db: Db): Promise<boolean> {
  return (await db.query(CLAIM)).length > 0
}

// Whether there is anything new takes one probe of an index for each organization. Counting comes after.
const NEWS = {
  auditEntries: sql`
    select o.id as "orgId", o.plan, o.limit_overrides as overrides from organizations o
     where exists (select from audit_log l where l.org_id = o.id and l.at > now() - make_interval(secs => $1))`,
  incidents: sql`
    select o.id as "orgId", o.plan, o.limit_overrides as overrides from organizations o
     where exists (
       select from incidents i where i.org_id = o.id and i.started_at > now() - make_interval(secs => $1))`,
}

/** Organizations that may have more than they keep, since something was added in the last seconds. */
export async function findGrown(db: Db, kind: Kind, seconds: number): Promise<Candidate[]> {
  type Row = { orgId: string; plan: Plan; overrides: Partial<StorageLimits> }
  const rows = await db.query<Row>(NEWS[kind], [seconds])
  return rows.map(({ orgId, plan, overrides }) => ({
    orgId,
    kept: storageLimits(plan, overrides)[kind],
  }))
}

const REMOVALS = {
  auditEntries: sql`select forget_surplus_log_lines($1, $2, $3) as count`,
  incidents: sql`
    with gone as (
      delete from incidents where org_id = $1 and id in (
        select i.id from incidents i,
               (select started_at, id from incidents where org_id = $1
                 order by started_at desc, id desc offset $2 limit 1) first
         where i.org_id = $1 and (i.started_at, i.id) <= (first.started_at, first.id) and i.resolved_at is not null
         order by i.started_at, i.id limit $3)
      returning 1)
    select count(*)::integer as count from gone`,
}

/** Deletes up to `most` of the oldest. Returns how many. */
export async function removeSurplus(
  db: Db,
  kind: Kind,
  { orgId, kept }: Candidate,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(REMOVALS[kind], [orgId, kept, most])
  return row?.count ?? 0
}
