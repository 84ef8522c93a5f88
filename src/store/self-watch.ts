// What the database shows of whether this installation does its work.
import { type Db, sql } from './db.ts'

// The lock belongs to the connection: of several processes one watches, and when it is gone another.
const LOOK = sql`
  select pg_try_advisory_lock(7018) as "isWatch",
         exists (select from schedulers where expires_at > now()) as "hasScheduler",
         exists (select from alert_troubles
                  where done_at is null and look_at < now() - make_interval(secs => $1)) as "hasUntold",
         (select reltuples from pg_class where oid = 'monitor_states'::regclass)::float8 as monitors`

export type Sight = {
  isWatch: boolean
  hasScheduler: boolean
  hasUntold: boolean
  /** About. */
  monitors: number
}

/** By a pool of one connection, which has to be used at least every ten seconds to stay. */
export async function lookAround(db: Db, lateSeconds: number): Promise<Sight> {
  const [row] = await db.query<Sight>(LOOK, [lateSeconds])
  if (row === undefined) throw new Error('The database showed nothing')
  return row
}

const FIND_LATE = sql`
  select distinct shard from monitor_states
   where shard = any ($1::smallint[]) and next_due_at < now() - make_interval(secs => $2)`

/** Those of the shards in which a slot is due for so long. */
export async function findLateShards(
  db: Db,
  shards: readonly number[],
  lateSeconds: number,
): Promise<number[]> {
  const rows = await db.query<{ shard: number }>(FIND_LATE, [shards, lateSeconds])
  return rows.map(({ shard }) => shard)
}
