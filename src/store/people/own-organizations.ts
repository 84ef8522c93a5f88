// Organizations that people create. A new one gets the plan and limits of the creator's own, and nothing more.
import { type Db, sql } from '../core/db.ts'
import { subscriptionActive } from '../core/plan-rules.ts'
import { isShown } from './membership-rules.ts'

// Those whose deletion can be undone count, too.
const COUNT_OWNED = sql`
  select count(*)::integer as count
    from members m join organizations o on o.id = m.org_id and ${isShown}
   where m.user_id = $1 and m.role = 'OWNER'`
const FIND_TEMPLATE = sql`
  select o.id, o.plan
    from members m
    join organizations o on o.id = m.org_id and o.deleted_at is null
    join subscriptions b on b.org_id = o.id
   where m.user_id = $1 and m.role = 'OWNER' and ${subscriptionActive}
   order by o.created_at, o.id limit 1`
const INSERT_LIKE = sql`
  with o as (
    insert into organizations (id, name, plan, private_targets, limit_overrides)
    select $1, $2, plan, private_targets, limit_overrides from organizations where id = $3
  ), s as (
    insert into subscriptions (org_id, status, past_due_since)
    select $1, status, past_due_since from subscriptions where org_id = $3
  )
  insert into organization_usage (org_id) values ($1)`

export async function countOwned(people: Db, userUuid: string): Promise<number> {
  const [row] = await people.query<{ count: number }>(COUNT_OWNED, [userUuid])
  return row?.count ?? 0
}

/** The oldest organization with an active subscription that the person owns. */
export async function findTemplateOrganization(
  people: Db,
  userUuid: string,
): Promise<{ id: string; plan: string } | undefined> {
  const [row] = await people.query<{ id: string; plan: string }>(FIND_TEMPLATE, [userUuid])
  return row
}

export async function insertOrganizationLike(
  people: Db,
  { id, name }: { id: string; name: string },
  modelId: string,
): Promise<void> {
  await people.query(INSERT_LIKE, [id, name, modelId])
}
