// Dashboard sessions. Only the cookie holds the token; the database stores its hash.
import type { Role } from '../../domain/people/role.ts'
import { MAX_SESSIONS, SESSION_IDLE_SECONDS, type Session } from '../../domain/people/session.ts'
import { type Db, sql } from '../core/db.ts'
import { subscriptionActive } from '../core/plan-rules.ts'
import { hasSecondFactor, isShown } from './membership-rules.ts'

/** A person's membership in one organization. Null if they are not a member or the organization does not exist. */
export type Membership = {
  orgId: string
  role: Role
  subscriptionActive: boolean
  /** An owner deleted it, and can still undo that. */
  isDeleting: boolean
  /** The operator moves it to another installation. */
  isMoving: boolean
  requiresSecondFactor: boolean
  hasSecondFactor: boolean
}

const FIND = sql`
  select s.id as uuid, s.complete, s.created_at as "createdAt", s.expires_at as "expiresAt",
         json_build_object('uuid', u.id, 'email', u.email, 'name', u.name) as user,
         s.seen_at < now() - interval '1 minute' as "wasAway",
         case when m.role is not null and o.id is not null then json_build_object(
           'orgId', m.org_id, 'role', m.role,
           'subscriptionActive', ${subscriptionActive}, 'isDeleting', o.deleted_at is not null,
           'isMoving', o.moved_at is not null,
           'requiresSecondFactor', o.requires_second_factor, 'hasSecondFactor', ${hasSecondFactor}) end as membership
    from sessions s
    join users u on u.id = s.user_id and u.disabled_at is null
    left join members m on m.user_id = u.id and m.org_id = $2
    left join organizations o on o.id = m.org_id and ${isShown}
    left join subscriptions b on b.org_id = o.id
   where s.token_hash = $1
     and s.expires_at > now()
     and s.seen_at > now() - make_interval(secs => $3)`
const TOUCH = sql`update sessions set seen_at = now() where id = $1`

export type FoundSession = { session: Session; membership: Membership | null }

/** The session of a token, if still valid, and its person's membership in `orgId`. */
export async function findSession(
  people: Db,
  tokenHash: Buffer,
  orgId: string | null,
): Promise<FoundSession | undefined> {
  type Row = Session & { membership: Membership | null; wasAway: boolean }
  const [row] = await people.query<Row>(FIND, [tokenHash, orgId, SESSION_IDLE_SECONDS])
  if (row === undefined) return undefined
  const { membership, wasAway, ...session } = row
  // Once a minute is precise enough for a limit of hours, and avoids a write per request.
  if (wasAway) await people.query(TOUCH, [session.uuid])
  return { session, membership }
}

const LAST_SEEN = sql`
  select user_id as uuid, max(seen_at) as at from sessions
   where user_id = any ($1::uuid[]) and complete group by user_id`

/** When each of them last used the dashboard, in any organization. Missing for those without a session. */
export async function listLastSeen(
  people: Db,
  userUuids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await people.query<{ uuid: string; at: Date }>(LAST_SEEN, [userUuids])
  return new Map(rows.map(({ uuid, at }) => [uuid, at]))
}

type NewSession = {
  uuid: string
  tokenHash: Buffer
  userUuid: string
  complete: boolean
  address: string
  agent: string
  expiresAt: Date
}

const INSERT = sql`
  insert into sessions (id, token_hash, user_id, complete, address, agent, expires_at)
  values ($1, $2, $3, $4, $5, left($6, 300), $7)`

// Keeps a program that signs in repeatedly from filling the table.
const PRUNE = sql`
  delete from sessions
   where id in (select id from sessions where user_id = $1 order by seen_at desc, id desc offset $2)`

export async function insertSession(people: Db, session: NewSession): Promise<void> {
  const { uuid, tokenHash, userUuid, complete, address, agent, expiresAt } = session
  await people.query(INSERT, [uuid, tokenHash, userUuid, complete, address, agent, expiresAt])
  await people.query(PRUNE, [userUuid, MAX_SESSIONS])
}

const DELETE = sql`delete from sessions where user_id = $1 and id = $2 returning id`
const DELETE_BY_TOKEN = sql`delete from sessions where token_hash = $1`
const DELETE_OTHERS = sql`delete from sessions where user_id = $1 and id is distinct from $2`

export async function deleteSession(people: Db, userUuid: string, uuid: string): Promise<boolean> {
  return (await people.query(DELETE, [userUuid, uuid])).length > 0
}

export async function deleteByToken(people: Db, tokenHash: Buffer): Promise<void> {
  await people.query(DELETE_BY_TOKEN, [tokenHash])
}

/** Deletes all sessions of a person except the given one. */
export async function deleteOtherSessions(
  people: Db,
  userUuid: string,
  uuid: string | null,
): Promise<void> {
  await people.query(DELETE_OTHERS, [userUuid, uuid])
}

const LIST = sql`
  select id as uuid, address, agent, created_at as "createdAt", seen_at as "seenAt"
    from sessions
   where user_id = $1 and complete and expires_at > now()
     and seen_at > now() - make_interval(secs => $2)
   order by seen_at desc, id desc limit $3`

type SessionLine = {
  uuid: string
  address: string
  agent: string
  createdAt: Date
  seenAt: Date
}

export async function listSessions(people: Db, userUuid: string): Promise<SessionLine[]> {
  return people.query<SessionLine>(LIST, [userUuid, SESSION_IDLE_SECONDS, MAX_SESSIONS])
}

const ENDED = sql`
  select f.session_id as "sessionUuid", f.org_id as "orgId"
    from unnest($1::uuid[], $2::uuid[]) as f (session_id, org_id)
   where not exists (
     select from sessions s
       join users u on u.id = s.user_id and u.disabled_at is null
       join members m on m.user_id = u.id and m.org_id = f.org_id
       join organizations o on o.id = m.org_id and o.deleted_at is null
        and (not o.requires_second_factor or ${hasSecondFactor})
      where s.id = f.session_id and s.complete and s.expires_at > now()
        and s.seen_at > now() - make_interval(secs => $3))`

export type FollowedSession = { sessionUuid: string; orgId: string }

/** Returns those that may no longer follow: the session has ended, or the person no longer has access. */
export async function findEndedFollowing(
  people: Db,
  following: readonly FollowedSession[],
): Promise<FollowedSession[]> {
  return people.query<FollowedSession>(ENDED, [
    following.map(({ sessionUuid }) => sessionUuid),
    following.map(({ orgId }) => orgId),
    SESSION_IDLE_SECONDS,
  ])
}

const DELETE_ENDED = sql`
  with old as (select id from sessions where expires_at < now() order by expires_at limit $1),
       gone as (delete from sessions where id in (select id from old) returning 1)
  select count(*)::integer as count from gone`

/** Deletes up to `most` ended sessions. Returns how many. */
export async function deleteEndedSessions(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_ENDED, [most])
  return row?.count ?? 0
}
