import { type Db, sql } from './db.ts'

const ENSURE = sql`
  select ensure_partitions((now() at time zone 'UTC')::date, $1 + 1) as made`

/** Partitions for today and the days ahead; returns how many were missing. */
export async function ensurePartitions(db: Db, daysAhead: number): Promise<number> {
  const [row] = await db.query<{ made: number }>(ENSURE, [daysAhead])
  return row?.made ?? 0
}

const FORGET = sql`
  delete from idempotency_records
   where (org_id, key) in (
     select org_id, key from idempotency_records where expires_at < now() order by expires_at limit $1)
  returning 1 as one`

export async function forgetExpiredAnswers(db: Db, limit: number): Promise<number> {
  return (await db.query(FORGET, [limit])).length
}

const PING = sql`select 1 as one`

export async function isReachable(db: Db): Promise<boolean> {
  return db.query(PING).then(
    () => true,
    () => false,
  )
}
