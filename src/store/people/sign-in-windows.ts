// Counts sign-in attempts to stop guessing. The counts are in the database, so they hold across all processes.
import { createHash } from 'node:crypto'
import { type Db, sql } from '../core/db.ts'

const WINDOW_SECONDS = 15 * 60

// A subject at its limit is not written to.
const COUNT = sql`
  insert into sign_in_windows as w (subject, started_at, failures) values ($1, now(), 1)
  on conflict (subject) do update
    set started_at = case when w.started_at < now() - make_interval(secs => $2) then now() else w.started_at end,
        failures = case when w.started_at < now() - make_interval(secs => $2) then 1 else w.failures + 1 end
    where w.started_at < now() - make_interval(secs => $2) or w.failures < $3
  returning true as counted`
const SECONDS_LEFT = sql`
  select extract(epoch from started_at - now())::float8 + $2 as "secondsLeft"
    from sign_in_windows where subject = $1`
const TAKE_BACK = sql`
  update sign_in_windows set failures = greatest(0, failures - 1) where subject = any ($1::text[])`
const DELETE_OLD = sql`
  with old as (
    select subject from sign_in_windows
     where started_at < now() - make_interval(secs => $1) limit $2
  ), gone as (
    delete from sign_in_windows where subject in (select subject from old) returning 1)
  select count(*)::integer as count from gone`

/** In 15 minutes, unless it says otherwise: no longer, because older windows are deleted. */
export type Limit = { subject: string; limit: number; windowSeconds?: number }

/**
 * Passwords of an account, also from one network or one known browser; attempts from an address; second factors of a
 * person; links tried and emails requested from an address; invitations (also of a person); trial checks; test emails;
 * tests and confirmations of an organization's alert contacts; devices that a person adds and tests; checks and
 * subscribers that keys ask for; replays; large writes of bindings; and checks for
 * updates.
 */
type LimitedAction =
  | 'account'
  | 'account-network'
  | 'device'
  | 'address'
  | 'second'
  | 'link'
  | 'reset'
  | 'invite'
  | 'trial'
  | 'mail-test'
  | 'contact-test'
  | 'contact-confirm'
  | 'webhook-test'
  | 'push-add'
  | 'push-test'
  | 'key-check'
  | 'replay'
  | 'subscriber-add'
  | 'bindings'
  | 'update-check'

/** Hashes the counted value: in plain text, the table would be a list of accounts. */
export function subjectOf(kind: LimitedAction, what: string): string {
  return `${kind}:${createHash('sha256').update(what).digest('base64url')}`
}

/**
 * Counts the attempt before it runs, so that parallel attempts all count. If the subject has reached its limit, returns
 * the seconds to wait.
 */
export async function countTry(
  people: Db,
  { subject, limit, windowSeconds = WINDOW_SECONDS }: Limit,
): Promise<{ secondsLeft: number } | undefined> {
  const counted = await people.query(COUNT, [subject, windowSeconds, limit])
  if (counted.length > 0) return undefined
  const [row] = await people.query<{ secondsLeft: number }>(SECONDS_LEFT, [subject, windowSeconds])
  return row ?? { secondsLeft: windowSeconds }
}

/** For an attempt that succeeded or was never judged. */
export async function takeBackTry(people: Db, subjects: readonly string[]): Promise<void> {
  await people.query(TAKE_BACK, [subjects])
}

/** Deletes up to `most` windows that have ended. Returns how many. */
export async function deleteOldAttempts(db: Db, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(DELETE_OLD, [WINDOW_SECONDS, most])
  return row?.count ?? 0
}
