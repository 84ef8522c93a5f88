// Packs finished days of results, oldest first, a batch of monitors at a time. Rows are only read: until a day is complete
// and published, it is read from its rows, and a crash repeats one batch. Then its rows are detached, and dropped later.
import { type Database, type Db, sql, type Tx } from '../core/db.ts'
import { writePacks } from './pack-format.ts'

const DAY_MS = 86_400_000

/** `idle`: nothing is ready, another janitor is packing, or a reader is in the way. */
type PackProgress = { idle: boolean; results: number; published?: Date }

const IDLE: PackProgress = { idle: true, results: 0 }

type Progress = { day: Date | null; afterNo: number; isComplete: boolean }

const ALL_MONITORS = { text: '9223372036854775807' }
const LOCK = sql`
  select day::timestamp at time zone 'UTC' as day, least(after_monitor_no, 9007199254740991) as "afterNo",
         after_monitor_no = ${ALL_MONITORS} as "isComplete"
    from packing_progress for update skip locked`

// Yesterday stays as it is: results that are hours late are then plain rows. A day that is published and has rows again,
// because somebody wrote history by hand, keeps both. A day without results keeps its empty partition. Not "exists": that
// would be planned as a join, which may read all results.
const OLDEST = sql`
  select min(d.day)::timestamp at time zone 'UTC' as day
    from (select to_date(right(c.relname, 8), 'YYYYMMDD') as day
            from pg_inherits i join pg_class c on c.oid = i.inhrelid
           where i.inhparent = 'results'::regclass) d
   where d.day < least((now() at time zone 'UTC')::date - 1,
                       (select (min(p.period) at time zone 'UTC')::date from upkeep_progress p
                         where p.task in ('HOURS', 'DAYS')))
     and not exists (select from packed_days k where k.day = d.day)
     and (select true from results r
           where r.slot >= d.day::timestamp at time zone 'UTC'
             and r.slot < (d.day + 1)::timestamp at time zone 'UTC' limit 1)`

const CREATE = sql`select ensure_pack_partition(($1::timestamptz at time zone 'UTC')::date) as made`
const BEGIN = sql`
  update packing_progress set day = ($1::timestamptz at time zone 'UTC')::date, after_monitor_no = 0`
const ADVANCE = sql`update packing_progress set after_monitor_no = coalesce($1::bigint, ${ALL_MONITORS})`
const PUBLISH = sql`select publish_packed_day(($1::timestamptz at time zone 'UTC')::date) as published`

// A batch is sorted by monitor and slot. Less would make PostgreSQL sort it on disk.
const MEMORY = sql`select set_config('work_mem', '64MB', true) as memory`
const BOUND = sql`
  select monitor_no as "lastNo" from results
   where slot >= $1::timestamptz and slot < $2::timestamptz and monitor_no > $3::bigint
   order by monitor_no offset $4::integer limit 1`
const written = writePacks(
  sql`
    select r.* from results r
     where r.slot >= $1::timestamptz and r.slot < $2::timestamptz
       and r.monitor_no > $3::bigint and r.monitor_no <= coalesce($4::bigint, ${ALL_MONITORS})`,
  { text: '$1::timestamptz' },
)
const PACK = sql`
  with written as (${written})
  select coalesce(sum(results), 0)::bigint as results from written`

/** Packs the next monitors of the oldest finished day, about `rows` results, or publishes it if that was all. */
export function packResults(database: Database, rows: number): Promise<PackProgress> {
  return database.transaction(undefined, async (tx) => {
    const [progress] = await tx.query<Progress>(LOCK)
    if (progress === undefined) return IDLE
    const [oldest] = await tx.query<{ day: Date | null }>(OLDEST)
    const day = oldest?.day ?? null
    if (day === null) return IDLE
    if (progress.day?.getTime() !== day.getTime()) {
      await tx.query(CREATE, [day])
      await tx.query(BEGIN, [day])
      return { idle: false, results: 0 }
    }
    return progress.isComplete ? publish(tx, day) : packBatch(tx, day, progress.afterNo, rows)
  })
}

async function publish(tx: Tx, day: Date): Promise<PackProgress> {
  const [row] = await tx.query<{ published: boolean }>(PUBLISH, [day])
  return row?.published === true ? { idle: false, results: 0, published: day } : IDLE
}

async function packBatch(tx: Tx, day: Date, afterNo: number, rows: number): Promise<PackProgress> {
  await tx.query(MEMORY)
  const period = [day, new Date(day.getTime() + DAY_MS), afterNo]
  // All results of a monitor are in one pack, so a batch ends with the last of some monitor.
  const [bound] = await tx.query<{ lastNo: number }>(BOUND, [...period, rows])
  const lastNo = bound?.lastNo ?? null
  const [packed] = await tx.query<{ results: number }>(PACK, [...period, lastNo])
  await tx.query(ADVANCE, [lastNo])
  return { idle: false, results: packed?.results ?? 0 }
}

const DROP = sql`select partition, dropped from drop_packed_rows($1)`

/** Drops the rows of a day that was published that long ago. Undefined if there is none; see `dropExpiredPartition`. */
export async function dropPackedRows(
  db: Db,
  graceSeconds: number,
): Promise<{ partition: string; dropped: boolean } | undefined> {
  const [row] = await db.query<{ partition: string; dropped: boolean }>(DROP, [graceSeconds])
  return row
}
