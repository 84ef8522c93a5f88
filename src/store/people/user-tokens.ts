// Links in emails to people. Each works once and expires.
import { type Db, sql } from '../core/db.ts'

type Purpose = 'RESET_PASSWORD'
type UserToken = {
  uuid: string
  userUuid: string
  purpose: Purpose
  tokenHash: Buffer
  expiresAt: Date
}

// A newer link invalidates the older ones.
const END_OLDER = sql`
  update user_tokens set used_at = now() where user_id = $1 and purpose = $2 and used_at is null`
const INSERT = sql`
  insert into user_tokens (id, user_id, purpose, token_hash, expires_at)
  values ($1, $2, $3, $4, $5)`
const FIND = sql`
  select u.email from user_tokens t join users u on u.id = t.user_id and u.disabled_at is null
   where t.token_hash = $1 and t.purpose = $2 and t.used_at is null and t.expires_at > now()`
const SPEND = sql`
  update user_tokens t set used_at = now()
    from users u
   where t.token_hash = $1 and t.purpose = $2 and t.used_at is null and t.expires_at > now()
     and u.id = t.user_id and u.disabled_at is null
  returning t.user_id as "userUuid"`
const COUNT_RECENT = sql`
  select count(*)::integer as count from user_tokens
   where user_id = $1 and purpose = $2 and created_at > now() - make_interval(secs => $3)`

export async function insertUserToken(people: Db, token: UserToken): Promise<void> {
  const { uuid, userUuid, purpose, tokenHash, expiresAt } = token
  await people.query(END_OLDER, [userUuid, purpose])
  await people.query(INSERT, [uuid, userUuid, purpose, tokenHash, expiresAt])
}

/** The email address of the link's owner, while the link is valid. */
export async function findTokenEmail(
  people: Db,
  tokenHash: Buffer,
  purpose: Purpose,
): Promise<string | undefined> {
  const [row] = await people.query<{ email: string }>(FIND, [tokenHash, purpose])
  return row?.email
}

/** Returns the person's id. Undefined if the link does not exist, was used, or has expired. */
export async function spendUserToken(
  people: Db,
  tokenHash: Buffer,
  purpose: Purpose,
): Promise<string | undefined> {
  const [row] = await people.query<{ userUuid: string }>(SPEND, [tokenHash, purpose])
  return row?.userUuid
}

export async function countRecentTokens(
  people: Db,
  userUuid: string,
  purpose: Purpose,
  seconds: number,
): Promise<number> {
  const [row] = await people.query<{ count: number }>(COUNT_RECENT, [userUuid, purpose, seconds])
  return row?.count ?? 0
}

// Kept for a day, because the number of recent emails is counted from them.
const DELETE_ENDED = sql`
  with old as (
    select id from user_tokens
     where expires_at < now() - interval '1 day' order by expires_at limit $1
  ), gone as (
    delete from user_tokens where id in (select id from old) returning 1)
  select count(*)::integer as count from gone`

/** Deletes up to `most` expired links. Returns how many. */
export async function deleteEndedTokens(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_ENDED, [most])
  return row?.count ?? 0
}
