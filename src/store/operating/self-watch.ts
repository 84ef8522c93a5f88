// What the database shows about the health of this installation.
import type { ReceiverQueue } from '../../domain/events/delivery-share.ts'
import { type Database, type Db, sql } from '../core/db.ts'
import { findHorizon, readByIndex } from '../deliveries/queue.ts'
import { findQueues } from '../deliveries/receiver-queues.ts'

// The lock belongs to the connection: one of several processes notifies, and if it dies, another takes over. A process that
// is frozen keeps its connection open, so PostgreSQL ends one that is silent for too long.
const ACQUIRE_WATCH = sql`
  select set_config('idle_session_timeout', $1, false), pg_try_advisory_lock(7018) as "isWatch"`
const RELEASE_WATCH = sql`select pg_advisory_unlock_all()`

/** Needs a pool of one connection, used more often than every `silentMs`: then it ends, and the lock with it. */
export async function acquireWatch(db: Db, silentMs: number): Promise<boolean> {
  const [row] = await db.query<{ isWatch: boolean }>(ACQUIRE_WATCH, [`${silentMs}ms`])
  return row?.isWatch === true
}

export async function releaseWatch(db: Db): Promise<void> {
  await db.query(RELEASE_WATCH)
}

const READ_OVERVIEW = sql`
  select exists (select from schedulers where expires_at > now()) as "hasScheduler",
         coalesce((select extract(epoch from now() - min(look_at)) from alert_troubles
                    where done_at is null and look_at < now()), 0)::float8 as "alertLateSeconds",
         (select reltuples from pg_class where oid = 'monitor_states'::regclass)::float8 as monitors`

export type SystemOverview = {
  hasScheduler: boolean
  alertLateSeconds: number
  /** Approximate. */
  monitors: number
}

export async function readSystemOverview(db: Db): Promise<SystemOverview> {
  const [row] = await db.query<SystemOverview>(READ_OVERVIEW)
  if (row === undefined) throw new Error('The database showed nothing')
  return row
}

const FIND_LATE = sql`
  select distinct shard from monitor_states
   where shard = any ($1::smallint[]) and next_due_at < now() - make_interval(secs => $2)`

/** Returns the shards in which a slot has been due for at least `lateSeconds`. */
export async function findLateShards(
  db: Db,
  shards: readonly number[],
  lateSeconds: number,
): Promise<number[]> {
  const rows = await db.query<{ shard: number }>(FIND_LATE, [shards, lateSeconds])
  return rows.map(({ shard }) => shard)
}

const MAX_RECEIVERS = 500

/** Receivers with due deliveries after `after`, and where to continue. */
export function findDueReceivers(
  database: Database,
  after: string,
): Promise<{ queues: ReceiverQueue[]; next: string | undefined; now: Date }> {
  return database.transaction(undefined, async (tx) => {
    await readByIndex(tx)
    const horizon = await findHorizon(tx)
    return { ...(await findQueues(tx, horizon, after, MAX_RECEIVERS)), now: tx.now }
  })
}

const MAX_REGIONS = 100
// Looks for one monitor of each region, which is usually among the first. A plain "exists" would join all of them.
const NEEDED_REGIONS = sql`
  select r.region
    from (select distinct home_region as region from organizations where deleted_at is null) r,
         lateral (
           select from organizations o
             join monitors m on m.org_id = o.id
             join monitor_states s on s.monitor_no = m.no
            where o.deleted_at is null and o.home_region is not distinct from r.region
              and m.type <> 'CRON' and s.state <> 'PAUSED'
            limit 1) one
   limit $1`

/** The regions that monitors need. Null means that some monitors can be checked from any region. */
export async function findNeededRegions(db: Db): Promise<(string | null)[]> {
  const rows = await db.query<{ region: string | null }>(NEEDED_REGIONS, [MAX_REGIONS])
  return rows.map(({ region }) => region)
}

const PRESENT_REGIONS = sql`
  select distinct region from probes
   where revoked_at is null and last_seen_at > now() - make_interval(secs => $1)
   limit $2`

/** The regions with a probe seen within `withinSeconds`. */
export async function findPresentRegions(db: Db, withinSeconds: number): Promise<string[]> {
  const rows = await db.query<{ region: string }>(PRESENT_REGIONS, [withinSeconds, MAX_REGIONS])
  return rows.map(({ region }) => region)
}
