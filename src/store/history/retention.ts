// Keeps tables from growing forever: drops whole partitions by age and deletes everything else in small batches.
import { type Database, type Db, sql, type Tx } from '../core/db.ts'

const ENSURE = sql`
  select ensure_partitions((now() at time zone 'UTC')::date, $1 + 1) as made`

/** Creates partitions for today and the days ahead. Returns how many were missing. */
export async function ensurePartitions(db: Db, daysAhead: number): Promise<number> {
  const [row] = await db.query<{ made: number }>(ENSURE, [daysAhead])
  return row?.made ?? 0
}

const MEASURE = sql`
  with days as (
    select n, exists (
             select from unnest(array['results', 'region_results', 'heartbeat_calls', 'events', 'deliveries', 'attempts']) parent
              where to_regclass(format('public.%s_%s', parent,
                      to_char((now() at time zone 'UTC')::date + n, 'YYYYMMDD'))) is null) as is_missing
      from generate_series(0, 60) n)
  select pg_database_size(current_database())::float8 as "sizeBytes",
         (select coalesce(min(n) filter (where is_missing), 61) - 1 from days)::integer as "daysAhead"`

/** `daysAhead`: days after today that have all their partitions; -1 if today lacks one. */
export async function measureDatabase(db: Db): Promise<{ sizeBytes: number; daysAhead: number }> {
  const [row] = await db.query<{ sizeBytes: number; daysAhead: number }>(MEASURE)
  if (row === undefined) throw new Error('The database was not measured')
  return row
}

/** Partitioned by the day of their rows. */
export type PartitionedTable =
  | 'results'
  | 'region_results'
  | 'result_packs'
  | 'heartbeat_calls'
  | 'events'
  | 'deliveries'
  | 'attempts'

const DROP = sql`select partition, dropped from drop_expired_partition($1, $2)`

/** Undefined if none is old enough. `dropped` is false if a reader holds it and it must wait. */
export async function dropExpiredPartition(
  db: Db,
  table: PartitionedTable,
  keepDays: number,
): Promise<{ partition: string; dropped: boolean } | undefined> {
  const [row] = await db.query<{ partition: string; dropped: boolean }>(DROP, [table, keepDays])
  return row
}

const DELETE_EXPIRED = sql`
  delete from idempotency_records
   where (org_id, key) in (
     select org_id, key from idempotency_records where expires_at < now() order by expires_at limit $1)
  returning 1 as one`

export async function deleteExpiredResponses(db: Db, limit: number): Promise<number> {
  return (await db.query(DELETE_EXPIRED, [limit])).length
}

// Deletes history past a plan's limit. $1 and $2 are monitors and the instants before which their history ends.
function deleteBefore(table: string, condition: string) {
  const [name, isOver] = [{ text: table }, { text: condition }]
  return sql`
    with gone as (
      delete from ${name} where ctid = any (array(
        select t.ctid
          from unnest($1::bigint[], $2::timestamptz[]) as u (monitor_no, horizon)
          join ${name} t on t.monitor_no = u.monitor_no and ${isOver}
         limit $3))
      returning 1)
    select count(*) as count from gone`
}

// A span that crosses the horizon is kept whole.
const EXPIRED_DELETES = [
  deleteBefore('state_spans', 't.started_at < u.horizon and t.ended_at < u.horizon'),
  deleteBefore('maintenance_spans', 't.started_at < u.horizon and t.ended_at < u.horizon'),
  deleteBefore('missed', 't.from_slot < u.horizon and t.to_slot < u.horizon'),
  deleteBefore('result_hours', `t.hour < date_trunc('hour', u.horizon, 'UTC')`),
  deleteBefore('result_days', `t.day < (u.horizon at time zone 'UTC')::date`),
]

const LOCK_RETENTION = sql`
  select after_monitor_no as "afterNo" from upkeep_progress
   where task = 'RETENTION' and period <= now() for update skip locked`
// An override of null lifts the limit, as does null in the plan.
const HORIZONS = sql`
  select m.no, now() - make_interval(days => case
           when o.limit_overrides ? 'historyDays' then (o.limit_overrides ->> 'historyDays')::integer
           else p.history_days end) as horizon
    from monitors m
    join organizations o on o.id = m.org_id
    join plans p on p.name = o.plan
   where m.no > $1 order by m.no limit $2`
const ADVANCE_RETENTION = sql`update upkeep_progress set after_monitor_no = $1 where task = 'RETENTION'`
const FINISH_RETENTION = sql`
  update upkeep_progress set after_monitor_no = 0, period = date_trunc('day', now(), 'UTC') + interval '24 hours'
   where task = 'RETENTION'`

/** `finished`: every monitor was processed today, or another janitor is working on it. */
type RetentionProgress = { removed: number; finished: boolean }
type Horizon = { no: number; horizon: Date | null }

/**
 * Processes the next `monitors` monitors, each once a day. Deletes what is older than their plan keeps, at most `limit`
 * rows per table. If more rows remain, the next call processes the same monitors again.
 */
export function removeExpiredHistory(
  database: Database,
  monitors: number,
  limit: number,
): Promise<RetentionProgress> {
  return database.transaction(undefined, async (tx) => {
    const [progress] = await tx.query<{ afterNo: number }>(LOCK_RETENTION)
    if (progress === undefined) return { removed: 0, finished: true }
    const horizons = await tx.query<Horizon>(HORIZONS, [progress.afterNo, monitors])
    const ending = horizons.filter(({ horizon }) => horizon !== null)
    const values = [ending.map(({ no }) => no), ending.map(({ horizon }) => horizon), limit]
    const counts: number[] = []
    for (const statement of EXPIRED_DELETES) counts.push(await countOf(tx, statement, values))

    const removed = counts.reduce((sum, count) => sum + count, 0)
    if (counts.some((count) => count >= limit)) return { removed, finished: false }
    const finished = horizons.length < monitors
    if (finished) await tx.query(FINISH_RETENTION)
    else await tx.query(ADVANCE_RETENTION, [horizons.at(-1)?.no])
    return { removed, finished }
  })
}

async function countOf(tx: Tx, statement: ReturnType<typeof sql>, values: unknown[]) {
  const [row] = await tx.query<{ count: number }>(statement, values)
  return row?.count ?? 0
}

const ALLOWED_CONNECTIONS = sql`
  select (current_setting('max_connections')::integer
          - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true), '0')::integer) as count`

/** How many connections the server accepts from accounts that are not superusers. */
export async function findAllowedConnections(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(ALLOWED_CONNECTIONS)
  return row?.count ?? 0
}

const CLOCK = sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`

/** The database's clock, in Unix milliseconds. */
export async function readClock(db: Db): Promise<number> {
  const [row] = await db.query<{ ms: number }>(CLOCK)
  if (row === undefined) throw new Error('The database did not say what time it is')
  return row.ms
}

const PING = sql`select 1 as one`

export async function isReachable(db: Db): Promise<boolean> {
  return db.query(PING).then(
    () => true,
    () => false,
  )
}
