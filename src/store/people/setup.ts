// The first start: who holds the link it printed makes the first account. Afterwards nobody can.
import { type Db, sql } from '../core/db.ts'

// One row at most. While nobody exists each start prints a link of its own, and only the newest works.
const OFFER = sql`
  insert into setup (token_hash) select $1 where not exists (select from users)
  on conflict (only_one) do update set token_hash = excluded.token_hash
    where setup.completed_at is null and not exists (select from users)
  returning only_one`
const IS_OPEN = sql`select not exists (select from users) as open`
const IS_GOOD = sql`
  select 1 as one from setup
   where token_hash = $1 and completed_at is null and not exists (select from users)`
const COMPLETE = sql`
  update setup set completed_at = now(), token_hash = null
   where token_hash = $1 and completed_at is null and not exists (select from users)
  returning only_one`

// By the configuration, without a link. Of several processes that start at once one gets the row.
const CLAIM = sql`
  insert into setup (completed_at) select now() where not exists (select from users)
  on conflict (only_one) do update set completed_at = now(), token_hash = null
    where setup.completed_at is null and not exists (select from users)
  returning only_one`

/** False when there is nothing to set up any more. */
export async function offerSetup(people: Db, tokenHash: Buffer): Promise<boolean> {
  return (await people.query(OFFER, [tokenHash])).length > 0
}

export async function isSetupOpen(people: Db): Promise<boolean> {
  const [row] = await people.query<{ open: boolean }>(IS_OPEN)
  return row?.open ?? false
}

/** Whether the link would work now. */
export async function isSetupLink(people: Db, tokenHash: Buffer): Promise<boolean> {
  return (await people.query(IS_GOOD, [tokenHash])).length > 0
}

/** False when somebody was quicker, or somebody exists. */
export async function claimSetup(people: Db): Promise<boolean> {
  return (await people.query(CLAIM)).length > 0
}

export type Unowned = { id: string; name: string }

// Organizations that an operator created by command, and that nobody belongs to.
const LIST_UNOWNED = sql`
  select o.id, o.name from organizations o
   where o.deleted_at is null and not exists (select from members m where m.org_id = o.id)
     and ($1::uuid is null or o.id = $1) and ($2::text is null or o.name = $2)
   order by o.created_at, o.id limit $3`

/** Organizations without members, oldest first: all of them, or the one with this id or name. */
export async function listUnowned(
  people: Db,
  { id, name, limit }: { id?: string; name?: string; limit: number },
): Promise<Unowned[]> {
  return people.query<Unowned>(LIST_UNOWNED, [id ?? null, name ?? null, limit])
}

/** Locks the row: of two who come at once with the same link, one is told that it is spent. */
export async function completeSetup(people: Db, tokenHash: Buffer): Promise<boolean> {
  return (await people.query(COMPLETE, [tokenHash])).length > 0
}
