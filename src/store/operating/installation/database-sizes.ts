// The size of the database, once a day.
import type { DailySize } from '../../../domain/operating/database-growth.ts'
import { type Db, sql } from '../../core/db.ts'

const KEPT_DAYS = 90

// The first measurement of a day stays.
const RECORD = sql`
  insert into database_sizes (day, bytes) values ((now() at time zone 'UTC')::date, $1)
  on conflict (day) do nothing`
const FORGET = sql`
  delete from database_sizes where day < (now() at time zone 'UTC')::date - $1::integer`

export async function recordDatabaseSize(db: Db, bytes: number): Promise<void> {
  await db.query(RECORD, [bytes])
  await db.query(FORGET, [KEPT_DAYS])
}

const READ = sql`
  select ((now() at time zone 'UTC')::date - day)::integer as "daysAgo", bytes::float8 as bytes
    from database_sizes
   where day >= (now() at time zone 'UTC')::date - $1::integer order by day`

/** Of the last `days` days, oldest first. */
export function listDatabaseSizes(db: Db, days: number): Promise<DailySize[]> {
  return db.query<DailySize>(READ, [days])
}
