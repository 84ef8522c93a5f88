// The first start: the link it prints creates the first account. After that, the link no longer works.
import { type Db, sql } from '../core/db.ts'

// At most one row. While there is no account, each start prints a new link, and only the newest works.
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

// For setup by configuration, without a link. Of several processes that start at once, one gets the row.
const CLAIM = sql`
  insert into setup (completed_at) select now() where not exists (select from users)
  on conflict (only_one) do update set completed_at = now(), token_hash = null
    where setup.completed_at is null and not exists (select from users)
  returning only_one`

/** False when there is nothing left to set up. */
export async function offerSetup(people: Db, tokenHash: Buffer): Promise<boolean> {
  return (await people.query(OFFER, [tokenHash])).length > 0
}

export async function isSetupOpen(people: Db): Promise<boolean> {
  const [row] = await people.query<{ open: boolean }>(IS_OPEN)
  return row?.open ?? false
}

/** True if the link works now. */
export async function isSetupLink(people: Db, tokenHash: Buffer): Promise<boolean> {
  return (await people.query(IS_GOOD, [tokenHash])).length > 0
}

/** False if another process was faster, or an account exists. */
export async function claimSetup(people: Db): Promise<boolean> {
  return (await people.query(CLAIM)).length > 0
}

export type Unowned = { id: string; name: string }

// Organizations that an operator created by command and that have no members.
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

/** Locks the row: of two requests with the same link, the second finds it used. */
export async function completeSetup(people: Db, tokenHash: Buffer): Promise<boolean> {
  return (await people.query(COMPLETE, [tokenHash])).length > 0
}
