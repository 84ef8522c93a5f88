// Subscribers that are reached by a URL: how many a page has, and those whose receiver is gone.
import { type Db, sql } from '../core/db.ts'
import type { TenantTx } from '../core/tenants.ts'

const COUNT = sql`
  select count(*)::integer as "all", (count(*) filter (where confirmed_at is null))::integer as waiting from (
    select confirmed_at from page_subscribers
     where org_id = $1 and page_id = $2 and kind <> 'EMAIL' limit $3) hooks`

/** Up to `most`. */
export async function countHooks(
  tx: TenantTx,
  pageUuid: string,
  most: number,
): Promise<{ all: number; waiting: number }> {
  type Counted = { all: number; waiting: number }
  const [row] = await tx.query<Counted>(COUNT, [tx.orgId, pageUuid, most])
  return row ?? { all: 0, waiting: 0 }
}

const DELETE_FAILED = sql`
  with failed as (
    select s.id from page_subscribers s join only receivers r on r.org_id = s.org_id and r.id = s.id
     where s.kind <> 'EMAIL' and r.disabled_reason is not null
     limit $1 for update of s skip locked
  ), gone as (
    delete from page_subscribers where id in (select id from failed) returning 1)
  select count(*)::integer as count from gone`

/** Deletes up to `most` subscribers who could not be reached for days, or want nothing anymore. */
export async function deleteFailedHooks(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_FAILED, [most])
  return row?.count ?? 0
}

const DELETE_ORPHANS = sql`
  with orphans as (
    select r.id from only receivers r
     where r.channel = 'SUBSCRIBER' and not exists (select from page_subscribers s where s.id = r.id)
     limit $1 for update skip locked
  ), gone as (
    delete from receivers where id in (select id from orphans) returning 1)
  select count(*)::integer as count from gone`

/** Deletes up to `most` receivers whose subscriber is gone. What is still queued for them is canceled. */
export async function deleteOrphanReceivers(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_ORPHANS, [most])
  return row?.count ?? 0
}
